package harness

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
)

// History is a local repository, made with the git command.
type History struct {
	T   testing.TB
	Dir string
}

// NewHistory makes an empty repository whose first branch is main.
func NewHistory(t testing.TB) *History {
	t.Helper()
	r := &History{T: t, Dir: t.TempDir()}
	r.Git("init", "-q", "-b", "main")
	return r
}

// Git runs git and returns its output. The test fails if git fails.
func (r *History) Git(args ...string) string {
	r.T.Helper()
	return r.GitWith(nil, "", args...)
}

// GitWith is Git with additional environment variables and an input.
func (r *History) GitWith(env []string, input string, args ...string) string {
	r.T.Helper()
	cmd := exec.CommandContext(r.T.Context(), "git", append([]string{"-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"HOME="+r.Dir, "LC_ALL=C.UTF-8", "TZ=UTC",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin = strings.NewReader(input)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		r.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return out.String()
}

// Line is Git without white space around the output.
func (r *History) Line(args ...string) string {
	r.T.Helper()
	return strings.TrimSpace(r.Git(args...))
}

// Write writes a file into the repository folder.
func (r *History) Write(name, text string) {
	r.T.Helper()
	place := filepath.Join(r.Dir, name)
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		r.T.Fatal(err)
	}
	if err := os.WriteFile(place, []byte(text), 0o600); err != nil {
		r.T.Fatal(err)
	}
}

// Commit commits all files, with an author like «Ann <ann@example.com>», and returns the SHA.
func (r *History) Commit(author, message string) string {
	r.T.Helper()
	r.Git("add", "-A")
	r.Git("commit", "-q", "--allow-empty", "--author", author, "-m", message)
	return r.Line("rev-parse", "HEAD")
}

// Push pushes to a project as a caller; without refs it pushes all branches and tags.
func (r *History) Push(c *Caller, p model.Project, refs ...string) {
	r.T.Helper()
	to, err := url.Parse(c.h.URL)
	if err != nil {
		r.T.Fatal(err)
	}
	to.User, to.Path = url.UserPassword("oauth2", c.Token), "/"+p.FullPath+".git"
	if len(refs) == 0 {
		refs = []string{"+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"}
	}
	r.Git(append([]string{"push", "-q", to.String()}, refs...)...)
}
