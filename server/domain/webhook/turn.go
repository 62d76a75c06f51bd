package webhook

import (
	"context"
	"errors"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// turnOf is the turn in which a process delivers to a hook. Deliveries are read and their results are written several at
// a time, because a statement costs more than a request.
type turnOf struct {
	*Service
	hook    model.Hook // its current state
	stored  model.Hook // its state in the database
	secrets Secrets
	renewed time.Time // when the lease was renewed

	rows  []model.HookDeliveryRow // read, but not delivered
	last  int64                   // the last delivery that was made
	done  []model.HookDelivery    // whose results are not written
	since time.Time               // when the first of done was made
}

// next returns the next delivery, or nil if nothing waits. It renews the lease in time.
func (t *turnOf) next(ctx context.Context) (*model.HookDeliveryRow, error) {
	if time.Since(t.renewed) > renewAfter {
		if err := t.Store.Hooks.Renew(ctx, t.hook.ID, time.Now().Add(leaseTime)); err != nil {
			return nil, err
		}
		t.renewed = time.Now()
	}
	if len(t.rows) == 0 {
		if err := t.flush(ctx); err != nil {
			return nil, err
		}
		var err error
		if t.rows, err = t.Store.HookDeliveries.Waiting(ctx, t.hook.ID, t.last, batch); err != nil || len(t.rows) == 0 {
			return nil, err
		}
	}
	row := t.rows[0]
	t.rows = t.rows[1:]
	return &row, nil
}

// deliver makes a delivery.
func (t *turnOf) deliver(ctx context.Context, row model.HookDeliveryRow) error {
	message, err := t.complete(ctx, row)
	if err != nil {
		return err
	}
	if err := t.pace.wait(ctx); err != nil {
		return err
	}
	made, err := t.send(ctx, t.hook, t.secrets, message, row.HookDelivery)
	if err != nil {
		return err
	}
	t.logBlocked(ctx, t.hook, made.err)
	t.last = row.ID
	if !errors.Is(made.err, errNoBody) { // that is not a failure of the receiver
		t.hook = next(t.hook, made, clock.Now(ctx))
	}
	if len(t.done) == 0 {
		t.since = time.Now()
	}
	if t.done = append(t.done, made.delivery); time.Since(t.since) > flushAfter {
		return t.flush(ctx)
	}
	return nil
}

// flush writes the results of deliveries, and the state of the hook if it has changed.
func (t *turnOf) flush(ctx context.Context) error {
	if len(t.done) == 0 {
		return nil
	}
	err := t.Store.Tx(ctx, func(ctx context.Context) error {
		if err := t.Store.HookDeliveries.Finish(ctx, t.done); err != nil {
			return err
		}
		return t.saveState(ctx, t.stored, t.hook)
	})
	if store.IsGone(err) {
		err = nil // the hook was deleted, with its deliveries
	}
	if err == nil {
		t.done, t.stored = nil, t.hook
	}
	return err
}
