package push_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// on returns a Build that makes a commit on top of the tip.
func (s scene) on(message string) push.Build {
	return func(_ git.Repo, tip string) (string, error) { return s.commit(message, tip), nil }
}

func (s scene) admin() model.ProjectRow {
	s.Helper()
	row, err := s.store.Projects.Get(s.Context(), s.row.Project.ID, "", &store.Reader{Admin: true})
	if err != nil {
		s.Fatal(err)
	}
	row.Admin = true
	return row
}

func TestCommitsOfManyCallersFollowEachOther(t *testing.T) {
	t.Parallel()
	s := emptyScene(t)
	row, each := s.admin(), 5
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			for j := range each {
				ref := "refs/heads/main"
				if i%4 == 3 && j > 0 { // the first commit creates main; these go to another branch
					ref = "refs/heads/other"
				}
				if _, err := s.push.Commit(s.Context(), row, s.actor, ref, s.on(fmt.Sprint(i, " ", j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	checkEventsFollowEachOther(t, s, row, 16*each)
	changes := 0
	for _, r := range *s.once {
		changes += len(r.Changes)
	}
	if changes != 16*each || len(*s.once) == 16*each {
		t.Errorf("%d changes in %d rounds", changes, len(*s.once))
	}
	if now := s.admin(); now.Project.EmptyRepo || now.Project.DefaultBranch != "main" {
		t.Errorf("the project is %+v", now.Project)
	}
	_, left, err := s.store.Pushes.Unfinished(s.Context(), row.Project.ID)
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// checkEventsFollowEachOther checks that every event begins where the one before ended, and the refs where the last ended.
func checkEventsFollowEachOther(t *testing.T, s scene, row model.ProjectRow, count int) {
	t.Helper()
	events, err := s.store.Pushes.Events(s.Context(), row.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]string{}
	for _, e := range events {
		if from := at[*e.Ref]; (e.CommitFrom == nil) != (from == "") || e.CommitFrom != nil && *e.CommitFrom != from ||
			*e.CommitCount != 1 {
			t.Errorf("%s goes from %v with %d commits, not from %q", *e.Ref, e.CommitFrom, *e.CommitCount, from)
		}
		at[*e.Ref] = *e.CommitTo
	}
	if len(events) != count || len(*s.told) != count {
		t.Errorf("%d events, told %d times", len(events), len(*s.told))
	}
	for branch, id := range at {
		if now, err := s.repo.Ref("refs/heads/" + branch); err != nil || now != id {
			t.Errorf("%s is at %s, %v; the events say %s", branch, now, err, id)
		}
	}
}

func TestOneCallerOfARoundDoesNotSpoilTheOthers(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	row, wrong := s.admin(), errors.New("no file of that name")
	guest := row
	guest.Admin, guest.Direct = false, model.Guest
	var wait sync.WaitGroup
	for i := range 24 {
		wait.Go(func() {
			var err error
			var refused *push.RefusedError
			switch i % 4 {
			case 0:
				_, err = s.push.Commit(s.Context(), row, s.actor, "refs/heads/main", s.on(fmt.Sprint(i)))
			case 1:
				if _, err = s.push.Commit(
					s.Context(), row, s.actor, "refs/heads/main",
					func(git.Repo, string) (string, error) { return "", wrong },
				); errors.Is(err, wrong) {
					err = nil
				}
			case 2:
				var id string
				if id, err = s.push.Commit(
					s.Context(), row, s.actor, "refs/heads/main",
					func(git.Repo, string) (string, error) { return "", nil },
				); id != "" {
					t.Errorf("no commit is %s", id)
				}
			case 3:
				if _, err = s.push.Commit(s.Context(), guest, s.actor, "refs/heads/main", s.on("of a guest")); errors.As(err, &refused) {
					err = nil
				} else {
					t.Errorf("a guest: %v", err)
				}
			}
			if err != nil {
				t.Error(i, err)
			}
		})
	}
	wait.Wait()
	events, err := s.store.Pushes.Events(s.Context(), row.Project.ID)
	if err != nil || len(events) != 7 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestARoundThatWasBrokenOffIsEnded(t *testing.T) {
	t.Parallel()
	for _, changed := range []bool{false, true} {
		s := newScene(t)
		second := s.commit("second", s.first)
		third := s.commit("third", second)
		s.broken("a", false, git.Command{Ref: "refs/heads/main", Old: s.first, New: second})
		s.broken("b", false, git.Command{Ref: "refs/heads/main", Old: second, New: third})
		if changed {
			if err := s.repo.Update(
				s.Context(), &git.Push{Commands: []git.Command{{Ref: "refs/heads/main", Old: s.first, New: third}}},
			); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.push.Commit(s.Context(), s.admin(), s.actor, "refs/heads/main", s.on("last")); err != nil {
			t.Fatal(err)
		}
		want := "created main,pushed main"
		if changed {
			want = "created main,pushed main,pushed main,pushed main"
		}
		s.want(strings.Split(want, ",")...)
	}
}
