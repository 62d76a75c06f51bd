package worker

import (
	"context"
	"errors"
	"log/slog"
)

// warningHandler passes on only warnings and errors, because the queue logs every start and stop of its parts as information. It
// also drops reports of jobs that were cancelled because the service stops.
type warningHandler struct{ slog.Handler }

// Enabled drops records below a warning.
func (q warningHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// Handle drops records about work that was cancelled because the service stops.
func (q warningHandler) Handle(ctx context.Context, r slog.Record) error {
	stopped := false
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		stopped = stopped || (ok && errors.Is(err, context.Canceled)) || a.Value.String() == context.Canceled.Error()
		return !stopped
	})
	if stopped {
		return nil
	}
	return q.Handler.Handle(ctx, r)
}

// WithAttrs keeps the rule for derived loggers.
func (q warningHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warningHandler{q.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the rule for derived loggers.
func (q warningHandler) WithGroup(name string) slog.Handler {
	return warningHandler{q.Handler.WithGroup(name)}
}
