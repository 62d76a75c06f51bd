package api

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const storageGone = `{"message":"503 Service Unavailable - The storage is not available"}`

// replaceStorage replaces a storage by an empty folder, as if a disk were not mounted, and returns a function that restores
// it.
func replaceStorage(t *testing.T, h *harness.H) (folder string, back func()) {
	t.Helper()
	folder = filepath.Join(h.Data, "repositories")
	must(t, os.Rename(folder, folder+".away"), os.Mkdir(folder, 0o700))
	return folder, func() {
		t.Helper()
		must(t, os.Remove(folder), os.Rename(folder+".away", folder))
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAMissingStorageIsNeitherReadAsEmptyNorWrittenTo(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	commitFiles(t, ann, p, "a.txt", "text")
	wiki, snippet := fmt.Sprintf("/projects/%d/wikis", p.ID), ""
	expect(t, ann.JSON("POST", wiki, `{"title":"home","content":"x"}`), 201, "")
	snippet = fmt.Sprintf("/snippets/%v", member(t, ann.JSON("POST", "/snippets", `{"title":"t","content":"one"}`), "id"))
	folder, back := replaceStorage(t, h)

	repository := fmt.Sprintf("/projects/%d/repository/", p.ID)
	for _, path := range []string{
		repository + "tree", repository + "commits", repository + "branches", repository + "tags",
		repository + "branches/main", repository + "contributors",
		repository + "archive", filePath(p, "a.txt") + "?ref=main", filePath(p, "a.txt") + "/raw", wiki + "/home", snippet + "/raw",
	} {
		expect(t, ann.Send("GET", path, ""), 503, storageGone)
	}
	if got := ann.SendBasic("GET", "/"+p.FullPath+".git/info/refs?service=git-upload-pack", "oauth2", ann.Token); got.Status != 503 {
		t.Errorf("a clone: %d %s", got.Status, got.Body)
	}
	for path, body := range map[string]string{
		filePath(p, "b.txt"):    `{"branch":"main","commit_message":"x","content":"x"}`,
		repository + "branches": `{"branch":"topic","ref":"main"}`,
		wiki:                    `{"title":"more","content":"x"}`,
		"/snippets":             `{"title":"t","content":"two"}`,
		"/projects":             `{"name":"another"}`,
	} {
		expect(t, ann.JSON("POST", path, body), 503, storageGone)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the empty folder holds %v, %v", left, err)
	}
	if log := h.Logs.String(); !strings.Contains(log, "the storage default in "+folder+" is not available") {
		t.Errorf("the log does not name the storage:\n%s", log)
	}
	back()
	expect(t, ann.Send("GET", filePath(p, "a.txt")+"/raw", ""), 200, "text")
	expect(t, ann.JSON("POST", filePath(p, "b.txt"), `{"branch":"main","commit_message":"x","content":"x"}`), 201, "")
	expect(t, ann.Send("GET", wiki+"/home", ""), 200, "")
	expect(t, ann.Send("GET", snippet+"/raw", ""), 200, "one")
}

func TestAMissingOrDamagedRepositoryIsNotShownAsEmpty(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, outsider := h.NewUser(), h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	commitFiles(t, owner, p, "a.txt", "text")
	found, err := filepath.Glob(filepath.Join(h.Data, "repositories", "@hashed", "*", "*", "*.git"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	repo := found[0]
	head, err := os.ReadFile(filepath.Join(repo, "HEAD"))
	must(t, err)
	damages := map[string]struct{ damage, mend func() }{
		"missing": {
			func() { must(t, os.Rename(repo, repo+".away")) },
			func() { must(t, os.Rename(repo+".away", repo)) },
		},
		"empty HEAD": {
			func() { must(t, os.WriteFile(filepath.Join(repo, "HEAD"), nil, 0o600)) },
			func() { must(t, os.WriteFile(filepath.Join(repo, "HEAD"), head, 0o600)) },
		},
	}
	for name, d := range damages {
		d.damage()
		for _, c := range []struct{ method, path, body string }{
			{"GET", fmt.Sprintf("/projects/%d/repository/tree", p.ID), ""},
			{"GET", fmt.Sprintf("/projects/%d/repository/branches", p.ID), ""},
			{"GET", fmt.Sprintf("/projects/%d/repository/commits", p.ID), ""},
			{"GET", filePath(p, "a.txt") + "/raw", ""},
			{"POST", filePath(p, "b.txt"), `{"branch":"main","commit_message":"x","content":"x"}`},
		} {
			got := owner.Send(c.method, c.path, c.body, "Content-Type", "application/json")
			if got.Status != 500 || !strings.Contains(got.Body, "500 Internal Server Error - The repository is missing or damaged") {
				t.Errorf("%s: %s %s: %d %s", name, c.method, c.path, got.Status, got.Body)
			}
			if got := outsider.Send(c.method, c.path, c.body, "Content-Type", "application/json"); got.Status != 404 {
				t.Errorf("%s: an outsider: %d %s", name, got.Status, got.Body)
			}
		}
		refs := "/" + p.FullPath + ".git/info/refs?service=git-upload-pack"
		if got := owner.SendBasic("GET", refs, "oauth2", owner.Token); got.Status != 500 {
			t.Errorf("%s: a clone: %d %s", name, got.Status, got.Body)
		}
		d.mend()
		expect(t, owner.Send("GET", filePath(p, "a.txt")+"/raw", ""), 200, "text")
	}
}
