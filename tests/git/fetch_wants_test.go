package git

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The test fetches objects by their ids, with both versions of the Git protocol, over HTTP and SSH.
func TestOnlyReachableObjectsAreFetched(t *testing.T) {
	t.Parallel()
	h, address, folder := newSSHServerWithFolder(t)
	ann := h.NewUser()
	key := sshKey(t, ann, "")
	if made := ann.JSON("POST", "/projects", `{"name":"p"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	byHTTP := remote(h, "x", ann.Token, ann.User.Username+"/p")
	bySSH := "ssh://git@" + address + "/" + ann.User.Username + "/p.git"
	here := newRepository(t)
	first := id(t, here, "HEAD")
	commit(t, here, "README.md", "hello again\n")
	must(t, here, "checkout", "-q", "-b", "kept")
	commit(t, here, "kept", "of a pipeline\n")
	kept := id(t, here, "HEAD")
	must(t, here, "checkout", "-q", "-b", "topic", "main")
	commit(t, here, "secret", "a secret\n")
	commit(t, here, "secret", "another secret\n")
	secret, blob, tip := id(t, here, "HEAD~1"), id(t, here, "HEAD:secret"), id(t, here, "HEAD")
	must(t, here, "push", "-q", byHTTP, "main", "topic", "kept")
	disk := repositories(t, folder)[0]
	must(t, here, "--git-dir", disk, "update-ref", "refs/pipelines/7", kept)
	must(t, here, "push", "-q", byHTTP, ":topic", ":kept")

	for _, version := range []string{"0", "2"} {
		for _, from := range []string{byHTTP, bySSH} {
			with := []string{"-c", "protocol.version=" + version, "-c", "core.sshCommand=" + sshCommand(key)}
			at := func(args ...string) []string { return append(with[:len(with):len(with)], args...) }
			empty := t.TempDir()
			must(t, empty, "init", "-q")
			for _, id := range []string{secret, blob, tip, unknownID} {
				refused(t, "not our ref "+id, empty, at("fetch", "-q", from, id)...)
			}
			refused(t, "not our ref "+secret, empty, at("fetch", "-q", from, "main", secret)...)
			must(t, empty, at("fetch", "-q", "--depth=1", from, first)...)
			must(t, empty, at("fetch", "-q", "--unshallow", from, "main")...)
			must(t, empty, at("fetch", "-q", from, "+"+kept+":refs/pipelines/7")...)
			if got := must(t, empty, "show", "refs/pipelines/7:kept"); got != "of a pipeline\n" {
				t.Errorf("version %s: the runner has %q", version, got)
			}
			if got := must(t, empty, at("ls-remote", from)...); strings.Contains(got, "pipelines") ||
				!strings.Contains(got, "refs/heads/main") {
				t.Errorf("version %s: one sees\n%s", version, got)
			}
			for i, filter := range []string{"blob:none", "tree:0"} {
				clone := filepath.Join(empty, fmt.Sprint("clone", i))
				must(t, empty, at("clone", "-q", "--filter="+filter, from, clone)...)
				if got := must(t, clone, at("show", first+":README.md")...); got != "hello\n" { // git fetches the file only now
					t.Errorf("version %s, %s: the old file is %q", version, filter, got)
				}
			}
			refused(t, "not allowed to change this reference", here, at("push", from, "main:refs/pipelines/8")...)
			refused(t, "", here, at("push", from, ":refs/pipelines/7")...)
		}
	}
	if got := must(t, here, "--git-dir", disk, "for-each-ref", "--format=%(refname)"); got != "refs/heads/main\nrefs/pipelines/7\n" {
		t.Errorf("the refs are\n%s", got)
	}
}

// The test sends the request with which git adds the parents of a commit that the client says it has.
func TestParentsOfADeletedShallowCommitAreNotSent(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	ours := remote(h, "x", ann.Token, p.FullPath)
	here := newRepository(t)
	must(t, here, "checkout", "-q", "-b", "topic")
	commit(t, here, "secret", "a secret\n")
	commit(t, here, "other", "x\n")
	must(t, here, "push", "-q", ours, "main", "topic")
	clone := filepath.Join(t.TempDir(), "clone")
	must(t, here, "clone", "-q", "--depth=1", "--branch=topic", ours, clone)
	must(t, here, "push", "-q", ours, ":topic")
	refused(t, "not our ref "+id(t, here, "topic"), clone, "fetch", "-q", "--unshallow", "origin", "main")
	must(t, clone, "fetch", "-q", "--depth=5", "origin", "main")
	refused(t, "", clone, "cat-file", "-e", "topic~1:secret")
}
