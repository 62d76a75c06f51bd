package observe

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"time"
)

// Kind says on which side of a call a span is. The numbers are those of OTLP.
type Kind int

// The kinds of spans.
const (
	Internal Kind = 1 // inside this process, or a program that it starts
	Server   Kind = 2 // a request that this process answers
	Client   Kind = 3 // a request that this process makes
	Consumer Kind = 5 // a job of the queue
)

// Span is a timed part of a trace. One goroutine at a time may use it. Methods of a nil Span do nothing.
type Span struct {
	Trace      [16]byte
	ID         [8]byte
	Parent     [8]byte // zero for the first span of a trace
	Name       string
	Kind       Kind
	Start, End time.Time
	Attributes []Attribute
	Failed     bool
	Message    string // why it failed
	sink       Sink
}

// Attribute is a fact about a span: a text or a number.
type Attribute struct {
	Key      string
	Text     string
	Number   int64
	IsNumber bool
}

// Sink takes spans that have ended. It must not wait.
type Sink interface{ Add(s Span) }

// Tracer begins the traces of requests and jobs. A nil Tracer begins none.
type Tracer struct {
	sink  Sink
	below uint64 // traces with a smaller number are recorded
}

// NewTracer returns a tracer that records a share of all traces, from 0 to 1. The share follows from the id of the trace,
// so several processes that see the same trace decide alike.
func NewTracer(sink Sink, share float64) *Tracer {
	t := &Tracer{sink: sink}
	switch {
	case share >= 1:
		t.below = math.MaxUint64
	case share > 0:
		t.below = uint64(share * math.MaxUint64)
	}
	return t
}

// Begin begins the span of a request or a job, unless it is not to be recorded. A caller that says that it does not record
// its own span is followed. A caller that does record it cannot raise the share.
func (t *Tracer) Begin(w *Work, name string, kind Kind, parent Parent) {
	if t == nil || w == nil {
		return
	}
	if parent.IsZero() {
		parent = Parent{Sampled: true}
		binary.BigEndian.PutUint64(parent.Trace[:8], randomID())
		binary.BigEndian.PutUint64(parent.Trace[8:], randomID())
	}
	if !parent.Sampled || t.below == 0 || binary.BigEndian.Uint64(parent.Trace[8:]) > t.below {
		return
	}
	w.span = &Span{Trace: parent.Trace, Parent: parent.Span, Name: name, Kind: kind, Start: time.Now(), sink: t.sink}
	binary.BigEndian.PutUint64(w.span.ID[:], randomID())
}

// randomID returns a number that is not 0. Ids of spans need not be secret.
func randomID() uint64 {
	for {
		if id := rand.Uint64(); id != 0 { //nolint:gosec // nobody gains by guessing it
			return id
		}
	}
}

// Start begins a span inside the span of the context's work. It returns nil if that is not traced.
func Start(ctx context.Context, name string, kind Kind) *Span {
	parent := Of(ctx).Span()
	if parent == nil {
		return nil
	}
	s := &Span{Trace: parent.Trace, Parent: parent.ID, Name: name, Kind: kind, Start: time.Now(), sink: parent.sink}
	binary.BigEndian.PutUint64(s.ID[:], randomID())
	return s
}

// SetText adds a text. An empty one is left out.
func (s *Span) SetText(key, value string) {
	if s != nil && value != "" {
		s.Attributes = append(s.Attributes, Attribute{Key: key, Text: value})
	}
}

// SetNumber adds a number.
func (s *Span) SetNumber(key string, value int64) {
	if s != nil {
		s.Attributes = append(s.Attributes, Attribute{Key: key, Number: value, IsNumber: true})
	}
}

// SetCost adds what the work of a request or a job has cost.
func (s *Span) SetCost(c Cost) {
	if s == nil {
		return
	}
	s.SetNumber("svc.statements", c.Statements)
	s.SetNumber("svc.statement_time_us", c.StatementTime.Microseconds())
	s.SetNumber("svc.git_processes", c.GitProcesses)
	s.SetNumber("svc.git_time_us", c.GitTime.Microseconds())
	s.SetNumber("svc.wait_time_us", c.WaitTime.Microseconds())
}

// Fail marks the span as failed. The message must not have secrets.
func (s *Span) Fail(message string) {
	if s != nil {
		s.Failed, s.Message = true, message
	}
}

// Finish ends the span and passes it on.
func (s *Span) Finish() {
	if s == nil {
		return
	}
	s.End = time.Now()
	s.sink.Add(*s)
}

// AsParent returns the span as the parent of spans in other programs.
func (s *Span) AsParent() Parent {
	if s == nil {
		return Parent{}
	}
	return Parent{Trace: s.Trace, Span: s.ID, Sampled: true}
}
