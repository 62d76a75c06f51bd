package main

import (
	"bytes"
	"testing"

	"svc/server/platform/config"
)

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
