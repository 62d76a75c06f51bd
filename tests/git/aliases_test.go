package git

import (
	"fmt"
	"path/filepath"
	"testing"
)

// A project is cloned and pushed to by its alias, over HTTP and SSH, by the users who have access by its path.
func TestGitFindsAProjectByItsAlias(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	ann, outsider := h.NewUser(), h.NewUser()
	key, other := sshKey(t, ann, ""), sshKey(t, outsider, "")
	if made := ann.JSON("POST", "/projects", `{"name":"p"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, ann.User.Username+"/p"), "main")
	body := fmt.Sprintf(`{"project_id":"%s/p","name":"short"}`, ann.User.Username)
	if made := h.Root().JSON("POST", "/project_aliases", body); made.Status != 201 {
		t.Fatal(made.Body)
	}
	byHTTP, bySSH := remote(h, "x", ann.Token, "short"), "ssh://git@"+address+"/short.git"
	with := func(key string, args ...string) []string {
		return append([]string{"-c", "core.sshCommand=" + sshCommand(key)}, args...)
	}
	for i, from := range []string{byHTTP, bySSH} {
		clone := filepath.Join(t.TempDir(), fmt.Sprint("clone", i))
		must(t, here, with(key, "clone", "-q", from, clone)...)
		if got := must(t, clone, "show", "HEAD:README.md"); got != "hello\n" {
			t.Error(got)
		}
		must(t, here, with(key, "push", "-q", from, fmt.Sprintf("main:topic%d", i))...)
	}
	refused(t, "not found", here, "ls-remote", remote(h, "x", outsider.Token, "short"))
	refused(t, "not found", here, "ls-remote", remote(h, "x", ann.Token, "other"))
	refused(t, "could not be found", here, with(other, "ls-remote", bySSH)...)
	refused(t, "could not be found", here, with(key, "ls-remote", "ssh://git@"+address+"/other.git")...)
	if gone := h.Root().Send("DELETE", "/project_aliases/short", ""); gone.Status != 204 {
		t.Fatal(gone.Body)
	}
	refused(t, "not found", here, "ls-remote", byHTTP)
}
