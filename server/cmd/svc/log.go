package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"svc/server/platform/config"
)

const (
	logBuffer = 64 << 10
	logDelay  = 100 * time.Millisecond
)

// newLogger returns a logger for the configuration. Lines are collected and written together, at most a tenth of a
// second late, because a system call for each line would cost as much as a small request. Warnings and errors are
// written at once.
func newLogger(cfg config.Config, w io.Writer) (*slog.Logger, *logWriter) {
	lines := &logWriter{to: w}
	lines.setLevel(cfg)
	var handler slog.Handler = slog.NewTextHandler(lines, &slog.HandlerOptions{Level: &lines.level})
	if cfg.LogFormat == "json" {
		handler = slog.NewJSONHandler(lines, &slog.HandlerOptions{Level: &lines.level})
	}
	return slog.New(flushingHandler{Handler: handler, lines: lines}), lines
}

// logWriter collects lines.
type logWriter struct {
	mu    sync.Mutex
	to    io.Writer
	lines []byte
	due   bool // a flush is scheduled
	level slog.LevelVar
}

// setLevel sets the lowest level of messages, which may change while the service runs.
func (w *logWriter) setLevel(cfg config.Config) {
	w.level.UnmarshalText([]byte(cfg.LogLevel)) //nolint:errcheck // one of four words, checked with the settings
}

// Write adds a line.
func (w *logWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, line...)
	switch {
	case len(w.lines) > logBuffer:
		w.flush()
	case !w.due:
		w.due = true
		time.AfterFunc(logDelay, w.Flush)
	}
	return len(line), nil
}

// Flush writes the collected lines.
func (w *logWriter) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.due = false
	w.flush()
}

func (w *logWriter) flush() {
	if len(w.lines) == 0 {
		return
	}
	w.to.Write(w.lines) //nolint:errcheck // there is nowhere else to tell it
	w.lines = w.lines[:0]
}

// flushingHandler is a handler that flushes after warnings and errors.
type flushingHandler struct {
	slog.Handler
	lines *logWriter
}

// Handle logs a record.
func (p flushingHandler) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.lines.Flush()
	}
	return err
}

// WithAttrs returns a handler that flushes in the same way.
func (p flushingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return flushingHandler{Handler: p.Handler.WithAttrs(attrs), lines: p.lines}
}

// WithGroup returns a handler that flushes in the same way.
func (p flushingHandler) WithGroup(name string) slog.Handler {
	return flushingHandler{Handler: p.Handler.WithGroup(name), lines: p.lines}
}
