package main

import (
	"context"
	"io"
	"os"

	"svc/server/platform/config"
)

// untilStdinEnds returns a context that ends with standard input, if the settings ask for that. A program that starts the
// service for its tests keeps the other end open. The system closes it when that program ends, even if it is killed.
func untilStdinEnds(ctx context.Context, cfg config.Config) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if cfg.StopWithStdin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // an error ends it, too
			cancel()
		}()
	}
	return ctx, cancel
}
