package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// DeliverJob is the job that delivers what waits for a hook, in order.
type DeliverJob struct {
	HookID int64 `json:"hook_id"`
}

// Kind returns the name of the job in the queue.
func (DeliverJob) Kind() string { return "deliver_hook" }

// DeliverSlowJob is DeliverJob for a hook whose last delivery failed or took long. Such hooks have their own workers, so
// that they never hold up the others.
type DeliverSlowJob struct {
	HookID int64 `json:"hook_id"`
}

// Kind returns the name of the job in the queue.
func (DeliverSlowJob) Kind() string { return "deliver_slow_hook" }

const (
	// leaseTime is for how long a process has a hook for itself. It is longer than renewAfter and one request.
	leaseTime  = 20 * time.Second
	renewAfter = 5 * time.Second
	// batch is how many deliveries are read at once, and flushAfter for how long results wait until they are written
	// together. A process that is killed makes the deliveries again whose results it had not written.
	batch      = 200
	flushAfter = 500 * time.Millisecond
	// turn is how long a job delivers to one hook, before others in the queue have their turn.
	turn = 30 * time.Second
)

// Deliver runs the job of a hook.
func (s *Service) Deliver(ctx context.Context, job DeliverJob) error {
	return s.deliver(ctx, job.HookID, false)
}

// DeliverSlow runs the job of a slow hook.
func (s *Service) DeliverSlow(ctx context.Context, job DeliverSlowJob) error {
	return s.deliver(ctx, job.HookID, true)
}

// deliver delivers what waits for a hook. One process at a time has the hook, so that the order is kept and nothing is
// delivered twice; if the process is killed, another one has it after some seconds.
func (s *Service) deliver(ctx context.Context, hookID int64, slow bool) error {
	for {
		h, leased, err := s.Store.Hooks.Lease(ctx, hookID, time.Now().Add(leaseTime))
		switch {
		case store.IsNotFound(err):
			return nil // deleted, with all that waited
		case err != nil:
			return err
		case !leased && h.LeasedUntil != nil:
			// That process may be dead. Leases count the system time.
			return s.Enqueue(ctx, hookID, h.Slow, clock.Now(ctx).Add(time.Until(*h.LeasedUntil)))
		case !leased:
			return s.Enqueue(ctx, hookID, h.Slow, clock.Now(ctx))
		}
		more, err := s.drain(ctx, h, slow)
		if errRelease := s.Store.Hooks.Release(context.WithoutCancel(ctx), hookID); err == nil {
			err = errRelease
		}
		if err != nil {
			return err
		}
		if more != nil {
			return s.Enqueue(ctx, hookID, more.Slow, time.Time{})
		}
		// A message that came after drain found nothing has queued a job, which may have met the lease.
		if rest, err := s.Store.HookDeliveries.Waiting(ctx, hookID, 0, 1); err != nil || len(rest) == 0 {
			return err
		}
	}
}

// drain delivers what waits until nothing does, or until the turn ends, or until the hook changes between slow and fast.
// In the last two cases it returns the hook, whose job must be queued again.
func (s *Service) drain(ctx context.Context, h model.Hook, slow bool) (more *model.Hook, err error) {
	open, err := s.Open(h)
	if err != nil {
		return nil, err
	}
	t := &turnOf{Service: s, hook: h, stored: h, secrets: open, renewed: time.Now()}
	defer func() { err = errors.Join(err, t.flush(context.WithoutCancel(ctx))) }()
	began := time.Now()
	for {
		if t.hook.State(clock.Now(ctx)) != model.HookExecutable {
			return nil, errors.Join(t.flush(ctx), s.Store.HookDeliveries.Drop(ctx, h.ID))
		}
		if time.Since(began) > turn || t.last > 0 && t.hook.Slow != slow {
			return &t.hook, nil
		}
		row, err := t.next(ctx)
		if err != nil || row == nil {
			return nil, err
		}
		if err := t.deliver(ctx, *row); err != nil {
			return nil, err
		}
	}
}

// complete builds the body of a message that has only facts. If that fails for another reason than the database, the
// message stays without a body: the same failure would come again, and would hold up everything after it.
func (s *Service) complete(ctx context.Context, row model.HookDeliveryRow) (model.HookMessage, error) {
	m := row.Message
	if m.Body == nil && row.HasBody {
		body, err := s.Store.HookDeliveries.Body(ctx, m.ID)
		m.Body = body
		return m, err
	}
	if m.Body != nil || m.Facts == nil {
		return m, nil
	}
	content, err := s.Bodies.FromFacts(ctx, m.TriggerName, *m.Facts)
	var unavailable *store.UnavailableError
	if errors.As(err, &unavailable) || ctx.Err() != nil {
		return m, err
	}
	var body []byte
	if err == nil {
		body, err = json.Marshal(content)
	}
	if err != nil {
		s.Logger.ErrorContext(ctx, "cannot build the body of a webhook delivery", "message", m.ID, "error", err)
		return m, nil
	}
	text := string(body)
	m.Body = &text
	return m, s.Store.HookDeliveries.SetBody(ctx, m.ID, text)
}

// SweepJob is the job that queues the jobs of hooks for which something waits, although no job is at work. That happens
// only if a job has failed for a very long time.
type SweepJob struct{}

// Kind returns the name of the job in the queue.
func (SweepJob) Kind() string { return "sweep_hooks" }

// sweepMost is how many hooks one run queues.
const sweepMost = 100

// Sweep runs the job.
func (s *Service) Sweep(ctx context.Context, _ SweepJob) error {
	hooks, err := s.Store.HookDeliveries.Idle(ctx, sweepMost)
	for _, h := range hooks {
		err = errors.Join(err, s.Enqueue(ctx, h.ID, h.Slow, time.Time{}))
	}
	return err
}
