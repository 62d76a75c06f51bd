package push_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/domain/repository/push"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"
)

// scene is a project with one commit on main, a user who pushes, and the results passed to the follow-ups.
type scene struct {
	*testing.T
	store *store.Store
	push  *push.Pusher
	repo  git.Repo
	row   model.ProjectRow
	actor *reqctx.Actor
	first string
	told  *[]push.Result
	once  *[]push.Result // the results passed to FollowUps.Once
}

func newScene(t *testing.T) scene {
	t.Helper()
	s := emptyScene(t)
	s.first = s.commit("first", "")
	s.change("refs/heads/main", git.Zero, s.first)
	return s
}

// emptyScene is a scene before the first push.
func emptyScene(t *testing.T) scene {
	t.Helper()
	st := storetest.New(t)
	repos, err := git.Open(map[string]string{"default": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repos.Close)
	u := storetest.User(t, st)
	p := model.DefaultProject()
	p.Name, p.Path, p.NamespaceID = "p", "p", *u.NamespaceID
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	var told, once []push.Result
	pusher := push.New(st, repos, slog.New(slog.DiscardHandler), push.FollowUps{
		Each: []push.FollowUp{func(_ context.Context, r push.Result) error {
			told = append(told, r)
			return nil
		}},
		Once: []push.FollowUp{func(_ context.Context, r push.Result) error {
			once = append(once, r)
			return nil
		}},
	})
	s := scene{T: t, store: st, push: pusher, actor: &reqctx.Actor{User: u.Caller()}, told: &told, once: &once}
	if s.row, err = st.Projects.Get(t.Context(), p.ID, "", &store.Reader{Admin: true}); err != nil {
		t.Fatal(err)
	}
	if s.repo, err = pusher.Repo(s.row.Project); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s scene) commit(message, parent string) string {
	s.Helper()
	who := git.Person{Name: "x", Email: "x", When: time.Unix(1, 0)}
	c := git.NewCommit{Author: who, Committer: who, Message: message}
	if parent != "" {
		c.Parents = []string{parent}
	}
	id, err := s.repo.WriteCommit(s.Context(), c)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

// change makes a push that is not interrupted.
func (s scene) change(ref, old, younger string) {
	s.Helper()
	row, err := s.store.Projects.Get(s.Context(), s.row.Project.ID, "", &store.Reader{Admin: true})
	if err == nil {
		row.Admin = true
		err = s.push.Change(s.Context(), row, s.actor, git.Command{Ref: ref, Old: old, New: younger})
	}
	if err != nil {
		s.Fatal(err)
	}
}

// broken makes a push that is interrupted, before or after the refs were changed.
func (s scene) broken(batch string, changed bool, commands ...git.Command) {
	s.Helper()
	var notes []model.Push
	for _, c := range commands {
		notes = append(notes, model.Push{
			ProjectID: s.row.Project.ID, UserID: &s.actor.User.ID, Batch: batch, Ref: c.Ref, OldID: c.Old, NewID: c.New,
			Options: "ci.skip\nx=y",
		})
	}
	if err := s.store.Pushes.Begin(s.Context(), notes); err != nil {
		s.Fatal(err)
	}
	if changed {
		if err := s.repo.Update(s.Context(), &git.Push{Commands: commands}); err != nil {
			s.Fatal(err)
		}
	}
}

// want checks the events, each as «action ref».
func (s scene) want(events ...string) {
	s.Helper()
	rows, err := s.store.Pushes.Events(s.Context(), s.row.Project.ID)
	if err != nil {
		s.Fatal(err)
	}
	var got []string
	for _, e := range rows {
		ref := "many"
		if e.Ref != nil {
			ref = *e.Ref
		}
		got = append(got, *e.PushAction+" "+ref)
	}
	if strings.Join(got, ", ") != strings.Join(events, ", ") {
		s.Errorf("events are %q, want %q", got, events)
	}
	if len(*s.told) != len(rows) {
		s.Errorf("%d were told, %d events", len(*s.told), len(rows))
	}
	if _, left, err := s.store.Pushes.Unfinished(s.Context(), s.row.Project.ID); err != nil || len(left) > 0 {
		s.Errorf("left are %v, %v", left, err)
	}
}

func (s scene) recover() {
	s.Helper()
	if err := s.push.Recover(s.Context()); err != nil {
		s.Fatal(err)
	}
}

func TestWhatWasBrokenOffIsEndedOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	second := s.commit("second", s.first)
	s.broken("a", false, git.Command{Ref: "refs/heads/main", Old: s.first, New: second})
	s.recover()
	s.want("created main")
	s.broken("b", true, git.Command{Ref: "refs/heads/main", Old: s.first, New: second})
	s.recover()
	s.recover()
	s.want("created main", "pushed main")
	if options := (*s.told)[1].Options; strings.Join(options, " ") != "ci.skip x=y" {
		t.Errorf("its options are %q", options)
	}
	s.broken("c", true, git.Command{Ref: "refs/tags/a", Old: git.Zero, New: second})
	s.broken("d", true, git.Command{Ref: "refs/tags/a", Old: second, New: git.Zero})
	s.broken("e", false, git.Command{Ref: "refs/heads/main", Old: second, New: git.Zero})
	s.recover()
	// Whether «c» happened is unknown, because «d» began before «c» was ended. A real push never does that.
	s.want("created main", "pushed main", "removed a")
	var many []git.Command
	for _, name := range []string{"1", "2", "3", "4"} {
		many = append(many, git.Command{Ref: "refs/heads/" + name, Old: git.Zero, New: second})
	}
	s.broken("f", true, many...)
	s.recover()
	s.want("created main", "pushed main", "removed a", "created many")
}

func TestAPushThatIsTriedAgainIsToldOnce(t *testing.T) {
	t.Parallel()
	for _, changed := range []bool{false, true} {
		s := newScene(t)
		second := s.commit("second", s.first)
		third := s.commit("third", second)
		s.broken("a", changed, git.Command{Ref: "refs/heads/main", Old: s.first, New: second})
		if changed {
			s.change("refs/heads/main", second, third)
		} else {
			s.change("refs/heads/main", s.first, second)
			s.change("refs/heads/main", second, third)
		}
		s.recover()
		s.want("created main", "pushed main", "pushed main")
	}
}

func TestAPushThatIsStillAtWorkIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	second := s.commit("second", s.first)
	s.broken("a", true, git.Command{Ref: "refs/heads/main", Old: s.first, New: second})
	// Lock waits: a process that is being started may hold the released lock for an instant.
	lock, err := s.repo.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.recover()
	if _, left, err := s.store.Pushes.Unfinished(t.Context(), s.row.Project.ID); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
	lock.Release()
	s.recover()
	s.want("created main", "pushed main")
}

