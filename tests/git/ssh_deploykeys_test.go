package git

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// deployKeyFile creates a key pair, adds the public key to a project and returns the file of the private key.
func deployKeyFile(t *testing.T, by *harness.Caller, p model.Project, more string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "id")
	if out, err := exec.CommandContext(
		t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file,
	).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	public, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"title":"k","key":%q%s}`, strings.TrimSpace(string(public)), more)
	if got := by.JSON("POST", fmt.Sprintf("/projects/%d/deploy_keys", p.ID), body); got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	return file
}

// A deploy key reads its projects, and pushes if it may. Protected branches follow the role of its creator.
func TestDeployKeysOverSSH(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	owner := h.NewUser()
	p, other := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	maintainer := h.ProjectMember(p, model.Maintainer)
	at := func(p model.Project) string { return "ssh://git@" + address + "/" + p.FullPath + ".git" }
	with := func(key string, args ...string) []string {
		return append([]string{"-c", "core.sshCommand=" + sshCommand(key)}, args...)
	}
	here := newRepository(t)
	pushes, reads := deployKeyFile(t, maintainer, p, `,"can_push":true`), deployKeyFile(t, maintainer, p, "")
	must(t, here, with(pushes, "push", "-q", at(p), "main", "main:topic")...)
	must(t, here, with(reads, "clone", "-q", at(p), filepath.Join(t.TempDir(), "clone"))...)
	refused(t, "not allowed to do this", here, with(reads, "push", at(p), "main:other")...)
	refused(t, "could not be found", here, with(pushes, "ls-remote", at(other))...)
	refused(t, "could not be found", here, with(pushes, "push", at(other), "main")...)
	events, err := h.Store.Pushes.Events(t.Context(), p.ID)
	if err != nil || len(events) == 0 || events[0].AuthorID != maintainer.User.ID {
		t.Errorf("%+v %v", events, err)
	}
	// The creator is demoted: the key still pushes, but not to the protected default branch.
	gone := fmt.Sprintf("/projects/%d/members/%d", p.ID, maintainer.User.ID)
	if got := owner.Send("DELETE", gone, ""); got.Status != 204 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	commit(t, here, "more", "more")
	must(t, here, with(pushes, "push", "-q", at(p), "main:topic")...)
	refused(t, "protected", here, with(pushes, "push", at(p), "main")...)
	if err := h.Store.Users.Update(t.Context(), maintainer.User.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	refused(t, "not allowed to do this", here, with(pushes, "push", at(p), "main:last")...)
	must(t, here, with(pushes, "ls-remote", at(p))...)

	short := deployKeyFile(t, owner, p, fmt.Sprintf(`,"expires_at":%q`, time.Now().Add(2*time.Second).UTC().Format(time.RFC3339Nano)))
	wait.Until(t, "the key has expired", func() bool {
		return exec.CommandContext(t.Context(), "git", with(short, "ls-remote", at(p))...).Run() != nil
	})
}

// keyID returns the id of the newest deploy key of a project.
func keyID(t *testing.T, by *harness.Caller, p model.Project) int64 {
	t.Helper()
	var rows []struct{ ID int64 }
	got := by.Send("GET", fmt.Sprintf("/projects/%d/deploy_keys", p.ID), "")
	if err := json.Unmarshal([]byte(got.Body), &rows); err != nil || len(rows) == 0 {
		t.Fatal(got.Body, err)
	}
	return rows[len(rows)-1].ID
}

// A rule can name the deploy keys that push to a protected branch, whatever the role of their creator is.
func TestAProtectedBranchAcceptsTheDeployKeysThatItNames(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	creator := h.ProjectMember(p, model.Maintainer)
	to := "ssh://git@" + address + "/" + p.FullPath + ".git"
	with := func(key string, args ...string) []string {
		return append([]string{"-c", "core.sshCommand=" + sshCommand(key)}, args...)
	}
	other := deployKeyFile(t, creator, p, `,"can_push":true`)
	named := deployKeyFile(t, creator, p, `,"can_push":true`)
	id := keyID(t, creator, p)
	here := newRepository(t)
	must(t, here, with(named, "push", "-q", to, "main", "main:release/1", "main:open")...)
	rules := fmt.Sprintf("/projects/%d/protected_branches", p.ID)
	body := fmt.Sprintf(`{"name":"release/*","allowed_to_push":[{"deploy_key_id":%d}]}`, id)
	if got := owner.JSON("POST", rules, body); got.Status != 201 {
		t.Fatal(got.Body)
	}
	if got := owner.Send("DELETE", fmt.Sprintf("/projects/%d/members/%d", p.ID, creator.User.ID), ""); got.Status != 204 {
		t.Fatal(got.Body)
	}
	commit(t, here, "more", "more")
	refused(t, "protected", here, with(other, "push", to, "main:release/1")...)
	must(t, here, with(named, "push", "-q", to, "main:release/1", "main:release/2")...)
	refused(t, "protected", here, with(named, "push", to, "main")...) // another rule, which does not name the key
	refused(t, "force push", here, with(named, "push", to, "+main~1:release/1")...)
	refused(t, "delete protected", here, with(named, "push", to, ":release/1")...)
	refused(t, "protected", here, "push", remote(h, "oauth2", owner.Token, p.FullPath), "main:refs/heads/release/3")
	if got := owner.JSON("PUT", fmt.Sprintf("/projects/%d/deploy_keys/%d", p.ID, id), `{"can_push":false}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	refused(t, "not allowed to do this", here, with(named, "push", to, "main:release/4")...)
}

// A deploy key transfers large files like the key of a user.
func TestStockGitLFSWorksWithADeployKey(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "git-lfs", "git-lfs")
	h, address, folder := newSSHServerWithFolder(t)
	owner := h.NewUser()
	p, other := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	to := "ssh://git@" + address + "/" + p.FullPath + ".git"
	pushes, reads := deployKeyFile(t, owner, p, `,"can_push":true`), deployKeyFile(t, owner, p, "")
	command := func(key string) string { return "core.sshCommand=" + sshCommand(key) }
	here, files := newLFSRepository(t)
	must(t, here, "remote", "add", "origin", to)
	must(t, here, "-c", command(pushes), "push", "-q", "origin", "main")
	if got := storedObjects(t, folder); len(got) != 2 {
		t.Errorf("on the storage are %v", got)
	}
	there := filepath.Join(t.TempDir(), "clone")
	must(t, here, "-c", command(reads), "clone", "-q", to, there)
	must(t, there, "lfs", "install", "--local")
	must(t, there, "-c", command(reads), "lfs", "pull")
	for name, data := range files {
		if got, err := os.ReadFile(filepath.Join(there, name)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s has %d bytes, want %d; %v", name, len(got), len(data), err)
		}
	}
	for _, c := range []struct{ key, path, operation, text string }{
		{reads, p.FullPath, "upload", "not allowed"},
		{pushes, other.FullPath, "download", "could not be found"},
		{pushes, other.FullPath, "upload", "could not be found"},
	} {
		if _, header, said := lfsCredential(t, address, c.key, c.path, c.operation); header != "" || !strings.Contains(said, c.text) {
			t.Errorf("%s of %s: %q, want %q", c.operation, c.path, said, c.text)
		}
	}
}
