package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"svc/store/storetest"
)

func TestTheSecretKeyIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	path := filepath.Join(p.Data, "secret.key")
	var first string
	for range 2 {
		s := Start(t, p)
		key, err := os.ReadFile(path)
		if err != nil || len(strings.TrimSpace(string(key))) < 32 || strings.Contains(s.Output(), strings.TrimSpace(string(key))) {
			t.Fatalf("the key is %q, %v\n%s", key, err, s.Output())
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if first != "" && first != string(key) {
			t.Error("another start has another key")
		}
		if storetest.Postgres() {
			s.WaitFor("SVC_SECRET_KEY")
		} else if strings.Contains(s.Output(), "SVC_SECRET_KEY") {
			t.Errorf("printed:\n%s", s.Output())
		}
		first = string(key)
		s.Signal(syscall.SIGTERM)
		if err := s.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte("cut off\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := Run(t, p, "serve", "--listen", "127.0.0.1:0"); err == nil ||
		!strings.Contains(out, "secret.key contains fewer than 32 characters") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestAConfiguredSecretKeyIsNotWrittenToDisk(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p, "SVC_SECRET_KEY="+strings.Repeat("k", 32))
	if files, err := filepath.Glob(filepath.Join(p.Data, "secret*")); err != nil || len(files) != 0 {
		t.Errorf("files are %v, %v", files, err)
	}
	if strings.Contains(s.Output(), "secret key") {
		t.Errorf("printed:\n%s", s.Output())
	}
	if out, err := Run(t, NewPlace(t), "serve", "--secret-key", "short"); err == nil || !strings.Contains(out, "at least 32 characters") {
		t.Errorf("%v: %s", err, out)
	}
}
