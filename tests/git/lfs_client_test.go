package git

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// newServerWithFolder returns a server, and the folder of its storage for the test to look into.
func newServerWithFolder(t testing.TB, edit ...func(*config.Config)) (*harness.H, string) {
	t.Helper()
	folder := t.TempDir()
	return harness.New(t, append(edit, func(c *config.Config) {
		c.Storages = []config.Storage{{Name: "default", Folder: folder}}
	})...), folder
}

// storedObjects returns the names of the LFS objects on a storage, including drafts.
func storedObjects(t testing.TB, folder string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join(folder, "@lfs"), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, filepath.Base(path))
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return names
}

func random(t testing.TB, n int) []byte {
	t.Helper()
	data := make([]byte, n)
	if _, err := rand.Read(data); err != nil {
		t.Fatal(err)
	}
	return data
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func write(t testing.TB, folder, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// newLFSRepository creates a repository with large files. It returns the folder and the content of the files.
func newLFSRepository(t testing.TB) (string, map[string][]byte) {
	t.Helper()
	here := newRepository(t)
	must(t, here, "lfs", "install", "--local")
	must(t, here, "lfs", "track", "*.bin")
	files := map[string][]byte{"small.bin": []byte("hello\n"), "large.bin": random(t, 5<<20), "same.bin": []byte("hello\n")}
	for name, data := range files {
		write(t, here, name, data)
	}
	must(t, here, "add", ".")
	must(t, here, "commit", "-q", "-m", "Large files")
	return here, files
}

// cloneWithLFS clones a repository with its large files.
func cloneWithLFS(t testing.TB, from string) string {
	t.Helper()
	there := filepath.Join(t.TempDir(), "clone")
	must(t, t.TempDir(), "clone", "-q", from, there)
	must(t, there, "lfs", "install", "--local")
	must(t, there, "lfs", "pull")
	return there
}

func TestStockGitLFSPushesAndPulls(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "git-lfs", "git-lfs")
	h, folder := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	ours := remote(h, "oauth2", ann.Token, p.FullPath)
	here, files := newLFSRepository(t)
	must(t, here, "remote", "add", "origin", ours)
	must(t, here, "push", "-q", "origin", "main")
	if got := storedObjects(t, folder); len(got) != 2 {
		t.Errorf("on the storage are %v", got)
	}
	there := cloneWithLFS(t, ours)
	for name, data := range files {
		if got, err := os.ReadFile(filepath.Join(there, name)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s has %d bytes, want %d; %v", name, len(got), len(data), err)
		}
	}
	must(t, there, "lfs", "fsck")
	row := ann.Send("GET", fmt.Sprintf("/projects/%d?statistics=true", p.ID), "")
	if want := fmt.Sprintf(`"lfs_objects_size":%d,`, 5<<20+6); !strings.Contains(row.Body, want) {
		t.Errorf("without %s: %s", want, row.Body)
	}
	// A second push has nothing to upload.
	commit(t, here, "other.txt", "text")
	must(t, here, "push", "-q", "origin", "main")

	for name, data := range files {
		raw := ann.Send(
			"GET",
			fmt.Sprintf("/projects/%d/repository/files/%s/raw?ref=main&lfs=true", p.ID, strings.ReplaceAll(name, ".", "%2E")),
			"",
		)
		if raw.Status != 200 || raw.Body != strings.TrimSuffix(string(data), "\n") {
			t.Errorf("%s: %d with %d bytes", name, raw.Status, len(raw.Body))
		}
	}
}

func TestStockGitLFSReadsAnonymouslyAndIsRefusedToPush(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "git-lfs", "git-lfs")
	h, _ := newServerWithFolder(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	ann, guest := h.Member(group, model.Maintainer), h.NewUser()
	p := h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	here, files := newLFSRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	there := cloneWithLFS(t, remote(h, "", "", p.FullPath))
	if got, err := os.ReadFile(filepath.Join(there, "large.bin")); err != nil || !bytes.Equal(got, files["large.bin"]) {
		t.Errorf("without a credential: %d bytes, %v", len(got), err)
	}
	write(t, here, "more.bin", []byte("more"))
	must(t, here, "add", ".")
	must(t, here, "commit", "-q", "-m", "More")
	refused(t, "403", here, "push", "-q", remote(h, "x", guest.Token, p.FullPath), "main")
	readOnly := h.WithToken(ann.User, "read_repository")
	refused(t, "insufficient_scope", here, "lfs", "push", "--all", remote(h, "x", readOnly.Token, p.FullPath))
}

func TestAForkKeepsLFSObjectsAndUnusedOnesAreRemoved(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann, ben := h.NewUser(), h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	shared, own, late := random(t, 1<<20), []byte("only here"), []byte("after the fork")
	upload(t, h, ann, p, shared)
	if forked := ben.JSON("POST", fmt.Sprintf("/projects/%d/fork", p.ID), `{}`); forked.Status != 201 {
		t.Fatal(forked.Body)
	}
	upload(t, h, ann, p, late)
	other := h.Project(*ann.User.NamespaceID)
	upload(t, h, ann, other, own)
	upload(t, h, ann, other, shared)
	fork := ben.User.Username + "/" + p.Path
	stats := ben.Send("GET", "/projects/"+url.PathEscape(fork)+"?statistics=true", "")
	if want := fmt.Sprintf(`"lfs_objects_size":%d,`, len(shared)); !strings.Contains(stats.Body, want) {
		t.Errorf("without %s: %s", want, stats.Body)
	}
	for _, gone := range []model.Project{p, other} {
		if got := ann.Send("DELETE", fmt.Sprintf("/projects/%d", gone.ID), ""); got.Status != 202 {
			t.Fatal(got.Status, got.Body)
		}
	}
	if got := storedObjects(t, folder); len(got) != 3 {
		t.Errorf("on the storage are %v", got)
	}
	h.StartWorker()
	wait.Until(t, "only the object of the fork is on the storage", func() bool {
		return len(storedObjects(t, folder)) <= 1
	})
	if got := lfs(t, h, ben.Token, "GET", fork, "svc-lfs/objects/"+digest(shared), ""); got.body != string(shared) {
		t.Errorf("the fork has %d bytes, status %d", len(got.body), got.status)
	}
	if got := lfs(t, h, ben.Token, "GET", fork, "svc-lfs/objects/"+digest(late), ""); got.status != 404 {
		t.Errorf("the fork has what came after it: %d", got.status)
	}
}

func TestStockGitLFSLocks(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "git-lfs", "git-lfs")
	h, _ := newServerWithFolder(t)
	group := h.Group()
	ann, ben, cat := h.Member(group, model.Maintainer), h.Member(group, model.Developer), h.Member(group, model.Maintainer)
	p := h.Project(group.ID)
	here, _ := newLFSRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	as := func(c *harness.Caller) string {
		must(t, here, "config", "remote.origin.url", remote(h, "x", c.Token, p.FullPath))
		return here
	}
	must(t, as(ben), "lfs", "lock", "large.bin")
	refused(t, "already locked", as(ann), "lfs", "lock", "large.bin")
	if out := must(t, as(ann), "lfs", "locks"); !strings.Contains(out, "large.bin") || !strings.Contains(out, ben.User.Name) {
		t.Errorf("the locks are:\n%s", out)
	}
	if out := must(t, as(ben), "lfs", "locks", "--verify"); !strings.Contains(out, "O large.bin") {
		t.Errorf("ours are:\n%s", out)
	}
	must(t, as(cat), "lfs", "lock", "small.bin")
	refused(t, "is locked by", as(ben), "lfs", "unlock", "small.bin")
	refused(t, "Only maintainers", as(ben), "lfs", "unlock", "--force", "small.bin")
	must(t, as(ann), "lfs", "unlock", "--force", "large.bin")
	must(t, as(cat), "lfs", "unlock", "small.bin")
	if out := must(t, as(ann), "lfs", "locks"); strings.TrimSpace(out) != "" {
		t.Errorf("left are:\n%s", out)
	}
}

func readerDigest(t testing.TB, r io.Reader) string {
	t.Helper()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func fileDigest(t testing.TB, file *os.File) string {
	t.Helper()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return readerDigest(t, file)
}
