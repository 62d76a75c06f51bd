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
)

// pushRules is a project with a maintainer, who pushes to it over HTTP or SSH and changes its push rule.
type pushRules struct {
	t       *testing.T
	path    string
	by      *harness.Caller
	project model.Project
	here    string
	push    []string // the beginning of a push, up to the address
}

// set replaces the push rule.
func (r *pushRules) set(body string) {
	r.t.Helper()
	r.by.Send("DELETE", r.path, "")
	if got := r.by.JSON("POST", r.path, body); got.Status != 201 {
		r.t.Fatal(got.Body)
	}
}

// commit makes a commit with arguments of git commit, on a new branch, and leaves the branch checked out.
func (r *pushRules) commit(branch, file, message string, args ...string) {
	r.t.Helper()
	must(r.t, r.here, "checkout", "-q", "-B", branch, "main")
	path := filepath.Join(r.here, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(branch+file+message), 0o600); err != nil {
		r.t.Fatal(err)
	}
	must(r.t, r.here, "add", ".")
	must(r.t, r.here, append([]string{"commit", "-q", "-m", message}, args...)...)
}

func (r *pushRules) refused(text string, refs ...string) {
	r.t.Helper()
	refused(r.t, text, r.here, append(r.push[:len(r.push):len(r.push)], refs...)...)
}

func (r *pushRules) accepted(refs ...string) {
	r.t.Helper()
	must(r.t, r.here, append(r.push[:len(r.push):len(r.push)], refs...)...)
}

func newPushRules(t *testing.T, h *harness.H) *pushRules {
	t.Helper()
	p := h.Project(h.Group().ID)
	by := h.ProjectMember(p, model.Maintainer)
	r := &pushRules{
		t: t, path: fmt.Sprintf("/projects/%d/push_rule", p.ID), by: by, project: p, here: newRepository(t),
		push: []string{"push", "-q", remote(h, "x", by.Token, p.FullPath)},
	}
	r.accepted("main")
	return r
}

