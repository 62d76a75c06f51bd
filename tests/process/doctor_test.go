package process

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// doctorReport is the output of svc doctor --json.
type doctorReport struct {
	ExitStatus int `json:"exit_status"`
	Checks     []struct {
		Name, Status, Note, Error string
		Findings                  []struct {
			Severity, Text, Repair, Fixed string
			Fixable                       bool
		}
	}
}

// texts returns the findings of a check, one line for each.
func (r doctorReport) texts(check string) string {
	var lines []string
	for _, c := range r.Checks {
		if c.Name != check {
			continue
		}
		for _, f := range c.Findings {
			lines = append(lines, f.Severity+": "+f.Text+" | "+f.Repair+" | "+f.Fixed)
		}
	}
	return strings.Join(lines, "\n")
}

// status returns the status of a check.
func (r doctorReport) status(check string) string {
	for _, c := range r.Checks {
		if c.Name == check {
			return c.Status
		}
	}
	return "not run"
}

// runOut runs the program and returns its standard output and its exit status.
func runOut(t testing.TB, p Place, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Svc(t), args...)
	cmd.Env = append(append(environment(), "SVC_DATA="+p.Data), p.Env...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// doctor runs svc doctor --json and checks its exit status.
func doctor(t testing.TB, p Place, status int, args ...string) doctorReport {
	t.Helper()
	out, got := runOut(t, p, append([]string{"doctor", "--json"}, args...)...)
	var r doctorReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || got != status || r.ExitStatus != status {
		t.Fatalf("exit status %d, want %d: %v\n%s", got, status, err, out)
	}
	return r
}

func TestDoctorFindsNothingWrongWithASoundInstance(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	var project struct{ ID int64 }
	s.ask("POST", "/api/v4/projects", `{"name":"web","initialize_with_readme":true}`, 201, &project)
	doctor(t, p, 0, "--url", s.URL)
	deep := doctor(t, p, 0, "--url", s.URL, "--deep")
	for _, name := range []string{"settings", "git", "database", "secret-key", "storages", "repositories", "orphans", "files", "lfs"} {
		if deep.status(name) != "ok" {
			t.Errorf("%s is %s: %s", name, deep.status(name), deep.texts(name))
		}
	}
	if r := doctor(t, p, 1, "--url", "http://127.0.0.1:1"); !strings.Contains(r.texts("connections"), "cannot be reached at its URL") {
		t.Errorf("connections: %s", r.texts("connections"))
	}
	s.stop()
	doctor(t, p, 0)
}

// oldFile writes a file that was last changed two days ago, and its folders.
func oldFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-48 * time.Hour)
	if err := errors.Join(os.Chtimes(path, old, old), os.Chtimes(filepath.Dir(path), old, old)); err != nil {
		t.Fatal(err)
	}
}

