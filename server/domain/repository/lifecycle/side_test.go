package lifecycle_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"svc/server/domain/repository/lifecycle"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"
)

// scene is a service with two storages, a project, a group and a snippet, and the queued jobs.
type scene struct {
	*testing.T
	store   *store.Store
	git     *git.Repositories
	sides   *lifecycle.SideRepositories
	keeper  *lifecycle.Repositories
	jobs    *[]lifecycle.Job
	project lifecycle.Owner
	group   lifecycle.Owner
	snippet lifecycle.Owner
	author  model.User
}

func newScene(t *testing.T) scene {
	t.Helper()
	st := storetest.New(t)
	all, err := git.Open(map[string]string{"default": t.TempDir(), "fast": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(all.Close)
	var jobs []lifecycle.Job
	queue := func(_ context.Context, job lifecycle.Job) error {
		jobs = append(jobs, job)
		return nil
	}
	u := storetest.User(t, st)
	p := storetest.Project(t, st, u)
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path = "Acme", "acme"
	if err := st.Namespaces.Create(t.Context(), &g); err != nil {
		t.Fatal(err)
	}
	row := model.Snippet{AuthorID: u.ID, Title: "t", Files: `["a"]`, RepositoryStorage: model.DefaultStorage}
	if err := errors.Join(st.Snippets.Create(t.Context(), &row), st.OtherRepositories.CreateGroupWiki(t.Context(), g.ID)); err != nil {
		t.Fatal(err)
	}
	return scene{
		T: t, store: st, git: all, sides: lifecycle.NewSideRepositories(st, all, queue), jobs: &jobs, author: u,
		keeper:  lifecycle.New(st, all, lifecycle.NewMeasurer(st, all, slog.New(slog.DiscardHandler)), queue),
		project: lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: p.ID},
		group:   lifecycle.Owner{Kind: model.GroupWikiRepository, ID: g.ID},
		snippet: lifecycle.Owner{Kind: model.SnippetRepository, ID: row.ID},
	}
}

// write changes the file a. Its Told function returns the error told.
func (s scene) write(side lifecycle.Owner, text string, told error) (string, error) {
	return s.sides.Write(s.Context(), side, lifecycle.Edit{
		Author: git.Person{Name: "Ann", Email: "ann@example.com", When: time.Now()}, Message: text,
		Changes: func(_ git.Repo, head string) ([]git.Change, error) {
			action := git.ActionUpdate
			if head == "" {
				action = git.ActionCreate
			}
			return []git.Change{{Action: action, Path: "a", Content: []byte(text)}}, nil
		},
		Record: func(context.Context, string) error { return told },
	})
}

// holds checks the content of the file a, for readers inside the service and for git clients.
func (s scene) holds(side lifecycle.Owner, text string) {
	s.Helper()
	repo, head, err := s.sides.Open(s.Context(), side)
	if err != nil {
		s.Fatal(err)
	}
	entry, err := repo.TreeAt(s.Context(), head, "a")
	if err != nil {
		s.Fatal(err)
	}
	if _, data, err := repo.Object(s.Context(), entry.ID, 1<<20); err != nil || string(data) != text {
		s.Errorf("%s: %q %v, not %q", side.Kind, data, err, text)
	}
	if repo, err = s.sides.OpenForGit(s.Context(), side); err != nil {
		s.Fatal(err)
	}
	if tip, err := repo.Ref("refs/heads/main"); err != nil || tip != head {
		s.Errorf("%s: the branch is at %s %v, not at %s", side.Kind, tip, err, head)
	}
}

func TestWhatIsNotToldIsNotWritten(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, side := range []lifecycle.Owner{s.project, s.group, s.snippet} {
		if _, err := s.write(side, "one", nil); err != nil {
			t.Fatal(err)
		}
		no := errors.New("no")
		if _, err := s.write(side, "two", no); !errors.Is(err, no) {
			t.Error(err)
		}
		s.holds(side, "one")
	}
	if _, err := s.write(lifecycle.Owner{Kind: model.SnippetRepository, ID: 999}, "x", nil); !store.IsNotFound(err) {
		t.Error(err)
	}
}

// A server that is killed between the database and the disk leaves an outdated branch on disk.
func TestABranchThatStayedBehindFollows(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first, err := s.write(s.snippet, "one", nil)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.write(s.snippet, "two", nil)
	if err != nil {
		t.Fatal(err)
	}
	repo, _, err := s.sides.Open(t.Context(), s.snippet)
	if err != nil {
		t.Fatal(err)
	}
	back := func() {
		if err := repo.Update(
			t.Context(), &git.Push{Commands: []git.Command{{Ref: "refs/heads/main", Old: second, New: first}}},
		); err != nil {
			t.Fatal(err)
		}
	}
	back()
	s.holds(s.snippet, "two")
	back()
	if second, err = s.write(s.snippet, "three", nil); err != nil {
		t.Fatal(err)
	}
	s.holds(s.snippet, "three")
	if c, err := repo.Commits(t.Context(), []string{second}); err != nil || len(c[0].Parents) != 1 || c[0].Parents[0] == first {
		t.Errorf("%+v %v", c, err)
	}
	back()
	s.moves(s.snippet)
	s.holds(s.snippet, "three")
}

// moves moves a repository to the other storage, through all states of a move.
func (s scene) moves(side lifecycle.Owner) {
	s.Helper()
	owner := side
	if side.Kind == model.ProjectWikiRepository {
		owner.Kind = model.ProjectRepository
	}
	from, err := s.store.StorageMoves.Storage(s.Context(), owner.Kind, owner.ID)
	if err != nil {
		s.Fatal(err)
	}
	*s.jobs = nil
	m, err := s.keeper.ScheduleFor(s.Context(), owner, from, "", nil)
	if err != nil {
		s.Fatal(err)
	}
	if _, err := s.write(side, "refused", nil); !errors.Is(err, store.ErrReadOnly) {
		s.Errorf("%s: %v", side.Kind, err)
	}
	if _, err := s.keeper.ScheduleFor(s.Context(), owner, from, "", nil); !errors.Is(err, store.ErrReadOnly) {
		s.Errorf("%s: %v", side.Kind, err)
	}
	for i := 0; i < len(*s.jobs); i++ {
		switch job := (*s.jobs)[i].(type) {
		case lifecycle.Move:
			err = s.keeper.Move(s.Context(), job)
		case lifecycle.Cleanup:
			err = s.keeper.Cleanup(s.Context(), job)
		}
		if err != nil {
			s.Fatal(err)
		}
	}
	if m, err = s.store.StorageMoves.Get(s.Context(), owner.Kind, m.ID); err != nil || m.State != model.MoveFinished {
		s.Errorf("%s: %+v %v", side.Kind, m, err)
	}
	if at, err := s.store.StorageMoves.Storage(s.Context(), owner.Kind, owner.ID); err != nil || at != m.DestinationStorage || at == from {
		s.Errorf("%s: it is on %s, %v", side.Kind, at, err)
	}
}

// on returns a repository on a storage.
func (s scene) on(side lifecycle.Owner, storage string) git.Repo {
	switch side.Kind {
	case model.ProjectWikiRepository:
		return s.git.ProjectWiki(storage, side.ID)
	case model.GroupWikiRepository:
		return s.git.GroupWiki(storage, side.ID)
	}
	return s.git.Snippet(storage, side.ID)
}

func TestEveryKindIsMovedThereAndBack(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, side := range []lifecycle.Owner{s.project, s.group, s.snippet} {
		if _, err := s.write(side, "one", nil); err != nil {
			t.Fatal(err)
		}
		s.moves(side)
		s.holds(side, "one")
		if s.on(side, "default").Exists() || !s.on(side, "fast").Exists() {
			t.Errorf("%s: the old copy is there, or the new one is not", side.Kind)
		}
		if _, err := s.write(side, "two", nil); err != nil {
			t.Fatal(err)
		}
		s.moves(side)
		s.holds(side, "two")
		if s.on(side, "fast").Exists() {
			t.Errorf("%s: the old copy is there", side.Kind)
		}
	}
}

func TestAMoveThatSomebodyWorksOnIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if _, err := s.write(s.snippet, "one", nil); err != nil {
		t.Fatal(err)
	}
	m, err := s.keeper.ScheduleFor(t.Context(), s.snippet, "default", "fast", nil)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := s.on(s.snippet, "default").Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.keeper.FinishMoves(t.Context(), lifecycle.FinishMovesJob{}); err != nil {
		t.Error(err)
	}
	if now, err := s.store.StorageMoves.Get(t.Context(), m.Kind, m.ID); err != nil || now.State != model.MoveScheduled {
		t.Errorf("%+v %v", now, err)
	}
	lock.Release()
	if err := s.keeper.FinishMoves(t.Context(), lifecycle.FinishMovesJob{}); err != nil {
		t.Error(err)
	}
	if now, err := s.store.StorageMoves.Get(t.Context(), m.Kind, m.ID); err != nil || now.State != model.MoveReplicated {
		t.Errorf("%+v %v", now, err)
	}
	s.holds(s.snippet, "one")
}

func TestAMoveToWhereItIsIsRefusedAndDeletesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if _, err := s.write(s.snippet, "one", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.keeper.ScheduleFor(t.Context(), s.snippet, "default", "default", nil); !errors.Is(err, lifecycle.ErrSameStorage) {
		t.Error(err)
	}
	s.holds(s.snippet, "one")
	if _, err := s.write(s.snippet, "two", nil); err != nil {
		t.Error(err)
	}
}

func TestRepositoriesGoWithTheirOwners(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, side := range []lifecycle.Owner{s.group, s.snippet} {
		if _, err := s.write(side, "one", nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		s.store.Users.Remove(t.Context(), s.author.ID), s.store.Namespaces.Delete(t.Context(), s.group.ID, nil),
		s.keeper.Remove(t.Context(), lifecycle.Remove{}),
	); err != nil {
		t.Fatal(err)
	}
	for _, side := range []lifecycle.Owner{s.group, s.snippet} {
		if s.on(side, "default").Exists() {
			t.Errorf("%s is still there", side.Kind)
		}
	}
	if _, err := s.store.Snippets.Get(t.Context(), s.snippet.ID); !store.IsNotFound(err) {
		t.Error(err)
	}
}
