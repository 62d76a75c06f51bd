package git

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// pointer returns the text that a repository has instead of a large file.
func pointer(data []byte) string {
	return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", digest(data), len(data))
}

const missing = `LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".`

func TestAPushWithoutItsLargeFilesIsRefused(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	ann := h.NewUser()
	key := sshKey(t, ann, "")
	p, other := h.Project(*ann.User.NamespaceID), h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.LfsEnabled = false })
	ours := remote(h, "x", ann.Token, p.FullPath)
	here := newRepository(t)
	must(t, here, "push", "-q", ours, "main")
	before := id(t, here, "main")
	first, second := random(t, 100), random(t, 200)
	commit(t, here, "a.bin", pointer(first))
	commit(t, here, "b.bin", pointer(second))
	refused(t, missing, here, "push", ours, "main")
	refused(t, missing, here, "-c", "core.sshCommand="+sshCommand(key), "push", "ssh://git@"+address+"/"+p.FullPath+".git", "main:topic")
	upload(t, h, ann, p, first)
	refused(t, missing, here, "push", ours, "main")
	if got := strings.Fields(must(t, here, "ls-remote", ours)); len(got) != 4 || got[0] != before {
		t.Errorf("the refs are %v", got)
	}
	upload(t, h, ann, p, second)
	must(t, here, "push", "-q", ours, "main")
	commit(t, here, "text", strings.ReplaceAll(pointer(random(t, 1)), "size", "length")) // not a pointer
	must(t, here, "push", "-q", ours, "main")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, other.FullPath), "main")
	must(t, here, "push", "-q", ours, "main:more") // needs no new objects
}

func TestOnlyTheOwnerOfTheLockChangesALockedFile(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	group := h.Group()
	ann, ben := h.Member(group, model.Maintainer), h.Member(group, model.Maintainer)
	p := h.Project(group.ID)
	as := func(c *harness.Caller) string { return remote(h, "x", c.Token, p.FullPath) }
	here := newRepository(t)
	commit(t, here, "ünï.txt", "one\n")
	must(t, here, "push", "-q", as(ann), "main")
	if got := lfs(t, h, ann.Token, "POST", p.FullPath, "info/lfs/locks", `{"path":"ünï.txt"}`); got.status != 201 {
		t.Fatal(got.body)
	}
	locked := "The path 'ünï.txt' is locked in Git LFS by " + ann.User.Name
	must(t, here, "checkout", "-q", "-b", "topic")
	commit(t, here, "ünï.txt", "two\n")
	commit(t, here, "other", "x\n")
	refused(t, locked, here, "push", as(ben), "topic")
	bySSH := []string{
		"-c", "core.sshCommand=" + sshCommand(sshKey(t, ben, "")), "push",
		"ssh://git@" + address + "/" + p.FullPath + ".git", "topic",
	}
	refused(t, locked, here, bySSH...)
	must(t, here, "checkout", "-q", "-b", "moved", "main")
	must(t, here, "mv", "ünï.txt", "elsewhere")
	must(t, here, "commit", "-q", "-m", "Move")
	refused(t, locked, here, "push", as(ben), "moved")
	must(t, here, "checkout", "-q", "-b", "free", "main")
	commit(t, here, "other", "y\n")
	refused(t, locked, here, "push", as(ben), "free", "topic")
	if got := must(t, here, "ls-remote", as(ben)); !strings.Contains(got, "refs/heads/free") ||
		strings.Contains(got, "topic") || strings.Contains(got, "moved") {
		t.Errorf("of two branches one has the locked file:\n%s", got)
	}
	made := ben.JSON(
		"PUT", fmt.Sprintf("/projects/%d/repository/files/%s", p.ID, "%C3%BCn%C3%AF.txt"),
		`{"branch":"main","content":"three","commit_message":"x"}`,
	)
	if made.Status != 403 || !strings.Contains(made.Body, "is locked in Git LFS by") {
		t.Errorf("by the API: %d %s", made.Status, made.Body)
	}
	must(t, here, "push", "-q", as(ann), "topic")
	// Others may merge what the owner of the lock has changed.
	must(t, here, "checkout", "-q", "free")
	must(t, here, "merge", "-q", "-s", "ort", "-X", "ours", "-m", "Merge", "topic")
	must(t, here, "push", "-q", as(ben), "free")
}
