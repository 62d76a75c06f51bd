package doctor

import (
	"context"
	"fmt"
)

// Severity says how bad a finding is.
type Severity string

// The severities of findings.
const (
	Warning Severity = "warning" // the service works, but somebody should look at it
	Problem Severity = "problem" // something does not work, or is lost
)

// Finding is something that is wrong.
type Finding struct {
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
	Repair   string   `json:"repair"`              // the command or the act that repairs it
	Fixable  bool     `json:"fixable"`             // --fix repairs it
	Fixed    string   `json:"fixed,omitempty"`     // what --fix did
	FixError string   `json:"fix_error,omitempty"` // why --fix could not do it

	fix func(ctx context.Context) (string, error)
}

// The states of a check, in the member status of its result.
const (
	StatusOK      = "ok"
	StatusWarning = "warning"
	StatusProblem = "problem"
	StatusSkipped = "skipped"
	StatusError   = "error" // the check itself failed
)

// Result is the result of a check.
type Result struct {
	Name     string    `json:"name"`
	About    string    `json:"about"`
	Status   string    `json:"status"`
	Note     string    `json:"note,omitempty"`    // what was checked
	Skipped  string    `json:"skipped,omitempty"` // why the check did not run
	Error    string    `json:"error,omitempty"`   // why the check could not finish
	Findings []Finding `json:"findings"`
	Omitted  int       `json:"omitted,omitempty"` // further findings that are not listed
}

// mostFindings is how many findings of one check are listed.
const mostFindings = 100

// add adds a finding that --fix cannot repair.
func (r *Result) add(severity Severity, text, repair string) {
	r.addFixable(severity, text, repair, nil)
}

// addFixable adds a finding that fix repairs. fix can be repeated; it returns what it did.
func (r *Result) addFixable(severity Severity, text, repair string, fix func(ctx context.Context) (string, error)) {
	if len(r.Findings) >= mostFindings && fix == nil {
		r.Omitted++
		return
	}
	r.Findings = append(r.Findings, Finding{Severity: severity, Text: text, Repair: repair, Fixable: fix != nil, fix: fix})
}

func (r *Result) problem(repair, format string, args ...any) {
	r.add(Problem, fmt.Sprintf(format, args...), repair)
}

func (r *Result) warn(repair, format string, args ...any) {
	r.add(Warning, fmt.Sprintf(format, args...), repair)
}

// fix repairs the findings that can be repaired.
func (r *Result) fix(ctx context.Context) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.fix == nil {
			continue
		}
		done, err := f.fix(ctx)
		if err != nil {
			f.FixError = err.Error()
			continue
		}
		f.Fixed = done
	}
}

// finish sets the status.
func (r *Result) finish() {
	r.Status = StatusOK
	for _, f := range r.Findings {
		switch {
		case f.Fixed != "":
		case f.Severity == Problem:
			r.Status = StatusProblem
		case r.Status == StatusOK:
			r.Status = StatusWarning
		}
	}
	if r.Omitted > 0 && r.Status == StatusOK {
		r.Status = StatusWarning
	}
	switch {
	case r.Error != "":
		r.Status = StatusError
	case r.Skipped != "":
		r.Status = StatusSkipped
	}
}

// Report is the result of all checks.
type Report struct {
	Checks []Result `json:"checks"`
}

// Count returns how many checks have a status.
func (r Report) Count(status string) (n int) {
	for _, c := range r.Checks {
		if c.Status == status {
			n++
		}
	}
	return n
}

// ExitStatus returns the exit status of the command: 0 if nothing is wrong (or everything was fixed), 1 if something is,
// 2 if a check could not finish. Warnings do not count.
func (r Report) ExitStatus() int {
	switch {
	case r.Count(StatusError) > 0:
		return 2
	case r.Count(StatusProblem) > 0:
		return 1
	}
	return 0
}
