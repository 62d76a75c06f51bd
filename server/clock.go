package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"svc/store/clock"
)

// MoveClock makes the clock of the service show another time, earlier or later, and then does what is due by that time:
// background jobs that waited for it run, if the worker was started, and every periodic job runs once, such as those that
// start scheduled pipelines and delete expired rows. MoveClock returns when all of these have ended. Jobs that they queue
// run afterwards. The store must have been opened with a clock.
func (s *Server) MoveClock(ctx context.Context, to time.Time) error {
	c := s.store.Clock()
	if c == nil {
		return errors.New("the service runs by the system time")
	}
	if err := s.Worker.Shift(ctx, c.Set(to)); err != nil {
		return err
	}
	return s.RunDue(ctx)
}

// RunDue runs every periodic job once, now, and returns when all have ended.
func (s *Server) RunDue(ctx context.Context) error {
	return s.Worker.RunPeriodic(clock.With(ctx, s.store.Clock()))
}

// withClock gives a clock to the contexts of requests. A nil clock changes nothing.
func withClock(c *clock.Clock, next http.Handler) http.Handler {
	if c == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(clock.With(r.Context(), c)))
	})
}
