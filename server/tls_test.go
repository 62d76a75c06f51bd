package server

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/server/platform/keypair/keypairtest"
	"svc/tests/wait"
)

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

// replace puts a certificate in place of the one in a folder, as programs that renew certificates do.
func replace(t *testing.T, cfg config.Config, certificate, key []byte) {
	t.Helper()
	for path, text := range map[string][]byte{cfg.TLSCert: certificate, cfg.TLSKey: key} {
		if err := os.WriteFile(path+".new", text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReplacedCertificateFilesAreNoticedWithoutASignal(t *testing.T) {
	t.Parallel()
	folder, now := t.TempDir(), time.Now()
	cfg := config.Config{TLSCert: filepath.Join(folder, "cert.pem"), TLSKey: filepath.Join(folder, "key.pem")}
	issue := func(serial int64, until time.Duration) (certificate, key []byte) {
		return keypairtest.New(t, "git.example.com", serial, now.Add(-time.Hour), now.Add(until))
	}
	one, oneKey := issue(1, 100*time.Hour)
	replace(t, cfg, one, oneKey)
	log := &lines{}
	c := &certificate{
		live: config.NewLive(cfg), host: "git.example.com", every: time.Millisecond, logger: slog.New(slog.NewTextHandler(log, nil)),
	}
	if _, err := c.load(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { c.watch(ctx) })
	defer watching.Wait()
	defer cancel()
	serial := func() int64 { return c.current().Leaf.SerialNumber.Int64() }

	two, twoKey := issue(2, 101*time.Hour)
	replace(t, cfg, two, twoKey)
	wait.Until(t, "the second certificate is in force", func() bool { return serial() == 2 })
	wait.Until(t, "the log says so", func() bool { return log.count("read a new certificate of the service") > 0 })

	replace(t, cfg, []byte("broken"), []byte("broken"))
	wait.Until(t, "the log names the broken file", func() bool { return log.count("keeping the old one") > 0 })
	if serial() != 2 {
		t.Error("the broken file ended the certificate")
	}

	three, threeKey := issue(3, -time.Minute)
	replace(t, cfg, three, threeKey)
	wait.Until(t, "the log warns about the third certificate", func() bool { return log.count("the certificate has expired") > 0 })
	if serial() != 3 {
		t.Error(serial())
	}
}
