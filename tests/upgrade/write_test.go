//go:build upgradedata

package upgrade

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"svc/store/storetest"
	"svc/tests/process"
)

// written are requests that add what demonstration data lacks: an encrypted value, and things that are in repositories of
// their own.
var written = []struct{ method, path, body string }{
	{"POST", "/admin/ci/variables", `{"key":"KEPT","value":"a value of an earlier version"}`},
	{"POST", "/projects", `{"name":"kept","description":"Written by an earlier version.","initialize_with_readme":true}`},
	{"POST", kept + "/repository/files/notes%2Ftoday.md", `{"branch":"main","content":"Kept.\n","commit_message":"Add notes"}`},
	{"POST", kept + "/repository/branches", `{"branch":"topic","ref":"main"}`},
	{"PUT", kept + "/repository/files/notes%2Ftoday.md", `{"branch":"topic","content":"Kept well.\n","commit_message":"Change notes"}`},
	{"POST", kept + "/merge_requests", `{"source_branch":"topic","target_branch":"main","title":"Change the notes"}`},
	{"POST", kept + "/issues", `{"title":"The roof leaks","labels":"urgent","description":"It rains."}`},
	{"POST", kept + "/issues/1/notes", `{"body":"It still does."}`},
	{"POST", kept + "/wikis", `{"title":"Home","content":"Welcome."}`},
	{"POST", kept + "/hooks", `{"url":"https://198.51.100.7/kept","token":"a-token","issues_events":false,"push_events":false}`},
	{"POST", kept + "/variables", `{"key":"TARGET","value":"production"}`},
	{"POST", kept + "/repository/tags", `{"tag_name":"v1.0.0","ref":"main","message":"The first"}`},
	{"POST", kept + "/releases", `{"tag_name":"v1.0.0","name":"First","description":"It works."}`},
	{"POST", "/snippets", `{"title":"Kept","visibility":"private","files":[{"file_path":"a.txt","content":"Kept."}]}`},
}

// make upgrade-data calls this test to keep data of this version.
func TestDataOfThisVersionIsKept(t *testing.T) {
	name := os.Getenv("SVC_UPGRADE_DATA")
	if !regexp.MustCompile(`\A[0-9][0-9A-Za-z.-]*\z`).MatchString(name) {
		t.Fatalf("%q cannot be the name of a version", name)
	}
	folder := t.TempDir()
	p := process.NewPlace(t)
	p.Data = filepath.Join(folder, dataFolder)
	s := process.Start(t, p)
	if out, err := process.Run(t, p, "admin", "seed", "--seed", "1", "--users", "9", "--groups", "4", "--projects", "5"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, w := range written {
		if status, body, err := s.Do(t.Context(), w.method, "/api/v4"+w.path, w.body); err != nil || status/100 != 2 {
			t.Fatalf("%s %s: %d %s %v", w.method, w.path, status, body, err)
		}
	}
	stop(t, s) // background work is done
	s = process.Start(t, p)
	answers, err := json.Marshal(readAll(t, s))
	if err != nil {
		t.Fatal(err)
	}
	stop(t, s)
	if err := os.WriteFile(filepath.Join(folder, answersFile), answers, 0o600); err != nil {
		t.Fatal(err)
	}
	if storetest.Postgres() {
		dump(t, strings.TrimPrefix(p.Env[0], "SVC_DATABASE_URL="), filepath.Join(folder, dumpFile))
	}
	to := filepath.Join("testdata", name)
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	pack(t, folder, filepath.Join(to, archiveName()))
	checkSize(t, filepath.Join(to, archiveName()))
}

// dump writes the statements that fill an empty database, without commands for psql.
func dump(t *testing.T, url, to string) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "pg_dump", "--rows-per-insert=500", "--no-owner",
		"--no-privileges", "--no-comments", "--dbname="+url)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, `\`) {
			b.WriteString(line)
		}
	}
	if err := os.WriteFile(to, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
