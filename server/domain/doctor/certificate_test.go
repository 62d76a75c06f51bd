package doctor_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"svc/server/domain/doctor"
	"svc/server/platform/keypair/keypairtest"
)

func TestAServiceThatAnswersOnlyInsideIsFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	running := func(o *doctor.Options) { o.Running, o.Only = true, []string{"connections"} }
	expect(t, s.run(running)["connections"], "problem", "nor at the address on which it listens: connection refused")
	inside := func(o *doctor.Options) {
		o.Config.Listen = "127.0.0.1:8080"
		o.Ask = func(context.Context, string) (int, string, error) { return 200, "svc OK\n", nil }
	}
	expect(t, s.run(running, inside)["connections"], "problem", "the service answers on 127.0.0.1:8080, but cannot be reached at its URL")
	another := func(o *doctor.Options) {
		o.Ask = func(context.Context, string) (int, string, error) { return 200, "Welcome to nginx!", nil }
	}
	expect(t, s.run(running, another)["connections"], "problem", "answered 200, not as this service does")
}

func TestTheCertificateIsChecked(t *testing.T) {
	t.Parallel()
	s, folder, now := newScene(t), t.TempDir(), time.Now()
	certificate, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	check := func(status, text string, change ...func(*doctor.Options)) {
		t.Helper()
		expect(t, s.run(append(change, func(o *doctor.Options) { o.Only = []string{"certificate"} })...)["certificate"], status, text)
	}
	write := func(until time.Duration) {
		t.Helper()
		public, private := keypairtest.New(t, "git.example.com", 1, now.Add(-60*24*time.Hour), now.Add(until))
		for path, text := range map[string][]byte{certificate: public, key: private} {
			if err := os.WriteFile(path, text, 0o640); err != nil {
				t.Fatal(err)
			}
		}
	}
	check("ok", "")
	files := func(o *doctor.Options) {
		o.Config.URL, o.Config.TLSCert, o.Config.TLSKey = "https://git.example.com", certificate, key
	}
	check("problem", "no such file", files)
	write(60 * 24 * time.Hour)
	check("ok", "", files)
	check("problem", "not for the host of the URL", files, func(o *doctor.Options) { o.Config.URL = "https://example.com" })
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	check("problem", "all users of this machine can read "+key, files)
	if err := os.Chmod(key, 0o640); err != nil {
		t.Fatal(err)
	}
	write(24 * time.Hour)
	check("problem", "the certificate expires soon", files)
	check("problem", "acme", func(o *doctor.Options) { o.Config.URL, o.Config.TLSACME = "https://git.example.com", true })
}
