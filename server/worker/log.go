package worker

import (
	"context"
	"log/slog"
)

// quiet passes only warnings on: the queue tells every start and stop of its parts as information.
type quiet struct{ slog.Handler }

// Enabled drops what is less than a warning.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// WithAttrs keeps the rule for derived loggers.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

// WithGroup keeps the rule for derived loggers.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
