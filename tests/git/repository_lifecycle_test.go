package git

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/tests/harness"
	"svc/tests/wait"
)

// repositories returns the Git repositories on disk.
func repositories(t testing.TB, folder string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == "HEAD" {
			found = append(found, filepath.Dir(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// waitForFork waits until the repository of a fork is copied. The path is the API path of the fork.
func waitForFork(t testing.TB, c *harness.Caller, path string) {
	t.Helper()
	wait.Until(t, "the fork is finished", func() bool {
		return strings.Contains(c.Send("GET", path, "").Body, `"import_status":"finished"`)
	})
}

func TestARepositoryIsCreatedAndDeletedWithItsProject(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	h.StartWorker()
	ann := h.NewUser()
	made := ann.JSON("POST", "/projects", `{"name":"p","default_branch":"trunk"}`)
	if made.Status != 201 || len(repositories(t, folder)) != 1 {
		t.Fatalf("%d %s, on disk %v", made.Status, made.Body, repositories(t, folder))
	}
	if head, err := os.ReadFile(filepath.Join(repositories(t, folder)[0], "HEAD")); err != nil ||
		string(head) != "ref: refs/heads/trunk\n" {
		t.Errorf("its head is %q, %v", head, err)
	}
	if again := ann.JSON("POST", "/projects", `{"name":"p"}`); again.Status != 400 || len(repositories(t, folder)) != 1 {
		t.Errorf("a project that is refused: %d, on disk %v", again.Status, repositories(t, folder))
	}
	if wrong := h.Root().JSON("POST", "/projects", `{"name":"q","repository_storage":"nowhere"}`); wrong.Status != 400 ||
		!strings.Contains(wrong.Body, "is not a storage of this instance") {
		t.Errorf("an unknown storage: %d %s", wrong.Status, wrong.Body)
	}
	path := "/projects/" + url.PathEscape(ann.User.Username+"/p")
	if gone := ann.Send("DELETE", path, ""); gone.Status != 202 {
		t.Fatalf("%d %s", gone.Status, gone.Body)
	}
	left, err := h.Store.Repositories.Deleted(t.Context(), 10)
	if err != nil || len(left) != 1 {
		t.Fatalf("to be removed: %v, %v", left, err)
	}
	if err := h.Server.RemoveRepositories(t.Context()); err != nil || len(repositories(t, folder)) != 0 {
		t.Errorf("%v, on disk %v", err, repositories(t, folder))
	}
}

func TestTheHeadOfARepositoryFollowsTheDefaultBranch(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	h.StartWorker()
	ann := h.NewUser()
	if made := ann.JSON("POST", "/projects", `{"name":"p","default_branch":"trunk"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	path := "/projects/" + url.PathEscape(ann.User.Username+"/p")
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, ann.User.Username+"/p"), "main:trunk", "main:other")
	if got := ann.JSON("PUT", path, `{"default_branch":"none"}`); got.Status != 400 ||
		!strings.Contains(got.Body, "is not a branch of the repository") {
		t.Errorf("a default branch that is not there: %d %s", got.Status, got.Body)
	}
	if got := ann.JSON("PUT", path, `{"default_branch":"other"}`); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if out := must(
		t, here, "ls-remote", "--symref", remote(h, "x", ann.Token, ann.User.Username+"/p"), "HEAD",
	); !strings.Contains(out, "ref: refs/heads/other") {
		t.Errorf("the head is %s", out)
	}
}

func TestTheRepositoriesOfADeletedGroupAndUserAreRemoved(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann, group := h.NewUser(), h.Group()
	for _, in := range []int64{group.ID, *ann.User.NamespaceID} {
		if got := h.Root().JSON("POST", "/projects", fmt.Sprintf(`{"name":"p","namespace_id":%d}`, in)); got.Status != 201 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	if err := h.Store.Namespaces.Delete(t.Context(), group.ID, nil); err != nil {
		t.Fatal(err)
	}
	if err := h.Store.Users.Remove(t.Context(), ann.User.ID); err != nil {
		t.Fatal(err)
	}
	if err := h.Server.RemoveRepositories(t.Context()); err != nil || len(repositories(t, folder)) != 0 {
		t.Errorf("%v, on disk %v", err, repositories(t, folder))
	}
}

func TestAForkCopiesTheRepository(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann, bob := h.NewUser(), h.NewUser()
	made := ann.JSON("POST", "/projects", `{"name":"p","visibility":"public"}`)
	if made.Status != 201 {
		t.Fatal(made.Body)
	}
	here := newRepository(t)
	must(t, here, "tag", "v1")
	ours := remote(h, "x", ann.Token, ann.User.Username+"/p")
	must(t, here, "push", "-q", ours, "main", "v1", "main:topic")
	forked := bob.JSON("POST", "/projects/"+url.PathEscape(ann.User.Username+"/p")+"/fork", `{}`)
	if forked.Status != 201 || !strings.Contains(forked.Body, `"import_status":"scheduled"`) ||
		!strings.Contains(forked.Body, `"empty_repo":true`) {
		t.Fatalf("%d %s", forked.Status, forked.Body)
	}
	theirs := remote(h, "x", bob.Token, bob.User.Username+"/p")
	refused(t, "still being copied", here, "push", theirs, "main:early")
	h.StartWorker()
	path := "/projects/" + url.PathEscape(bob.User.Username+"/p")
	waitForFork(t, bob, path)
	if got := bob.Send("GET", path, ""); !strings.Contains(got.Body, `"empty_repo":false`) {
		t.Errorf("it is %s", got.Body)
	}
	if a, b := must(t, here, "ls-remote", ours), must(t, here, "ls-remote", theirs); a != b {
		t.Errorf("the project has\n%s\nthe fork\n%s", a, b)
	}
	there := filepath.Join(t.TempDir(), "clone")
	must(t, here, "clone", "-q", theirs, there)
	must(t, there, "fsck", "--full")
	// From now on the two repositories are independent, even after the source is deleted.
	commit(t, there, "b", "b")
	must(t, there, "push", "-q", theirs, "main")
	if gone := ann.Send("DELETE", "/projects/"+url.PathEscape(ann.User.Username+"/p"), ""); gone.Status != 202 {
		t.Fatal(gone.Body)
	}
	if err := h.Server.RemoveRepositories(t.Context()); err != nil {
		t.Fatal(err)
	}
	must(t, here, "clone", "-q", theirs, filepath.Join(t.TempDir(), "clone"))
}

func TestAPushedRepositoryIsRepackedAndIndexed(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann := h.NewUser()
	if made := ann.JSON("POST", "/projects", `{"name":"p"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	ours := remote(h, "x", ann.Token, ann.User.Username+"/p")
	here := newRepository(t)
	for i := range 22 {
		commit(t, here, "file", fmt.Sprint(i))
		must(t, here, "push", "-q", ours, "main")
	}
	at := repositories(t, folder)[0]
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"objects/pack/tmp_pack_1", "refs/heads/x.lock"} {
		stale := filepath.Join(at, name)
		if err := errors.Join(os.WriteFile(stale, nil, 0o600), os.Chtimes(stale, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	h.StartWorker()
	packs := func() int {
		found, _ := filepath.Glob(filepath.Join(at, "objects", "pack", "*.pack"))
		return len(found)
	}
	wait.Until(t, "the packs are one", func() bool { return packs() == 1 })
	row, err := h.Store.Projects.Get(t.Context(), 1, "", nil)
	wait.Until(t, "the repository is measured", func() bool {
		row, err = h.Store.Projects.Get(t.Context(), 1, "", nil)
		return err == nil && row.Project.CommitCount == 23
	})
	if err != nil || row.Project.RepositorySize < 1000 {
		t.Errorf("its size is %d, %v", row.Project.RepositorySize, err)
	}
	for _, pattern := range []string{"objects/info/commit-graphs/*.graph", "objects/pack/multi-pack-index*", "objects/pack/*.bitmap"} {
		if found, err := filepath.Glob(filepath.Join(at, pattern)); err != nil || len(found) == 0 {
			t.Errorf("no %s, %v", pattern, err)
		}
	}
	must(t, here, "clone", "-q", ours, filepath.Join(t.TempDir(), "clone"))
	wait.Until(t, "the stale files are gone", func() bool {
		_, lock := os.Stat(filepath.Join(at, "refs/heads/x.lock"))
		_, pack := os.Stat(filepath.Join(at, "objects/pack/tmp_pack_1"))
		return os.IsNotExist(lock) && os.IsNotExist(pack)
	})
}
