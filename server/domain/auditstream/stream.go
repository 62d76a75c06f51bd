// Package auditstream delivers audit events to a file or to a URL, besides the database. An event that a transaction has
// written waits in the database until it has been delivered, so nothing is lost if the program is killed or the receiver is
// away. Events come at least once: an event whose delivery was not recorded before a kill comes again, with the same id.
//
//	stream.go  the stream: which events wait, and who delivers them
//	event.go   an event as JSON
//	file.go    delivery to a file
//	http.go    delivery to a URL
package auditstream

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"svc/store"
	"svc/store/model"
)

const (
	// leaseTime is for how long a process has a target for itself. It is longer than saveAfter and one request.
	leaseTime = 15 * time.Second
	batch     = 100
	// poll is how often a process looks for events that other processes have written, or left.
	poll = 2 * time.Second
	// saveAfter is how long deliveries may wait to be recorded.
	saveAfter = time.Second
	maxPause  = time.Minute
)

// target is where events are delivered.
type target interface {
	// deliver delivers events in order. It returns how many it has delivered, even if there is an error.
	deliver(ctx context.Context, events []model.AuditEvent) (int, error)
}

// Stream delivers audit events.
type Stream struct {
	store   *store.Store
	logger  *slog.Logger
	targets map[string]target
	wake    map[string]chan struct{}
	counts  map[string]*Counts
}

// Counts is what this process has delivered to a target.
type Counts struct{ Delivered, Failures atomic.Int64 }

// Options configures a stream. Without a file and a URL there is nothing to deliver.
type Options struct {
	Store  *store.Store
	Logger *slog.Logger
	File   string // file to which events are appended
	HTTP   *HTTP  // where events are posted; nil for nowhere
}

// The names of the targets.
const (
	fileTarget = "file"
	httpTarget = "http"
)

// Targets returns the names of the targets for a file and a URL, either of which may be empty.
func Targets(file, url string) []string {
	var names []string
	if file != "" {
		names = append(names, fileTarget)
	}
	if url != "" {
		names = append(names, httpTarget)
	}
	return names
}

// New returns a stream, or nil if there is no target. From now on, audit events wait for the targets. It fails if the file
// cannot be written to.
func New(o Options) (*Stream, error) {
	s := &Stream{
		store: o.Store, logger: o.Logger, targets: map[string]target{}, wake: map[string]chan struct{}{}, counts: map[string]*Counts{},
	}
	if o.File != "" {
		if err := (file{o.File}).check(); err != nil {
			return nil, err
		}
		s.add(fileTarget, file{o.File})
	}
	if o.HTTP != nil {
		s.add(httpTarget, o.HTTP)
	}
	if len(s.targets) == 0 {
		return nil, nil
	}
	names := make([]string, 0, len(s.targets))
	for name := range s.targets {
		names = append(names, name)
	}
	o.Store.AuditStreams.Begin(names, s.notify)
	return s, nil
}

func (s *Stream) add(name string, t target) {
	s.targets[name], s.wake[name], s.counts[name] = t, make(chan struct{}, 1), &Counts{}
}

// notify wakes the deliveries.
func (s *Stream) notify() {
	for _, wake := range s.wake {
		select {
		case wake <- struct{}{}:
		default: // it is awake already
		}
	}
}

// Counts returns what this process has delivered, by target.
func (s *Stream) Counts() map[string]*Counts {
	if s == nil {
		return nil
	}
	return s.counts
}

// Run delivers events until the context ends. A target that is away does not hold up the other one.
func (s *Stream) Run(ctx context.Context) {
	var all sync.WaitGroup
	for name := range s.targets {
		all.Go(func() { s.runTarget(ctx, name) })
	}
	all.Wait()
}

func (s *Stream) runTarget(ctx context.Context, name string) {
	counts := s.counts[name]
	for failures := 0; ctx.Err() == nil; {
		before := counts.Delivered.Load()
		err := s.Deliver(ctx, name)
		if err == nil || counts.Delivered.Load() > before {
			failures = 0
		}
		pause, wake := poll, s.wake[name]
		if err != nil && ctx.Err() == nil {
			pause, wake = min(time.Second<<min(failures, 10), maxPause), nil // a new event does not shorten the pause
			failures++
			counts.Failures.Add(1)
			s.logger.WarnContext(ctx, "cannot deliver audit events; they wait", "target", name, "error", err, "again_in", pause.String())
		}
		select {
		case <-ctx.Done():
		case <-wake:
		case <-time.After(pause):
		}
	}
}

// Deliver delivers everything that waits for a target, unless another process does that.
func (s *Stream) Deliver(ctx context.Context, name string) error {
	if found, err := s.store.AuditStreams.Any(ctx, name); err != nil || !found {
		return err
	}
	leased, err := s.store.AuditStreams.Lease(ctx, name, time.Now().Add(leaseTime), false)
	if err != nil || !leased {
		return err
	}
	defer func() {
		if err := s.store.AuditStreams.Release(context.WithoutCancel(ctx), name); err != nil {
			s.logger.WarnContext(ctx, "audit events wait until the lease of their stream ends", "target", name, "error", err)
		}
	}()
	for ctx.Err() == nil {
		events, err := s.store.AuditStreams.Waiting(ctx, name, batch)
		if err != nil || len(events) == 0 {
			return err
		}
		if err := s.deliverBatch(ctx, name, events); err != nil {
			return err
		}
	}
	return nil
}

// deliverBatch delivers some events, and records the delivered ones at least once a second.
func (s *Stream) deliverBatch(ctx context.Context, name string, events []model.AuditEvent) error {
	for len(events) > 0 {
		if _, err := s.store.AuditStreams.Lease(ctx, name, time.Now().Add(leaseTime), true); err != nil {
			return err
		}
		n, err := s.deliverSome(ctx, name, events)
		saved := s.store.AuditStreams.Delivered(context.WithoutCancel(ctx), name, events[:n])
		s.counts[name].Delivered.Add(int64(n))
		if err == nil {
			err = saved
		}
		if err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

// deliverSome delivers events for a second, at least one.
func (s *Stream) deliverSome(ctx context.Context, name string, events []model.AuditEvent) (int, error) {
	began, done := time.Now(), 0
	for done < len(events) {
		n, err := s.targets[name].deliver(ctx, events[done:])
		done += n
		if err != nil || time.Since(began) > saveAfter {
			return done, err
		}
	}
	return done, nil
}
