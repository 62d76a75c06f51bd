package git

import (
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
