package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFixturesWithMistakesStartNothing(t *testing.T) {
	t.Parallel()
	p := NewEmpty(t)
	file := filepath.Join(t.TempDir(), "fixtures.yaml")
	text := "version: 1\nusers:\n  - {username: ada, colour: blue}\nprojects:\n  - {path: eve/web}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0", "--fixtures", file}, {"fixtures", "check", file}} {
		out, err := Run(t, p, args...)
		if err == nil || !strings.Contains(out, file+`:3:21: users[0]: "colour" is not a member`) ||
			!strings.Contains(out, file+`:5:12: projects[0].path: no group or user is called "eve"`) {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	if files, err := os.ReadDir(p.Data); err == nil && len(files) > 0 {
		t.Errorf("it has made %v", files)
	}
	if out, err := Run(t, p, "serve", "--fixtures", file, "--seed", "1"); err == nil ||
		!strings.Contains(out, "a seed or with fixtures, not with both") {
		t.Errorf("with a seed: %v\n%s", err, out)
	}
	if out, err := Run(t, p, "fixtures", "schema"); err != nil || !strings.Contains(out, `"Fixtures of svc"`) {
		t.Errorf("the schema: %v\n%s", err, out)
	}
}

func TestAServiceBeginsWithItsFixtures(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "fixtures.yaml")
	text := "version: 1\nusers:\n  - {username: ada, tokens: [{name: tests}]}\n" +
		"projects:\n  - path: ada/web\n    commits: [{message: Begin, files: {README.md: hello}}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	place := Place{Data: filepath.Join(t.TempDir(), "unused")}
	s := Start(t, place, "SVC_EPHEMERAL=true", "SVC_FIXTURES="+file)
	s.WaitFor("1 users, 0 groups, 1 projects")
	_, rest, _ := strings.Cut(s.Output(), "\n  ada  ")
	token, _, _ := strings.Cut(rest, "\n")
	status, body, err := s.DoAs(t.Context(), token, "GET", "/api/v4/projects/ada%2Fweb/repository/files/README.md/raw", "")
	if status != 200 || body != "hello" {
		t.Errorf("the file: %d %s %v\n%s", status, body, err, s.Output())
	}
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		t.Errorf("%v\n%s", err, s.Output())
	}
}

func TestASeededServiceHasTheDocumentedTokens(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/test-data.md")
	if err != nil {
		t.Fatal(err)
	}
	unused := Place{Data: filepath.Join(t.TempDir(), "unused")}
	s := Start(t, unused, "SVC_EPHEMERAL=true", "SVC_SEED=1", "SVC_ROOT_TOKEN=", "SVC_ROOT_PASSWORD=")
	s.WaitFor("without a role")
	found := 0
	for _, line := range strings.Split(string(guide), "\n") {
		fields := strings.Split(line, "`")
		if len(fields) < 5 || !strings.HasPrefix(line, "| token of") {
			continue
		}
		found++
		status, body, err := s.DoAs(t.Context(), fields[3], "GET", "/api/v4/user", "")
		if status != 200 || !strings.Contains(body, `"username":"`+fields[1]+`"`) {
			t.Errorf("the token of %s: %d %s %v", fields[1], status, body, err)
		}
	}
	if found != 5 {
		t.Errorf("the guide has %d tokens", found)
	}
	_, rest, _ := strings.Cut(strings.ReplaceAll(string(guide), "\n", " "), "and the token `")
	token, _, _ := strings.Cut(rest, "`")
	if status, body, err := s.DoAs(t.Context(), token, "GET", "/api/v4/user", ""); status != 200 || !strings.Contains(body, `"root"`) {
		t.Errorf("the token of root: %d %s %v", status, body, err)
	}
	out, err := Run(t, Place{}, "snapshot", "--url", s.URL, "--token", "svcpat-nobody-has-this-token")
	if err == nil || !strings.Contains(out, "401") {
		t.Errorf("a snapshot without a token: %v\n%s", err, out)
	}
}
