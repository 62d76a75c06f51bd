package api

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// waitForMove waits until the storage move at a path has ended.
func waitForMove(t *testing.T, root *harness.Caller, path string) (m move) {
	t.Helper()
	wait.Until(t, "the storage move "+path+" has ended", func() bool {
		m = read[move](t, root.Send("GET", path, ""), 200)
		return m.State == "finished" || m.State == "failed" || m.State == "cleanup failed"
	})
	return m
}

const readOnly = `{"message":"403 Forbidden - The repository is temporarily read-only. Please try again later."}`

func TestASnippetIsMovedToAnotherStorage(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	root, ann := h.Root(), h.NewUser(func(u *model.User) { u.Username, u.Name = "ann", "Ann" })
	one := fmt.Sprintf("/snippets/%d",
		read[snip](t, ann.JSON("POST", "/snippets", `{"title":"Notes","content":"x","file_name":"a"}`), 201).ID)
	moves := one + "/repository_storage_moves"
	expect(t, ann.JSON("POST", moves, `{}`), 403, "")
	expect(t, root.JSON("POST", "/snippets/999/repository_storage_moves", `{}`), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, root.JSON("POST", moves, `{"destination_storage_name":"nowhere"}`), 400,
		`{"message":{"destination_storage_name":["is not included in the list"]}}`)
	expect(t, root.JSON("POST", moves, `{"destination_storage_name":"default"}`), 400,
		`{"message":{"destination_storage_name":["already holds the repository"]}}`)
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "x")
	made := read[move](t, root.JSON("POST", moves, `{"destination_storage_name":"fast"}`), 201)
	if made.State != "scheduled" || made.Source != "default" || made.Destination != "fast" {
		t.Errorf("%+v", made)
	}
	expect(t, root.JSON("POST", moves, `{}`), 400, `{"message":{"snippet":["is read-only"]}}`)
	expect(t, ann.JSON("PUT", one, `{"content":"y"}`), 403, readOnly)
	expect(t, ann.JSON("PUT", one, `{"title":"What is not in the repository changes"}`), 200, "")
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "x")
	h.StartWorker()
	this := fmt.Sprintf("/snippet_repository_storage_moves/%d", made.ID)
	if m := waitForMove(t, root, this); m.State != "finished" || m.Error != nil {
		t.Fatalf("%+v", m)
	}
	n := countRepositoriesOfKind(t, fast, "snippets")
	left := countRepositoriesOfKind(t, filepath.Join(h.Data, "repositories"), "snippets")
	if n != 1 ||
		left != 0 {
		t.Errorf("%d are there, %d are left", n, left)
	}
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "x")
	expect(t, ann.JSON("PUT", one, `{"content":"y"}`), 200, "")
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "y")
	shown := root.Send("GET", this, "")
	h.Golden("getSnippetRepositoryStorageMove/finished", shown.Body)
	expect(t, root.Send("GET", fmt.Sprintf("%s/%d", moves, made.ID), ""), 200, shown.Body)
	expect(t, root.Send("GET", moves, ""), 200, "["+shown.Body+"]")
	expect(t, root.Send("GET", "/snippet_repository_storage_moves", ""), 200, "["+shown.Body+"]")
	expect(t, root.Send("GET", "/snippet_repository_storage_moves/999", ""), 404, `{"message":"404 Not found"}`)
	other := read[snip](t, ann.JSON("POST", "/snippets", `{"title":"o","content":"x"}`), 201)
	expect(t, root.Send("GET", fmt.Sprintf("/snippets/%d/repository_storage_moves/%d", other.ID, made.ID), ""), 404,
		`{"message":"404 Not found"}`)
	if got := read[[]snip](t, root.Send("GET", "/snippets/all?repository_storage=fast", ""), 200); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestTheWikiOfAGroupIsMovedToAnotherStorage(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	g := h.Group(func(n *model.Namespace) { n.Name, n.Path = "Acme", "acme" })
	root, dev := h.Root(), h.Member(g, model.Developer)
	pages := fmt.Sprintf("/groups/%d/wikis", g.ID)
	expect(t, dev.JSON("POST", pages, `{"title":"home","content":"x"}`), 201, "")
	moves := fmt.Sprintf("/groups/%d/repository_storage_moves", g.ID)
	expect(t, dev.Send("GET", moves, ""), 403, "")
	made := read[move](t, root.JSON("POST", moves, `{"destination_storage_name":"fast"}`), 201)
	expect(t, root.JSON("POST", moves, `{}`), 400, `{"message":{"group":["is read-only"]}}`)
	expect(t, dev.JSON("POST", pages, `{"title":"other","content":"x"}`), 403, readOnly)
	expect(t, dev.Send("DELETE", pages+"/home", ""), 403, readOnly)
	h.StartWorker()
	this := fmt.Sprintf("/group_repository_storage_moves/%d", made.ID)
	if m := waitForMove(t, root, this); m.State != "finished" {
		t.Fatalf("%+v", m)
	}
	n := countRepositoriesOfKind(t, fast, "groups")
	left := countRepositoriesOfKind(t, filepath.Join(h.Data, "repositories"), "groups")
	if n != 1 ||
		left != 0 {
		t.Errorf("%d are there, %d are left", n, left)
	}
	expect(t, dev.JSON("PUT", pages+"/home", `{"content":"y"}`), 200, "")
	shown := root.Send("GET", this, "")
	h.Golden("getGroupRepositoryStorageMove/finished", shown.Body)
	expect(t, root.Send("GET", fmt.Sprintf("%s/%d", moves, made.ID), ""), 200, shown.Body)
	expect(t, root.Send("GET", moves, ""), 200, "["+shown.Body+"]")
	expect(t, root.Send("GET", "/group_repository_storage_moves", ""), 200, "["+shown.Body+"]")
	expect(t, root.Send("GET", "/groups/999/repository_storage_moves", ""), 404, `{"message":"404 Group Not Found"}`)
	// A group without a wiki is moved, too: its future wiki will be in the new storage.
	empty := h.Group()
	made = read[move](t, root.JSON("POST", fmt.Sprintf("/groups/%d/repository_storage_moves", empty.ID), `{}`), 201)
	if m := waitForMove(t, root, fmt.Sprintf("/group_repository_storage_moves/%d", made.ID)); m.State != "finished" {
		t.Errorf("%+v", m)
	}
	expect(t, h.Member(empty, model.Developer).JSON("POST", fmt.Sprintf("/groups/%d/wikis", empty.ID),
		`{"title":"home","content":"x"}`), 201, "")
	if n := countRepositoriesOfKind(t, fast, "groups"); n != 2 {
		t.Errorf("%d are there", n)
	}
}

