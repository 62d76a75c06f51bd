package api

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// history is a local repository, whose SHAs are the same in every run, and the project that it is pushed to.
type history struct {
	t       *testing.T
	folder  string
	project model.Project
	clock   int
}

// run runs git in the folder as Ann and returns its output without the last line break.
func (r *history) run(args ...string) string {
	r.t.Helper()
	return r.as("Ann", args...)
}

// as is like run, with another author and committer.
func (r *history) as(who string, args ...string) string {
	r.t.Helper()
	r.clock++
	mail := strings.ToLower(who) + "@example.com"
	when := fmt.Sprintf("%d +0200", 1700000000+60*r.clock)
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"HOME="+r.folder, "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME="+who, "GIT_AUTHOR_EMAIL="+mail, "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_NAME=Ann",
		"GIT_COMMITTER_EMAIL=ann@example.com", "GIT_COMMITTER_DATE="+when)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// write writes a file into the folder.
func (r *history) write(path, content string) {
	r.t.Helper()
	full := filepath.Join(r.folder, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// commit writes a file, commits all changes and returns the SHA.
func (r *history) commit(path, content, message string) string {
	r.t.Helper()
	r.write(path, content)
	r.run("add", "-A")
	r.run("commit", "-q", "-m", message)
	return r.run("rev-parse", "HEAD")
}

// push pushes refs to the project.
func (r *history) push(h *harness.H, by *harness.Caller, refs ...string) {
	r.t.Helper()
	u, _ := url.Parse(h.URL)
	u.User = url.UserPassword("oauth2", by.Token)
	u.Path = "/" + r.project.FullPath + ".git"
	r.run(append([]string{"push", "-q", u.String()}, refs...)...)
}

// lines returns the output of git, split at white space.
func (r *history) lines(args ...string) []string {
	r.t.Helper()
	return strings.Fields(r.run(args...))
}

// emptyHistory makes a local repository without commits for a project.
func emptyHistory(t *testing.T, p model.Project) *history {
	t.Helper()
	r := &history{t: t, folder: t.TempDir(), project: p}
	r.run("init", "-q", "-b", "main")
	return r
}

// oddHistory makes a repository that has a merge, a rename, a binary file, a file with an odd name, a message and an
// author in Latin 1, and trailers. Branches: main, topic (merged), open/work (not merged). Tags: v1.0 (annotated) and
// light.
func oddHistory(t *testing.T, p model.Project) *history {
	t.Helper()
	r := emptyHistory(t, p)
	r.commit("README.md", "hello\nworld\n", "First\n\nbody: not a trailer\nbut text\n")
	r.commit("src/a.txt", strings.Repeat("line\n", 40), "Add a")
	r.run("switch", "-q", "-c", "topic")
	r.commit("src/topic.txt", "topic\n", "Topic work\n\nWhy.\n\nReviewed-by: Bob <bob@example.com>\nReviewed-by: Cid\nChangelog: added\n")
	r.run("switch", "-q", "main")
	r.write("bin.dat", "\x00\x01\x02")
	r.write("odd \"name\"\t\u00e9.txt", "odd\n")
	r.run("add", "-A")
	r.as("Bob", "commit", "-q", "-m", "Binary")
	r.run("merge", "-q", "--no-ff", "-m", "Merge topic", "topic")
	r.run("mv", "src/a.txt", "src/b.txt")
	r.write("src/b.txt", strings.Repeat("line\n", 40)+"more\n")
	r.run("add", "-A")
	r.run("commit", "-q", "-m", "Rename a to b")
	r.run("tag", "-a", "-m", "Version 1\n\nwith text", "v1.0")
	r.write("src/b.txt", "short\n")
	r.run("add", "-A")
	r.run("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-m", "Caf\xe9")
	r.run("tag", "light")
	r.run("switch", "-q", "-c", "open/work", "main~2")
	r.commit("open.txt", "open\n", "Open work\n\nSigned-off-by: Ann <ann@example.com>\n")
	r.run("switch", "-q", "main")
	return r
}

// pushedHistory makes the project acme/web, to which a maintainer has pushed oddHistory.
func pushedHistory(t *testing.T, h *harness.H, v model.Visibility) (*history, *harness.Caller) {
	t.Helper()
	group := h.Group(at("acme"), seen(v))
	p := h.Project(group.ID, called("web", v))
	maintainer := h.ProjectMember(p, model.Maintainer)
	r := oddHistory(t, p)
	r.push(h, maintainer, "main", "topic", "open/work", "v1.0", "light")
	return r, maintainer
}
