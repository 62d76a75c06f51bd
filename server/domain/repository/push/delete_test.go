package push_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// branches creates branches at the first commit, and returns them.
func (s scene) branches(n int) []git.Ref {
	s.Helper()
	asked := &git.Push{}
	var refs []git.Ref
	for i := range n {
		refs = append(refs, git.Ref{Name: fmt.Sprintf("refs/heads/b%03d", i), ID: s.first})
		asked.Commands = append(asked.Commands, git.Command{Ref: refs[i].Name, Old: git.Zero, New: s.first})
	}
	if err := s.push.Apply(s.Context(), s.row, s.actor, s.repo, asked); err != nil || asked.Refuses() {
		s.Fatal(asked.Commands, err)
	}
	return refs
}

// removed returns the branches that events report as deleted, in order. It checks that none of them exists and that no
// push is left unfinished.
func (s scene) removed() []string {
	s.Helper()
	events, err := s.store.Pushes.Events(s.Context(), s.row.Project.ID)
	if err != nil {
		s.Fatal(err)
	}
	var names []string
	for _, e := range events {
		if *e.PushAction != "removed" {
			continue
		}
		if e.Ref == nil || e.RefCount != nil || e.CommitFrom == nil || *e.CommitFrom != s.first || e.CommitTo != nil ||
			e.AuthorID != s.actor.User.ID {
			s.Fatalf("an event is %+v", e)
		}
		if _, err := s.repo.Ref("refs/heads/" + *e.Ref); err == nil {
			s.Errorf("%s is still there", *e.Ref)
		}
		names = append(names, *e.Ref)
	}
	if _, left, err := s.store.Pushes.Unfinished(s.Context(), s.row.Project.ID); err != nil || len(left) > 0 {
		s.Errorf("left are %v, %v", left, err)
	}
	slices.Sort(names)
	return names
}

func (s scene) now() model.ProjectRow {
	s.Helper()
	row, err := s.store.Projects.Get(s.Context(), s.row.Project.ID, "", &store.Reader{Admin: true})
	if err != nil {
		s.Fatal(err)
	}
	row.Admin = true
	return row
}

// All deletions are noted together, one update of refs deletes them, and one transaction writes their events, one event
// per ref.
func TestManyRefsAreDeletedInOneChange(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	refs := s.branches(60)
	s.change(refs[7].Name, s.first, s.commit("second", s.first)) // another push has moved it
	rule := model.ProtectedBranch{ProjectID: s.row.Project.ID, Name: "b00*", PushAccessLevel: model.Maintainer}
	if err := s.store.Protections.ProtectBranch(t.Context(), &rule); err != nil {
		t.Fatal(err)
	}
	before := len(*s.told)
	asked := append([]git.Ref{{Name: "refs/heads/main", ID: s.first}, {Name: "refs/heads/none", ID: s.first}}, refs...)
	if err := s.push.DeleteEach(t.Context(), s.now(), s.actor, asked); err != nil {
		t.Fatal(err)
	}
	if told := (*s.told)[before:]; len(told) != 1 || len(told[0].Changes) != 50 {
		t.Errorf("%d changes were told", len(told))
	}
	if got := s.removed(); len(got) != 50 || got[0] != "b010" || got[49] != "b059" {
		t.Errorf("removed are %v", got)
	}
	if left, err := s.repo.Refs("refs/heads/"); err != nil || len(left) != 11 {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := s.push.DeleteEach(t.Context(), s.now(), s.actor, asked); err != nil { // the second call changes nothing
		t.Fatal(err)
	}
	if got := s.removed(); len(got) != 50 {
		t.Errorf("removed are %v", got)
	}
}

// A server is killed after it noted the deletions: before it deletes any ref, halfway, or after all are deleted. The
// next push writes an event for each deleted ref, and continues.
func TestADeletionOfManyRefsThatIsBrokenOffIsTakenUp(t *testing.T) {
	t.Parallel()
	for _, done := range []int{0, 25, 60} {
		s := newScene(t)
		refs := s.branches(60)
		before := len(*s.told)
		var commands []git.Command
		for _, ref := range refs {
			commands = append(commands, git.Command{Ref: ref.Name, Old: ref.ID, New: git.Zero})
		}
		s.broken("each-x", false, commands...)
		if err := s.repo.Update(t.Context(), &git.Push{Commands: commands[:done]}); err != nil {
			t.Fatal(err)
		}
		if done == 25 {
			s.recover()
			if got := s.removed(); len(got) != done {
				t.Errorf("removed are %v", got)
			}
		}
		if err := s.push.DeleteEach(t.Context(), s.now(), s.actor, refs); err != nil {
			t.Fatal(err)
		}
		got := s.removed()
		if len(got) != 60 || len(slices.Compact(got)) != 60 {
			t.Errorf("after %d: removed are %s", done, strings.Join(got, " "))
		}
		changes := 0
		for _, told := range (*s.told)[before:] {
			changes += len(told.Changes)
		}
		if changes != 60 {
			t.Errorf("after %d: %d changes were told", done, changes)
		}
	}
}

// A deletion that is impossible now is an error, so that the job runs again.
func TestADeletionInARepositoryThatIsMovedIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	refs := s.branches(20)
	row := s.now()
	if err := s.store.Projects.Update(t.Context(), s.row.Project.ID, map[string]any{"repository_read_only": true}); err != nil {
		t.Fatal(err)
	}
	err := s.push.DeleteEach(t.Context(), row, s.actor, refs)
	if why := (*push.RefusedError)(nil); !errors.As(err, &why) || why.Why != push.ReadOnly {
		t.Errorf("%v", err)
	}
	if got := s.removed(); len(got) > 0 {
		t.Errorf("removed are %v", got)
	}
}