// removeFiles removes all files that match a pattern. There must be some.
func removeFiles(t testing.TB, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	for _, file := range files {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDoctorFindsWhatIsBrokenAndFixesWhatIsSafe(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	var project struct{ ID int64 }
	s.ask("POST", "/api/v4/projects", `{"name":"web","initialize_with_readme":true}`, 201, &project)
	s.ask("PUT", "/api/v4/projects/root%2Fweb/packages/generic/tool/1.0/file.txt", "content", 201, nil)
	s.stop()

	removeFiles(t, filepath.Join(p.Data, "repositories", "@hashed", "*", "*", "*.git", "objects", "*"))
	removeFiles(t, filepath.Join(p.Data, "blobs", "packages", "*"))
	name := strings.Repeat("ab", 32)
	orphan := filepath.Join(p.Data, "repositories", "@hashed", "ab", "ab", name+".git")
	oldFile(t, filepath.Join(orphan, "HEAD"), "ref: refs/heads/main\n")
	oldFile(t, filepath.Join(p.Data, "blobs", "uploads", "ab", "ab", name[:32]), "nobody refers to it")
	if err := os.Chmod(filepath.Join(p.Data, "secret.key"), 0o644); err != nil {
		t.Fatal(err)
	}

	r := doctor(t, p, 1)
	for check, want := range map[string][]string{
		"repositories": {"problem: the repository of the project root/web", "is broken", "git --git-dir"},
		"files":        {"file 1 of a package is lost", "nothing refers to 1 files of the kind uploads"},
		"orphans":      {"warning: the repository @hashed/ab/ab/" + name + ".git on the storage default belongs to no project"},
		"secret-key":   {"can read", "chmod 600"},
	} {
		for _, text := range want {
			if !strings.Contains(r.texts(check), text) {
				t.Errorf("%s has no %q:\n%s", check, text, r.texts(check))
			}
		}
	}

	fixed := doctor(t, p, 1, "--fix")
	for check, want := range map[string]string{
		"orphans": "moved it to", "files": "scheduled the removal of 1 files", "secret-key": "readable by its owner only",
	} {
		if !strings.Contains(fixed.texts(check), want) {
			t.Errorf("%s was not fixed:\n%s", check, fixed.texts(check))
		}
	}
	if _, err := os.Stat(filepath.Join(p.Data, "repositories", "@orphans", "@hashed", "ab", "ab", name+".git", "HEAD")); err != nil {
		t.Error(err)
	}
	again := doctor(t, p, 1, "--fix")
	if again.status("orphans") != "ok" || again.status("secret-key") != "ok" || strings.Contains(again.texts("files"), "nothing refers") {
		t.Errorf("%s\n%s\n%s", again.texts("orphans"), again.texts("secret-key"), again.texts("files"))
	}
}

func TestDoctorSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	if r := doctor(t, NewPlace(t), 1, "--tier", "gold"); r.status("settings") != "problem" || r.status("database") != "skipped" {
		t.Errorf("%+v", r)
	}
	if _, status := runOut(t, NewPlace(t), "doctor", "--only", "nonsense"); status != 2 {
		t.Errorf("an unknown check ends with %d", status)
	}
	p := NewEmpty(t)
	if r := doctor(t, p, 1); r.status("database") != "problem" || r.status("repositories") != "skipped" {
		t.Errorf("%+v", r)
	}
	s := Start(t, p)
	s.stop()
	key := filepath.Join(p.Data, "secret.key")
	if err := os.WriteFile(key, []byte(strings.Repeat("another key ", 4)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := doctor(t, p, 1, "--only", "secret-key,orphans")
	if !strings.Contains(r.texts("secret-key"), "is not the key that the secrets") || r.status("git") != "not run" ||
		r.status("storages") != "ok" {
		t.Errorf("%+v", r)
	}
	removeFiles(t, filepath.Join(p.Data, "repositories", "svc-instance"))
	if r := doctor(t, p, 1, "--only", "repositories"); !strings.Contains(r.texts("storages"), "svc admin adopt-storage default") {
		t.Errorf("%+v", r)
	}
}

func TestConfigCheckShowsMistakesAndSources(t *testing.T) {
	t.Parallel()
	p := Place{Data: "/srv/svc", Env: []string{"SVC_SECRET_KEY=" + SecretKey, "SVC_LISTN=x"}}
	out, err := Run(t, p, "config", "check", "--tier=free")
	for _, want := range []string{
		"data ", "/srv/svc", "SVC_DATA (environment)", "--tier", "(hidden)", "did you mean SVC_LISTEN?",
	} {
		if err != nil || !strings.Contains(out, want) || strings.Contains(out, SecretKey) {
			t.Errorf("no %q: %v\n%s", want, err, out)
		}
	}
	out, status := runOut(t, p, "config", "check", "--json", "--tier=gold", "--ssh-port=x")
	var report struct {
		Valid    bool
		Mistakes []string
		Settings []struct{ Key, Value, Source string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || status != 1 || report.Valid || len(report.Mistakes) != 2 ||
		len(report.Settings) < 50 {
		t.Errorf("%d %v %s", status, err, out)
	}
}
