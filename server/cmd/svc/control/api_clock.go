package control

import (
	"net/http"
	"time"

	"svc/store/clock"
)

// shownClock is the clock of a world as the control plane shows it.
type shownClock struct {
	Now    time.Time `json:"now"`
	Ahead  float64   `json:"ahead"`
	Frozen bool      `json:"frozen"`
}

// showClock returns the clock of a world.
func (w *World) showClock() shownClock {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.clock.Now()
	ahead := time.Until(now).Round(time.Millisecond).Seconds()
	return shownClock{Now: now.UTC(), Ahead: ahead, Frozen: w.frozen}
}

// getClock shows the clock of a world.
// GET /worlds/{world}/clock
func getClock(w *World, _ *http.Request) (int, any) { return http.StatusOK, w.showClock() }

// moveClock moves the clock of a world, and runs what is due by then.
// PUT /worlds/{world}/clock
func moveClock(w *World, r *http.Request) (int, any) {
	var asked struct {
		Now     *time.Time `json:"now"`
		Forward *float64   `json:"forward"`
		Frozen  *bool      `json:"frozen"`
		Timeout *float64   `json:"timeout"`
	}
	if err := readBody(r, &asked); err != nil {
		return http.StatusBadRequest, mistake{err.Error()}
	}
	switch {
	case asked.Now != nil && asked.Forward != nil:
		return http.StatusBadRequest, mistake{"the clock is set to now or moved forward, not both"}
	case asked.Now == nil && asked.Forward == nil && asked.Frozen == nil:
		return http.StatusBadRequest, mistake{"now, forward or frozen is missing"}
	}
	return w.changeClock(r, asked.Timeout, func(c *clock.Clock) (to *time.Time) {
		w.freeze(c, asked.Frozen)
		switch {
		case asked.Now != nil:
			to = asked.Now
		case asked.Forward != nil:
			at := c.Now().Add(seconds(*asked.Forward))
			to = &at
		}
		return to
	})
}

// resetClock lets the clock of a world show the real time again.
// DELETE /worlds/{world}/clock
func resetClock(w *World, r *http.Request) (int, any) {
	return w.changeClock(r, nil, func(c *clock.Clock) *time.Time {
		running := false
		w.freeze(c, &running)
		now := time.Now()
		return &now
	})
}

// freeze stops the clock or lets it run again; nil changes nothing.
func (w *World) freeze(c *clock.Clock, frozen *bool) {
	if frozen == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if *frozen {
		c.Freeze()
	} else {
		c.Resume()
	}
	w.frozen = *frozen
}

// changeClock opens the world and moves its clock to the time that change returns; nil does not move it.
func (w *World) changeClock(r *http.Request, limit *float64, change func(c *clock.Clock) *time.Time) (int, any) {
	live, leave, err := w.enter()
	if err != nil {
		return http.StatusNotFound, mistake{err.Error()}
	}
	defer leave()
	ctx, cancel := within(r.Context(), limit)
	defer cancel()
	if to := change(live.store.Clock()); to != nil {
		if err = live.server.MoveClock(ctx, *to); err == nil {
			err = live.server.Worker.Settle(ctx)
		}
	}
	switch {
	case ctx.Err() != nil:
		return http.StatusGatewayTimeout, mistake{"the clock was moved, but jobs are still waiting or running"}
	case err != nil:
		return http.StatusInternalServerError, mistake{err.Error()}
	}
	return http.StatusOK, w.showClock()
}
