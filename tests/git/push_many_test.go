package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/tests/harness"
)

// imported creates a bare repository from the input of git fast-import.
func imported(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	must(t, folder, "init", "-q", "--bare", "-b", "main")
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin, cmd.Env = folder, strings.NewReader(text),
		append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// hasRefs checks that a project has all refs of a repository.
func hasRefs(t *testing.T, from, ours string) {
	t.Helper()
	here := must(t, from, "for-each-ref", "--format=%(objectname)\t%(refname)")
	there := must(t, from, "ls-remote", ours, "refs/*")
	if here != there {
		t.Errorf("%d refs are pushed, and %d are there", strings.Count(here, "\n"), strings.Count(there, "\n"))
	}
}

// This is the largest push that the limit allows; body_test.go has one that exceeds it. The test uses SSH, because git
// itself takes minutes to compare so many refs with each other when it pushes over HTTP.
func TestAPushOfAsManyRefsAsTheLimitIsAccepted(t *testing.T) {
	t.Parallel()
	from := newRepository(t)
	refs, tip := []byte("# pack-refs with: sorted\n"), strings.TrimSpace(must(t, from, "rev-parse", "main"))
	for i := range 9999 {
		refs = fmt.Appendf(refs, "%s refs/heads/b%04d\n", tip, i)
	}
	if err := os.WriteFile(filepath.Join(from, ".git", "packed-refs"), refs, 0o600); err != nil {
		t.Fatal(err)
	}
	h, address := newSSHServer(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	key := sshKey(t, ann, "")
	began := time.Now()
	must(t, from, "-c", "core.sshCommand="+sshCommand(key), "push", "-q", "--mirror", "ssh://git@"+address+"/"+p.FullPath+".git")
	if took := time.Since(began); took > 2*time.Minute { // alone it takes 9 seconds; other tests share the cores
		t.Errorf("the push took %s", took)
	}
	hasRefs(t, from, remote(h, "oauth2", ann.Token, p.FullPath))
	if got := ann.Send("GET", fmt.Sprintf("/projects/%d/repository/branches/b9998", p.ID), ""); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// One push brings a mirror with a long history and many files.
func TestAMirrorOfManyFilesAndCommitsIsPushed(t *testing.T) {
	t.Parallel()
	const commits, each = 5000, 4
	var text strings.Builder
	for i := range commits {
		fmt.Fprintf(&text, "commit refs/heads/main\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 0\n", i+1, 1700000000+i)
		for j := range each {
			fmt.Fprintf(&text, "M 100644 inline d%d/e%d/f%d\ndata 6\n%06d\n", i/200, i/10%20, i*each+j, i*each+j)
		}
	}
	fmt.Fprintf(&text, "reset refs/tags/v1\nfrom :%d\n\n", commits/2)
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	ours := remote(h, "oauth2", ann.Token, p.FullPath)
	from := imported(t, text.String())
	must(t, from, "push", "-q", "--mirror", ours)
	hasRefs(t, from, ours)
	last := fmt.Sprintf("/projects/%d/repository/files/d24%%2Fe19%%2Ff19999/raw?ref=main", p.ID)
	if got := ann.Send("GET", last, ""); got.Status != 200 || got.Body != "019999" {
		t.Errorf("the last file: %d %s", got.Status, got.Body)
	}
	again := t.TempDir()
	must(t, again, "clone", "-q", "--mirror", ours, ".")
	if got := strings.TrimSpace(must(t, again, "rev-list", "--count", "main")); got != fmt.Sprint(commits) {
		t.Errorf("%s commits come back", got)
	}
}
