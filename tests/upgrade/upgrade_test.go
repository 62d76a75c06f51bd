package upgrade

import (
	"database/sql"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"svc/store/storetest"
	"svc/tests/process"
)

// kept is the project that the requests write to.
const kept = "/projects/root%2Fkept"

// place unpacks the data of a version, and returns it with what that version answered.
func place(t *testing.T, version string) (process.Place, []answer) {
	t.Helper()
	archive := filepath.Join(version, archiveName())
	checkSize(t, archive)
	folder := unpack(t, archive)
	p := process.Place{Data: filepath.Join(folder, dataFolder)}
	if storetest.Postgres() {
		url := storetest.EmptyPostgres(t)
		load(t, url, filepath.Join(folder, dumpFile))
		p.Env = []string{"SVC_DATABASE_URL=" + url}
	}
	data, err := os.ReadFile(filepath.Join(folder, answersFile))
	if err != nil {
		t.Fatal(err)
	}
	var answers []answer
	if err := json.Unmarshal(data, &answers); err != nil || len(answers) < 100 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	return p, answers
}

// load runs the statements of a file.
func load(t *testing.T, url, path string) {
	t.Helper()
	statements, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), string(statements)); err != nil {
		t.Fatal(err)
	}
}

func TestDataOfEveryEarlierVersionIsServedAsBefore(t *testing.T) {
	t.Parallel()
	versions, err := filepath.Glob("testdata/*")
	if err != nil || len(versions) == 0 {
		t.Fatalf("there is no data: %v", err)
	}
	for _, version := range versions {
		t.Run(filepath.Base(version), func(t *testing.T) {
			t.Parallel()
			p, answers := place(t, version)
			s := process.Start(t, p)
			for _, before := range answers {
				for _, difference := range compare(before, ask(t, s, before.Path)) {
					t.Error(difference)
				}
			}
			checkWrites(t, s)
			checkClone(t, s)
			stop(t, s)
			again := process.Start(t, p) // with what the new version has written
			if got := ask(t, again, kept+"/issues?search=upgrade"); !strings.Contains(got.Body, "After the upgrade") {
				t.Errorf("the new issue: %d %s", got.Status, got.Body)
			}
		})
	}
}

// checkWrites changes what the earlier version has written.
func checkWrites(t *testing.T, s *process.Server) {
	t.Helper()
	for _, w := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", kept + "/issues", `{"title":"After the upgrade"}`, 201},
		{"POST", kept + "/issues/1/notes", `{"body":"It is mended."}`, 201},
		{"PUT", kept + "/issues/1", `{"state_event":"close"}`, 200},
		{"PUT", kept + "/merge_requests/1/merge", `{}`, 200},
		{"PUT", "/admin/ci/variables/KEPT", `{"value":"a value of this version"}`, 200},
		{"POST", kept + "/repository/files/new.md", `{"branch":"main","content":"New.\n","commit_message":"Add new"}`, 201},
		{"POST", kept + "/wikis", `{"title":"Second","content":"Page."}`, 201},
		{"POST", "/projects", `{"name":"after","initialize_with_readme":true}`, 201},
	} {
		status, body, err := s.Do(t.Context(), w.method, "/api/v4"+w.path, w.body)
		if err != nil || status != w.status {
			t.Errorf("%s %s: %d %s %v", w.method, w.path, status, body, err)
		}
	}
}

// checkClone clones the project that both versions have written to.
func checkClone(t *testing.T, s *process.Server) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "kept")
	url := strings.Replace(s.URL, "http://", "http://root:"+process.Token+"@", 1) + "/root/kept.git"
	if out, err := exec.CommandContext(t.Context(), "git", "clone", "--quiet", url, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{"notes/today.md": "Kept well.\n", "new.md": "New.\n"} {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != want {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "git", "-C", folder, "fsck", "--full").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// stop lets the service end.
func stop(t *testing.T, s *process.Server) {
	t.Helper()
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		t.Fatalf("%v\n%s", err, s.Output())
	}
}

// maxSize is how large an archive may be, so that the repository stays small.
const maxSize = 400 << 10

func checkSize(t *testing.T, path string) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Size() > maxSize {
		t.Errorf("%s is missing or larger than %d bytes: %v %v", path, maxSize, info, err)
	}
}
