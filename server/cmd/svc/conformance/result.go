package conformance

import (
	"fmt"
	"strings"
	"time"
)

// Outcome is the end of a check.
type Outcome string

// The outcomes of checks.
const (
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
)

// Result is the result of one check: of a case, or of a case for one of the callers that it refuses.
type Result struct {
	Area      string   `json:"area"`
	Scenario  string   `json:"scenario"`
	Promise   string   `json:"promise"`
	Operation string   `json:"operation,omitempty"` // operationId
	Caller    Caller   `json:"caller,omitempty"`
	Kind      Kind     `json:"kind"`
	Outcome   Outcome  `json:"outcome"`
	Reason    string   `json:"reason,omitempty"`   // why it was skipped
	Problems  []string `json:"problems,omitempty"` // why it failed
	Request   string   `json:"request,omitempty"`
	Answer    string   `json:"answer,omitempty"`
	Contract  string   `json:"contract,omitempty"` // where the contract says it
	Millis    int64    `json:"milliseconds"`

	order int
}

// Kind says whether a check expects success.
type Kind string

// The kinds of checks.
const (
	Good    Kind = "good"
	Refusal Kind = "refusal"
)

func kindOf(status int) Kind {
	if status >= 400 {
		return Refusal
	}
	return Good
}

// Report is the result of a run.
type Report struct {
	URL       string        `json:"url"`
	Level     string        `json:"level"`
	Prefix    string        `json:"prefix,omitempty"`
	Product   string        `json:"product,omitempty"`
	Seed      uint64        `json:"seed,omitempty"` // of generated requests
	Began     time.Time     `json:"began"`
	Took      time.Duration `json:"-"`
	Seconds   float64       `json:"seconds"`
	Requests  int64         `json:"requests"`
	Passed    int           `json:"passed"`
	Failed    int           `json:"failed"`
	Skipped   int           `json:"skipped"`
	Results   []Result      `json:"results"`
	Coverage  []Coverage    `json:"coverage"`
	Leftovers []string      `json:"leftovers,omitempty"` // what could not be deleted
}

// OK reports whether nothing failed.
func (r *Report) OK() bool { return r.Failed == 0 && len(r.Leftovers) == 0 }

func (r *Report) count() {
	r.Passed, r.Failed, r.Skipped = 0, 0, 0
	for _, result := range r.Results {
		switch result.Outcome {
		case Passed:
			r.Passed++
		case Failed:
			r.Failed++
		default:
			r.Skipped++
		}
	}
	r.Seconds = r.Took.Seconds()
}

// describe fills in what a failed check sent and got.
func (r *Result) describe(base string, a *Answer) {
	if a == nil {
		return
	}
	r.Request = a.Request.Curl(base)
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", a.Status)
	for _, name := range []string{"Content-Type", "Link", "Location", "X-Total", "X-Error-Code"} {
		if value := a.Header.Get(name); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	b.WriteString(clip(string(a.Body), 1500))
	r.Answer = b.String()
}
