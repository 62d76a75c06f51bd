package archive

import (
	"context"
	"log/slog"
	"time"
)

// Records puts the records of one part of a group or project, such as its labels.
type Records = func(put func(record any) error) error

// heartbeat is how often a worker reports that it is alive.
const heartbeat = 5 * time.Second

// ReportProgress calls report every few seconds, until the returned function is called.
func ReportProgress(ctx context.Context, logger *slog.Logger, report func(ctx context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := report(ctx); err != nil && ctx.Err() == nil {
					logger.WarnContext(ctx, "cannot record the progress of an export or import", "error", err)
				}
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
