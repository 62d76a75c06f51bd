package process

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

func TestAnEphemeralServerLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	place := Place{Data: filepath.Join(t.TempDir(), "unused")} // an ephemeral server has a database of its own
	s := Start(t, place, "SVC_EPHEMERAL=true", "SVC_SEED=7")
	s.WaitFor("without a role")
	folder := regexp.MustCompile(`on SQLite in (\S+), which is deleted at the end`).FindStringSubmatch(s.Output())
	if folder == nil {
		t.Fatalf("printed:\n%s", s.Output())
	}
	if _, err := os.Stat(filepath.Join(folder[1], "svc.db")); err != nil {
		t.Errorf("the folder that it names: %v", err)
	}
	status, body, err := s.Do(t.Context(), "GET", "/api/v4/projects?per_page=100", "")
	if status != 200 || strings.Count(body, `"path_with_namespace"`) != 36 {
		t.Errorf("its projects: %d %v %d", status, err, strings.Count(body, `"path_with_namespace"`))
	}
	token := regexp.MustCompile(`eve +(\S+) +guest`).FindStringSubmatch(s.Output())
	if token == nil {
		t.Fatalf("printed:\n%s", s.Output())
	}
	if status, body, err := s.DoAs(t.Context(), token[1], "GET", "/api/v4/user", ""); status != 200 ||
		!strings.Contains(body, `"username":"eve"`) {
		t.Errorf("the printed token: %d %s %v", status, body, err)
	}
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		t.Errorf("%v\n%s", err, s.Output())
	}
	for _, path := range []string{folder[1], place.Data} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there (%v)", path, err)
		}
	}
}

func TestDemonstrationDataIsCreatedOnce(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	if out, err := Run(t, p, "admin", "seed"); err == nil ||
		!strings.Contains(out, "there is no instance") && !strings.Contains(out, "no administrator yet") {
		t.Errorf("without an instance: %v\n%s", err, out)
	}
	if files, err := os.ReadDir(p.Data); err == nil {
		t.Errorf("it has made %v", files)
	}
	Start(t, p)
	out, err := Run(t, p, "admin", "seed", "--seed", "3", "--users", "9", "--groups", "4", "--projects", "5")
	if err != nil || !strings.Contains(out, "9 users, 4 groups, 5 projects") || !regexp.MustCompile(`ada +svcpat-\S+`).MatchString(out) {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err = Run(t, p, "admin", "seed"); err == nil || !strings.Contains(out, "already has users") {
		t.Errorf("the second time: %v\n%s", err, out)
	}
	if out, err = Run(t, p, "admin", "seed", "ada"); err == nil || !strings.Contains(out, "takes no argument") {
		t.Errorf("with a username: %v\n%s", err, out)
	}
	if out, err = Run(t, p, "serve", "--ephemeral", "--database-url", "postgres://x"); err == nil ||
		!strings.Contains(out, "--ephemeral: an ephemeral instance has its own database") {
		t.Errorf("ephemeral on PostgreSQL: %v\n%s", err, out)
	}
}