func TestTheWikiOfAProjectMovesWithIt(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	root, owner := h.Root(), h.NewUser()
	made := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects", `{"name":"web","initialize_with_readme":true}`), 201)
	pages := fmt.Sprintf("/projects/%d/wikis", made.ID)
	expect(t, owner.JSON("POST", pages, `{"title":"home","content":"x"}`), 201, "")
	m := read[move](t, root.JSON("POST", fmt.Sprintf("/projects/%d/repository_storage_moves", made.ID), `{}`), 201)
	expect(t, owner.JSON("PUT", pages+"/home", `{"content":"y"}`), 403, readOnly)
	h.StartWorker()
	if m = waitForProjectMove(t, root, m.ID); m.State != "finished" {
		t.Fatalf("%+v", m)
	}
	if n, left := countProjectRepositories(t, fast), countProjectRepositories(t, filepath.Join(h.Data, "repositories")); n != 2 ||
		left != 0 {
		t.Errorf("%d are there, %d are left", n, left)
	}
	if got := read[wikiPage](t, owner.JSON("PUT", pages+"/home", `{"content":"y"}`), 200); got.Content != "y" {
		t.Errorf("%+v", got)
	}
}

func TestAllSnippetsAndWikisOfAStorageAreMoved(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	root, ann := h.Root(), h.NewUser()
	g := h.Group()
	h.Join(g, ann.User, model.Developer)
	for i := range 3 {
		expect(t, ann.JSON("POST", "/snippets", fmt.Sprintf(`{"title":"s%d","content":"x"}`, i)), 201, "")
	}
	expect(t, ann.JSON("POST", fmt.Sprintf("/groups/%d/wikis", g.ID), `{"title":"home","content":"x"}`), 201, "")
	for kind, want := range map[string]int{"snippet": 3, "group": 1} {
		all := "/" + kind + "_repository_storage_moves"
		expect(t, ann.JSON("POST", all, `{"source_storage_name":"default"}`), 403, "")
		expect(t, root.JSON("POST", all, `{"source_storage_name":"nowhere"}`), 400,
			`{"error":"source_storage_name does not have a valid value"}`)
		expect(t, root.JSON("POST", all, `{}`), 400, `{"error":"source_storage_name is missing"}`)
		expect(t, root.JSON("POST", all, `{"source_storage_name":"default","destination_storage_name":"default"}`),
			400, `{"error":"destination_storage_name does not have a valid value"}`)
		expect(t, root.JSON("POST", all, `{"source_storage_name":"default","destination_storage_name":"fast"}`), 202,
			`{"message":"202 Accepted"}`)
		h.StartWorker()
		wait.Until(t, fmt.Sprintf("the list of moves of kind %s has %d entries", kind, want), func() bool {
			return len(read[[]move](t, root.Send("GET", all, ""), 200)) == want
		})
		for _, m := range read[[]move](t, root.Send("GET", all, ""), 200) {
			if m = waitForMove(t, root, fmt.Sprintf("%s/%d", all, m.ID)); m.State != "finished" {
				t.Errorf("%+v", m)
			}
		}
		if n := countRepositoriesOfKind(t, fast, kind+"s"); n != want {
			t.Errorf("%d of %s are there", n, kind)
		}
	}
}