func TestAFirstPushThatIsBrokenOffMakesTheDefaultBranch(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.change("refs/heads/other", git.Zero, s.first)
	if err := s.store.Projects.Update(t.Context(), s.row.Project.ID, map[string]any{"empty_repo": true}); err != nil {
		t.Fatal(err)
	}
	s.broken("a", true, git.Command{Ref: "refs/heads/trunk", Old: git.Zero, New: s.first})
	s.recover()
	row, err := s.store.Projects.Get(t.Context(), s.row.Project.ID, "", &store.Reader{Admin: true})
	if err != nil || row.Project.EmptyRepo || row.Project.DefaultBranch != "trunk" {
		t.Errorf("the project is %+v, %v", row.Project, err)
	}
	if branch, _ := s.repo.Head(); branch != "trunk" {
		t.Errorf("the head is %q", branch)
	}
}

func TestAPushOfVeryManyRefsIsTaken(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	asked := &git.Push{}
	for i := range 600 { // more than one statement inserts; another test covers the database's limit
		asked.Commands = append(
			asked.Commands,
			git.Command{Ref: "refs/tags/v" + strings.Repeat("0", i%3) + time.Duration(i).String(), Old: git.Zero, New: s.first},
		)
	}
	if err := s.push.Apply(t.Context(), s.row, s.actor, s.repo, asked); err != nil {
		t.Fatal(err)
	}
	for _, c := range asked.Commands {
		if c.Refused != "" {
			t.Fatalf("%s: %s", c.Ref, c.Refused)
		}
	}
	s.want("created main", "created many")
}

// The first push sets the default branch. A second push that also saw an empty repository does not set it again.
func TestOfTwoFirstPushesOneNamesTheDefaultBranch(t *testing.T) {
	t.Parallel()
	for range 5 {
		s := emptyScene(t)
		s.row.Admin = true
		var all sync.WaitGroup
		for _, branch := range []string{"one", "two", "three"} {
			id := s.commit(branch, "")
			all.Go(func() {
				if err := s.push.Change(
					t.Context(), s.row, s.actor, git.Command{Ref: "refs/heads/" + branch, Old: git.Zero, New: id},
				); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		now, err := s.store.Projects.Get(t.Context(), s.row.Project.ID, "", &store.Reader{Admin: true})
		if err != nil || now.Project.EmptyRepo {
			t.Fatal(now.Project, err)
		}
		events, err := s.store.Pushes.Events(t.Context(), s.row.Project.ID)
		if err != nil || len(events) != 3 || *events[0].Ref != now.Project.DefaultBranch {
			t.Errorf("the default branch is %s, the events are %v, %v", now.Project.DefaultBranch, events, err)
		}
		checkDefaultBranch(t, s, now.Project)
	}
}

// checkDefaultBranch checks that the head, the protection and the follow-ups of all pushes have the default branch.
func checkDefaultBranch(t *testing.T, s scene, project model.Project) {
	t.Helper()
	if head, id := s.repo.Head(); head != project.DefaultBranch || id == "" {
		t.Errorf("the head is %q at %q, the default branch %q", head, id, project.DefaultBranch)
	}
	rules, err := s.store.Protections.Branches(t.Context(), s.row.Project.ID)
	if err != nil || len(rules) != 1 || rules[0].Name != project.DefaultBranch {
		t.Errorf("protected are %+v, %v", rules, err)
	}
	for _, told := range *s.told {
		if told.Project.DefaultBranch != project.DefaultBranch || told.Project.EmptyRepo {
			t.Errorf("%s was told with the default branch %q", told.Changes[0].Ref, told.Project.DefaultBranch)
		}
	}
}

// Tags alone make no branch: the first branch that is pushed later becomes the default branch.
func TestABranchAfterATagIsTheDefaultOne(t *testing.T) {
	t.Parallel()
	s := emptyScene(t)
	id := s.commit("one", "")
	s.change("refs/tags/v1", git.Zero, id)
	s.change("refs/heads/topic", git.Zero, id)
	now, err := s.store.Projects.Get(t.Context(), s.row.Project.ID, "", &store.Reader{Admin: true})
	if head, _ := s.repo.Head(); err != nil || now.Project.DefaultBranch != "topic" || head != "topic" || now.Project.EmptyRepo {
		t.Errorf("the default branch is %q, the head %q, %v", now.Project.DefaultBranch, head, err)
	}
}
