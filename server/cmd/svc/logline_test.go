package main

import (
	"bytes"
	"log/slog"
	"testing"
	"time"

	"svc/server/platform/config"
)

func TestOrdinaryLinesAreThoseOfSlog(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 60070000, time.UTC)
	east := time.FixedZone("", 5400)
	records := []struct {
		name  string
		quick bool
		at    time.Time
		level slog.Level
		text  string
		attrs []slog.Attr
	}{
		{"a request", true, at, slog.LevelInfo, "request", []slog.Attr{
			slog.String("method", "GET"), slog.String("path", "/api/v4/users/1%2F2?x&<y>'"), slog.Int("status", 200),
			slog.Int64("bytes", -1),
			slog.Duration("took", 1234567), slog.String("ip", "::1"),
		}},
		{"another zone", true, at.In(east), slog.LevelInfo, "request", nil},
		{"whole seconds", true, at.Truncate(time.Second), slog.LevelInfo, "request", nil},
		{"with a monotonic clock", true, time.Now(), slog.LevelInfo, "request", nil},
		{"an early year", true, time.Date(17, 1, 2, 3, 4, 5, 0, time.UTC), slog.LevelInfo, "request", nil},
		{"a query", false, at, slog.LevelInfo, "request", []slog.Attr{slog.String("path", "/x?a=b")}},
		{"quotes", false, at, slog.LevelInfo, "request", []slog.Attr{slog.String("path", `/"\`)}},
		{"a new line", false, at, slog.LevelInfo, "request", []slog.Attr{slog.String("path", "/\nlevel=ERROR")}},
		{"not ASCII", false, at, slog.LevelInfo, "request", []slog.Attr{slog.String("user", "jörg\u2028")}},
		{"nothing", false, at, slog.LevelInfo, "request", []slog.Attr{slog.String("user", "")}},
		{"a sentence", false, at, slog.LevelInfo, "it is time", nil},
		{"an error", false, at, slog.LevelError, "failed", nil},
		{"no time", false, time.Time{}, slog.LevelInfo, "request", nil},
		{"another kind", false, at, slog.LevelInfo, "request", []slog.Attr{slog.Any("x", []int{1}), slog.Float64("y", 2)}},
		{"a group", false, at, slog.LevelInfo, "request", []slog.Attr{slog.Group("g", slog.Int("a", 1))}},
	}
	for _, format := range []string{"text", "json"} {
		for _, c := range records {
			record := slog.NewRecord(c.at, c.level, c.text, 0)
			record.AddAttrs(c.attrs...)
			var want, got bytes.Buffer
			var plain slog.Handler = slog.NewTextHandler(&want, nil)
			if format == "json" {
				plain = slog.NewJSONHandler(&want, nil)
			}
			logger, lines := newLogger(config.Config{LogFormat: format, LogLevel: "info"}, &got)
			for _, h := range []slog.Handler{plain, logger.Handler()} {
				if err := h.Handle(t.Context(), record); err != nil {
					t.Fatal(err)
				}
			}
			lines.Flush()
			if got.String() != want.String() {
				t.Errorf("%s, %s:\ngot  %swant %s", c.name, format, got.String(), want.String())
			}
			if _, quick := formatSimple(nil, record, format == "json"); quick != c.quick {
				t.Errorf("%s, %s: quick is %v", c.name, format, quick)
			}
		}
	}
}

func TestWhatALoggerAddsIsInItsLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	logger, lines := newLogger(config.Config{LogFormat: "text", LogLevel: "info"}, &out)
	logger.With("job", 7).Info("done")
	lines.Flush()
	if !bytes.Contains(out.Bytes(), []byte("level=INFO msg=done job=7\n")) {
		t.Errorf("the line is %s", out.String())
	}
}
