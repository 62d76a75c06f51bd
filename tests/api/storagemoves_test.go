package api

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type move struct {
	ID          int64
	State       string
	Source      string  `json:"source_storage_name"`
	Destination string  `json:"destination_storage_name"`
	Error       *string `json:"error_message"`
	Project     struct{ ID int64 }
}

// twoStorages starts a service with a second storage.
func twoStorages(t *testing.T) (h *harness.H, fast string) {
	t.Helper()
	fast = t.TempDir()
	return harness.New(t, func(c *config.Config) {
		c.Storages, c.MoveGrace = []config.Storage{{Name: "fast", Folder: fast}}, 300*time.Millisecond
	}), fast
}

// waitForProjectMove waits until a storage move of a project has ended.
func waitForProjectMove(t *testing.T, root *harness.Caller, id int64) move {
	t.Helper()
	return waitForMove(t, root, fmt.Sprintf("/project_repository_storage_moves/%d", id))
}

// countProjectRepositories counts the project repositories in a storage.
func countProjectRepositories(t *testing.T, folder string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "@hashed", "*", "*", "*.git"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// movedProject is a project with one commit, whose repository is moved between two storages.
type movedProject struct {
	h           *harness.H
	root, owner *harness.Caller
	id          int64
	path, moves string
	commits     string // the list of its commits
	fast        string // the folder of the second storage
}

func TestARepositoryIsMovedToAnotherStorage(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	p := movedProject{h: h, root: h.Root(), fast: fast}
	p.owner = h.NewUser(func(u *model.User) { u.Username, u.Name = "mover", "Mover" })
	made := p.owner.JSON("POST", "/projects", `{"name":"web","initialize_with_readme":true}`)
	p.id = read[struct{ ID int64 }](t, made, 201).ID
	p.path = fmt.Sprintf("/projects/%d", p.id)
	p.moves = p.path + "/repository_storage_moves"
	p.commits = p.owner.Send("GET", p.path+"/repository/commits", "").Body
	scheduled := p.scheduleMove(t)
	h.StartWorker()
	if m := waitForProjectMove(t, p.root, scheduled); m.State != "finished" || m.Error != nil {
		t.Fatalf("%+v", m)
	}
	p.isInNewStorage(t, scheduled)
	p.movesBackBySettings(t)
}

// scheduleMove schedules a move to the second storage and returns its id. Until the move has ended, the
// repository is read-only.
func (p movedProject) scheduleMove(t *testing.T) int64 {
	t.Helper()
	expect(t, p.root.JSON("POST", p.moves, `{"destination_storage_name":"nowhere"}`), 400,
		`{"message":{"destination_storage_name":["is not included in the list"]}}`)
	expect(t, p.root.JSON("POST", p.moves, `{"destination_storage_name":"default"}`), 400,
		`{"message":{"destination_storage_name":["already holds the repository"]}}`)
	scheduled := read[move](t, p.root.JSON("POST", p.moves, `{"destination_storage_name":"fast"}`), 201)
	if scheduled.State != "scheduled" || scheduled.Source != "default" || scheduled.Destination != "fast" ||
		scheduled.Project.ID != p.id {
		t.Errorf("%+v", scheduled)
	}
	expect(t, p.root.JSON("POST", p.moves, `{}`), 400, `{"message":{"project":["is read-only"]}}`)
	if refused := p.writeFile(); refused.Status < 400 || !strings.Contains(refused.Body, "temporarily read-only") {
		t.Errorf("%d %s", refused.Status, refused.Body)
	}
	expect(t, p.owner.Send("GET", p.path+"/repository/commits", ""), 200, p.commits)
	return scheduled.ID
}

func (p movedProject) writeFile() harness.Answer {
	return p.owner.JSON("POST", p.path+"/repository/files/new.txt",
		`{"branch":"main","commit_message":"new","content":"x"}`)
}

func (p movedProject) isInNewStorage(t *testing.T, moveID int64) {
	t.Helper()
	n, left := countProjectRepositories(t, p.fast), countProjectRepositories(t, filepath.Join(p.h.Data, "repositories"))
	if n != 1 || left != 0 {
		t.Errorf("%d are there, %d are left", n, left)
	}
	expect(t, p.owner.Send("GET", p.path+"/repository/commits", ""), 200, p.commits)
	expect(t, p.writeFile(), 201, "")
	if listed := read[[]move](t, p.root.Send("GET", p.moves, ""), 200); len(listed) != 1 ||
		listed[0].State != "finished" {
		t.Errorf("%+v", listed)
	}
	one := p.root.Send("GET", fmt.Sprintf("%s/%d", p.moves, moveID), "")
	p.h.Golden("getProjectRepositoryStorageMove/finished", one.Body)
	expect(t, p.root.Send("GET", fmt.Sprintf("/project_repository_storage_moves/%d", moveID), ""), 200, one.Body)
	expect(t, p.root.Send("GET", "/project_repository_storage_moves", ""), 200, "["+one.Body+"]")
	found := p.root.Send("GET", "/projects?repository_storage=fast&simple=true", "")
	if !strings.Contains(found.Body, `"path":"web"`) {
		t.Error(found.Body)
	}
}

func (p movedProject) movesBackBySettings(t *testing.T) {
	t.Helper()
	expect(t, p.root.JSON("PUT", p.path, `{"repository_storage":"nowhere"}`), 400,
		`{"message":{"repository_storage":["is not included in the list"]}}`)
	expect(t, p.root.JSON("PUT", p.path, `{"repository_storage":"default"}`), 200, "")
	back := read[[]move](t, p.root.Send("GET", p.moves, ""), 200)[0]
	if m := waitForProjectMove(t, p.root, back.ID); m.State != "finished" || countProjectRepositories(t, p.fast) != 0 {
		t.Errorf("%+v", m)
	}
	expect(t, p.owner.Send("GET", p.path+"/repository/files/new.txt/raw?ref=main", ""), 200, "x")
}

func TestAllRepositoriesOfAStorageAreMoved(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	root, owner := h.Root(), h.NewUser()
	for i := range 3 {
		expect(t, owner.JSON("POST", "/projects", fmt.Sprintf(`{"name":"p%d"}`, i)), 201, "")
	}
	all := "/project_repository_storage_moves"
	expect(t, root.JSON("POST", all, `{"source_storage_name":"nowhere"}`), 400,
		`{"error":"source_storage_name does not have a valid value"}`)
	expect(t, root.JSON("POST", all, `{}`), 400, `{"error":"source_storage_name is missing"}`)
	expect(t, root.JSON("POST", all, `{"source_storage_name":"default","destination_storage_name":"default"}`), 400,
		`{"error":"destination_storage_name does not have a valid value"}`)
	expect(t, root.JSON("POST", all, `{"source_storage_name":"default"}`), 202, `{"message":"202 Accepted"}`)
	h.StartWorker()
	wait.Until(t, "three repositories are in the new storage and three moves are listed", func() bool {
		return countProjectRepositories(t, fast) == 3 && len(read[[]move](t, root.Send("GET", all, ""), 200)) == 3
	})
	for _, m := range read[[]move](t, root.Send("GET", all, ""), 200) {
		if m = waitForProjectMove(t, root, m.ID); m.State != "finished" {
			t.Errorf("%+v", m)
		}
	}
	if n := countProjectRepositories(t, fast); n != 3 {
		t.Errorf("%d are there", n)
	}
	expect(t, owner.Send("GET", all, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, root.Send("GET", all+"/999", ""), 404, `{"message":"404 Not found"}`)
}

func TestAFailedMoveLeavesTheRepositoryInItsStorage(t *testing.T) {
	t.Parallel()
	h, fast := twoStorages(t)
	root, owner := h.Root(), h.NewUser()
	made := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects", `{"name":"web","initialize_with_readme":true}`), 201)
	project := fmt.Sprintf("/projects/%d", made.ID)
	if err := os.WriteFile(filepath.Join(fast, "@hashed"), nil, 0o600); err != nil { // a file where a folder should be
		t.Fatal(err)
	}
	scheduled := read[move](t, root.JSON("POST", project+"/repository_storage_moves", ""), 201)
	h.StartWorker()
	if m := waitForProjectMove(t, root, scheduled.ID); m.State != "failed" || m.Error == nil {
		t.Errorf("%+v", m)
	}
	expect(t, owner.Send("GET", project+"/repository/files/README.md?ref=main", ""), 200, "")
	expect(t, owner.JSON("POST", project+"/repository/files/new.txt", `{"branch":"main","commit_message":"new","content":"x"}`), 201, "")
	if got := root.Send("GET", project, ""); !strings.Contains(got.Body, `"repository_storage":"default"`) {
		t.Error(got.Body)
	}
}

// A killed server leaves a move in any of its states. The next server finishes it.
func TestAnInterruptedMoveIsFinished(t *testing.T) {
	t.Parallel()
	for _, state := range []string{model.MoveScheduled, model.MoveStarted, model.MoveReplicated} {
		h, fast := twoStorages(t)
		root, owner := h.Root(), h.NewUser()
		made := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects", `{"name":"web","initialize_with_readme":true}`), 201)
		m := model.StorageMove{
			Kind:               model.ProjectRepository,
			OwnerID:            made.ID,
			SourceStorage:      "default",
			DestinationStorage: "fast",
			UpdatedAt:          time.Now().Add(-time.Hour),
		}
		if err := h.Store.StorageMoves.Schedule(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE project_storage_moves SET state = '"+state+
			"', updated_at = '2020-01-01 00:00:00'"); err != nil {
			t.Fatal(err)
		}
		if state == model.MoveReplicated { // killed after the switch to the new storage and before the removal of the old copy
			if err := h.Store.StorageMoves.Finish(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(fast, "@hashed"), os.DirFS(filepath.Join(h.Data, "repositories", "@hashed"))); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Store.SQL().ExecContext(t.Context(),
				"UPDATE project_storage_moves SET updated_at = '2020-01-01 00:00:00'"); err != nil {
				t.Fatal(err)
			}
		}
		h.StartWorker() // the worker looks for unfinished moves when it starts
		if got := waitForProjectMove(t, root, m.ID); got.State != "finished" {
			t.Errorf("%s: %+v", state, got)
		}
		if n, left := countProjectRepositories(t, fast), countProjectRepositories(t, filepath.Join(h.Data, "repositories")); n != 1 ||
			left != 0 {
			t.Errorf("%s: %d are there, %d are left", state, n, left)
		}
		expect(t, owner.Send("GET", fmt.Sprintf("/projects/%d/repository/files/README.md?ref=main", made.ID), ""), 200, "")
	}
}

// Every write that succeeds while the repository is moved back and forth is in it afterwards.
func TestNothingIsLostInAMove(t *testing.T) {
	t.Parallel()
	h, _ := twoStorages(t)
	root, owner := h.Root(), h.NewUser()
	made := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects", `{"name":"web","initialize_with_readme":true}`), 201)
	project := fmt.Sprintf("/projects/%d", made.ID)
	h.StartWorker()
	stop, done := make(chan struct{}), make(chan []string)
	go func() {
		var kept []string
		for i := 0; ; i++ {
			select {
			case <-stop:
				done <- kept
				return
			default:
			}
			name := fmt.Sprintf("f%d.txt", i)
			switch got := owner.JSON("POST", project+"/repository/files/"+name, `{"branch":"main","commit_message":"m","content":"x"}`); {
			case got.Status == 201:
				kept = append(kept, name)
			case !strings.Contains(got.Body, "temporarily read-only"):
				t.Errorf("%d %s", got.Status, got.Body)
			}
		}
	}()
	for range 4 {
		m := read[move](t, root.JSON("POST", project+"/repository_storage_moves", ""), 201)
		if m = waitForProjectMove(t, root, m.ID); m.State != "finished" {
			t.Errorf("%+v", m)
		}
	}
	close(stop)
	kept := <-done
	tree := map[string]bool{}
	for page := 1; page <= 50; page++ {
		rows := read[[]struct{ Name string }](t,
			owner.Send("GET", fmt.Sprintf("%s/repository/tree?per_page=100&page=%d", project, page), ""), 200)
		for _, row := range rows {
			tree[row.Name] = true
		}
		if len(rows) == 0 {
			break
		}
	}
	for _, name := range kept {
		if !tree[name] {
			t.Errorf("%s is lost", name)
		}
	}
	if len(kept) == 0 {
		t.Error("nothing was written at all")
	}
}