func TestAFailedMoveLeavesTheSnippetInItsStorage(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	root, ann := h.Root(), h.NewUser()
	one := fmt.Sprintf("/snippets/%d",
		read[snip](t, ann.JSON("POST", "/snippets", `{"title":"Notes","content":"x","file_name":"a"}`), 201).ID)
	if err := os.WriteFile(filepath.Join(fast, "@snippets"), nil, 0o600); err != nil { // a file where a folder should be
		t.Fatal(err)
	}
	made := read[move](t, root.JSON("POST", one+"/repository_storage_moves", ""), 201)
	h.StartWorker()
	if m := waitForMove(t, root, fmt.Sprintf("/snippet_repository_storage_moves/%d", made.ID)); m.State != "failed" || m.Error == nil {
		t.Errorf("%+v", m)
	}
	expect(t, ann.JSON("PUT", one, `{"content":"y"}`), 200, "")
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "y")
}

// A server that is killed between the change in the database and the update of the branch on disk leaves an outdated
// branch. The next request updates it.
func TestAnOutdatedBranchOnDiskIsUpdated(t *testing.T) {
	t.Parallel()
	h, _ := twoStorages(t)
	root, ann := h.Root(), h.NewUser()
	one := fmt.Sprintf("/snippets/%d",
		read[snip](t, ann.JSON("POST", "/snippets", `{"title":"Notes","content":"one","file_name":"a"}`), 201).ID)
	refs, err := filepath.Glob(filepath.Join(h.Data, "repositories", "@snippets", "*", "*", "*.git", "refs", "heads", "main"))
	if err != nil || len(refs) != 1 {
		t.Fatal(refs, err)
	}
	behind, err := os.ReadFile(refs[0])
	if err != nil {
		t.Fatal(err)
	}
	expect(t, ann.JSON("PUT", one, `{"content":"two"}`), 200, "")
	if err := os.WriteFile(refs[0], behind, 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "two")
	made := read[move](t, root.JSON("POST", one+"/repository_storage_moves", ""), 201)
	h.StartWorker()
	if m := waitForMove(t, root, fmt.Sprintf("/snippet_repository_storage_moves/%d", made.ID)); m.State != "finished" {
		t.Fatalf("%+v", m)
	}
	expect(t, ann.JSON("PUT", one, `{"files":[{"action":"create","file_path":"b","content":"three"}]}`), 200, "")
	expect(t, ann.Send("GET", one+"/files/main/a/raw", ""), 200, "two")
	if got := ann.Send("GET", one+"/files/main/b/raw", "").Body; !strings.Contains(got, "three") {
		t.Error(got)
	}
}
