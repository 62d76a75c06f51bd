package control

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Kinds of faults.
const (
	faultStatus = "status"
	faultDelay  = "delay"
	faultCut    = "cut"
	faultSlow   = "slow"
	faultStale  = "stale"
)

// NewFault describes a fault as a test asks for it.
type NewFault struct {
	Kind           string            `json:"kind"`
	Method         string            `json:"method,omitempty"`
	Path           string            `json:"path,omitempty"`
	Status         int               `json:"status,omitempty"`
	Body           *string           `json:"body,omitempty"`
	Headers        map[string]string `json:"headers,omitempty"`
	RetryAfter     *int              `json:"retry_after,omitempty"`
	Delay          float64           `json:"delay,omitempty"`
	AfterBytes     *int              `json:"after_bytes,omitempty"`
	BytesPerSecond int               `json:"bytes_per_second,omitempty"`
	Every          int               `json:"every,omitempty"`
	Count          int               `json:"count,omitempty"`
}

// mistake says what a kind of fault lacks, or returns an empty text.
func (f NewFault) mistake() string {
	switch {
	case f.Kind == faultStatus && f.Status == 0:
		return "a fault of the kind status needs a status"
	case f.Kind == faultDelay && f.Delay == 0:
		return "a fault of the kind delay needs a delay"
	case f.Kind == faultSlow && f.BytesPerSecond == 0:
		return "a fault of the kind slow needs bytes_per_second"
	}
	return ""
}

// Fault is a fault of a world.
type Fault struct {
	NewFault
	ID      int64 `json:"id"`
	Matched int   `json:"matched"`
	Applied int   `json:"applied"`

	paths   *regexp.Regexp
	answers map[string]*answer // for the kind stale: the last answers, by request
}

// faults holds the faults of a world.
type faults struct {
	mu   sync.Mutex
	all  []*Fault
	last int64
}

// add adds a fault and returns it.
func (f *faults) add(n NewFault) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	made := &Fault{NewFault: n, ID: f.last, paths: pattern(n.Path), answers: map[string]*answer{}}
	f.all = append(f.all, made)
	return *made
}

// list returns all faults.
func (f *faults) list() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Fault, len(f.all))
	for i, one := range f.all {
		all[i] = *one
	}
	return all
}

// remove removes a fault, and reports whether there was one.
func (f *faults) remove(id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := len(f.all)
	f.all = slices.DeleteFunc(f.all, func(one *Fault) bool { return one.ID == id })
	return len(f.all) < before
}

// clear removes all faults.
func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = nil
}

// plan is what happens to one request.
type plan struct {
	delay    float64 // seconds
	fault    *Fault  // the first fault that applies and is not a delay; nil if there is none
	repeat   *answer // for the kind stale
	remember []*Fault
	id       *int64 // the fault to name in the record
	faults   *faults
}

// plan decides which faults apply to a request, and counts them.
func (f *faults) plan(r *http.Request) plan {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := plan{faults: f}
	for _, one := range f.all {
		if one.usedUp() || !one.matches(r) {
			continue
		}
		var repeat *answer
		if one.Kind == faultStale {
			p.remember = append(p.remember, one)
			if repeat = one.answers[requestKey(r)]; repeat == nil {
				continue // the first request is answered as usual
			}
		}
		if one.Kind != faultDelay && p.fault != nil || !one.applies() {
			continue
		}
		if one.Kind != faultDelay {
			p.fault, p.repeat, p.id = one, repeat, &one.ID
			continue
		}
		p.delay += one.Delay
		if p.id == nil {
			p.id = &one.ID
		}
	}
	return p
}

// matches reports whether a fault is about a request.
func (f *Fault) matches(r *http.Request) bool {
	if f.Method != "" && !strings.EqualFold(f.Method, r.Method) || f.Kind == faultStale && r.Method != http.MethodGet {
		return false
	}
	return f.paths.MatchString(r.URL.EscapedPath())
}

// applies counts a request that matches, and reports whether it fails.
func (f *Fault) applies() bool {
	f.Matched++
	if f.Every > 1 && f.Matched%f.Every != 0 {
		return false
	}
	f.Applied++
	return true
}

// usedUp reports whether the fault has applied as often as it should.
func (f *Fault) usedUp() bool { return f.Count > 0 && f.Applied >= f.Count }

// maxAnswers is how many answers a fault of the kind stale keeps.
const maxAnswers = 100

// keep keeps the answer to a request for faults of the kind stale.
func (f *faults) keep(stale []*Fault, key string, kept *answer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range stale {
		if len(one.answers) >= maxAnswers {
			clear(one.answers)
		}
		one.answers[key] = kept
	}
}

// requestKey tells requests apart whose answers differ: by URL and credentials.
func requestKey(r *http.Request) string {
	key := r.URL.RequestURI()
	for _, name := range secretHeaders {
		key += "\n" + strings.Join(r.Header.Values(name), ",")
	}
	return key
}