// Each rule refuses a push that violates it, as a whole, and accepts one that does not.
func TestPushRulesBindPushesOverHTTP(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := newPushRules(t, h)

	r.set(`{"commit_message_regex":"^[A-Z]+-[0-9]+"}`)
	r.commit("a", "a", "no ticket")
	r.refused("Push rule commit_message_regex: commit ", "a", "main:other")
	if refs := must(t, r.here, "ls-remote", r.push[2]); strings.Contains(refs, "other") || strings.Contains(refs, "/a") {
		t.Errorf("a part of a refused push came:\n%s", refs)
	}
	r.commit("a", "a", "A ticket in the second line\n\nABC-1 is the reason")
	r.accepted("a", "main:other") // the commits of main are not new

	r.set(`{"commit_message_regex":"(?-m)^ABC"}`)
	r.commit("b", "b", "Title\n\nABC-1")
	r.refused("commit_message_regex", "b")
	r.set(`{"commit_message_negative_regex":"(?i)\\bwip\\b"}`)
	r.commit("b", "b", "WIP: later")
	r.refused("commit_message_negative_regex", "b")
	r.commit("b", "b", "Done")
	r.accepted("b")

	r.set(`{"branch_name_regex":"^(feature|fix)/"}`)
	r.refused("branch_name_regex", "b:mine")
	r.accepted("b:feature/b", "b:main", ":b")

	r.set(`{"file_name_regex":"\\.(exe|dll)$"}`)
	r.commit("c", "tool.exe", "Tool")
	r.refused(`adds the file "tool.exe"`, "c")
	r.set(`{"prevent_secrets":true}`)
	r.accepted("c") // only a name
	for _, name := range []string{"id_rsa", "keys/id_ed25519_sk", "server.pem", "a/b.key", ".bash_history", ".aws/credentials"} {
		r.commit("secret", name, "Secret")
		r.refused("prevent_secrets", "secret")
	}
	r.commit("secret", "id_rsa.pub", "Public")
	r.accepted("secret")

	r.set(`{"max_file_size":1}`)
	r.commit("large", "large", strings.Repeat("x", 10))
	if err := os.WriteFile(filepath.Join(r.here, "big"), make([]byte, 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, r.here, "add", ".")
	must(t, r.here, "commit", "-q", "-m", "Big")
	r.refused(`the file "big" is larger than 1 MB`, "large")
	r.set(`{"max_file_size":2}`)
	r.accepted("large")
}

// gitAs runs git with the address of a committer.
func gitAs(t *testing.T, folder, committer string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ann",
		"GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL="+committer)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// The rules about users bind branches. Tags are exempt from them.
func TestPushRulesAboutUsersBindBranchesOverHTTP(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := newPushRules(t, h)
	me, other := r.by.User, h.NewUser().User
	for _, user := range []model.User{me, other} {
		if _, err := h.Store.Emails.Confirm(t.Context(), user.ID, user.Email, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	commitAs := func(branch, name, address, committer string, args ...string) {
		t.Helper()
		must(t, r.here, "checkout", "-q", "-B", branch, "main")
		gitAs(t, r.here, committer, append([]string{
			"commit", "-q", "--allow-empty", "-m", branch, "--author", name + " <" + address + ">",
		}, args...)...)
	}
	r.set(`{"author_email_regex":"@example\\.com$"}`)
	commitAs("a", "Ann", "ann@elsewhere.org", "ann@example.com")
	r.refused(`has the address "ann@elsewhere.org"`, "a")
	must(t, r.here, "tag", "t1", "a")
	r.accepted("t1")
	commitAs("b", "Ann", "ann@example.com", "ann@elsewhere.org")
	r.refused("author_email_regex", "b")
	r.set(`{"member_check":true}`)
	r.refused("member_check", "b")
	commitAs("c", "Ann", other.Email, me.Email)
	r.accepted("c")
	r.set(`{"commit_committer_check":true}`)
	commitAs("d", "Ann", me.Email, other.Email)
	r.refused("commit_committer_check", "d")
	commitAs("d", "Ann", other.Email, strings.ToUpper(me.Email))
	r.accepted("d")
	r.set(`{"commit_committer_name_check":true}`)
	commitAs("e", "Somebody", me.Email, me.Email)
	r.refused(`has the author "Somebody"`, "e")
	commitAs("e", me.Name, me.Email, me.Email)
	r.accepted("e")
	r.set(`{"reject_non_dco_commits":true}`)
	commitAs("f", "Ann", me.Email, me.Email)
	r.refused("Signed-off-by", "f")
	commitAs("f", "Ann", me.Email, me.Email, "-s")
	r.accepted("f")
	r.set(`{"reject_unsigned_commits":true}`)
	commitAs("g", "Ann", me.Email, me.Email, "--no-gpg-sign")
	r.refused("has no signature", "g")
	key := sshKey(t, r.by, "")
	gitAs(t, r.here, me.Email, "-c", "gpg.format=ssh", "-c", "user.signingkey="+key, "commit", "-q", "--amend", "--allow-empty", "-S",
		"--no-edit")
	r.accepted("g")
}

// A push over SSH is bound by the same rules, whatever the role of the user is.
func TestPushRulesBindPushesOverSSH(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	p := h.Project(h.Group().ID)
	owner := h.ProjectMember(p, model.Owner)
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", owner.Token, p.FullPath), "main")
	if got := owner.JSON("POST", fmt.Sprintf("/projects/%d/push_rule", p.ID),
		`{"commit_message_regex":"^T-","deny_delete_tag":true}`); got.Status != 201 {
		t.Fatal(got.Body)
	}
	to := "ssh://git@" + address + "/" + p.FullPath + ".git"
	developer := h.ProjectMember(p, model.Developer)
	for _, by := range []*harness.Caller{developer, h.ProjectMember(p, model.Maintainer), owner, h.Root()} {
		ssh := []string{"-c", "core.sshCommand=" + sshCommand(sshKey(t, by, "")), "push", "-q", to}
		branch := fmt.Sprint("of-", by.User.ID)
		must(t, here, "checkout", "-q", "-B", branch, "main")
		must(t, here, "commit", "-q", "--allow-empty", "-m", "bad")
		refused(t, "commit_message_regex", here, append(ssh[:len(ssh):len(ssh)], branch)...)
		must(t, here, "commit", "-q", "--amend", "--allow-empty", "-m", "T-1 good")
		must(t, here, "tag", branch+"-tag")
		must(t, here, append(ssh[:len(ssh):len(ssh)], branch, branch+"-tag")...)
		if by == developer {
			continue // deletes no tags in any case
		}
		refused(t, "deny_delete_tag", here, append(ssh[:len(ssh):len(ssh)], ":"+branch+"-tag", ":"+branch)...)
	}
	// The API can delete the tag.
	if got := owner.Send("DELETE", fmt.Sprintf("/projects/%d/repository/tags/of-%d-tag", p.ID, owner.User.ID), ""); got.Status != 204 {
		t.Error(got.Body)
	}
}
