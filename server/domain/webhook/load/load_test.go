package load_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/webhook/load"
	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"
)

var here = payload.Instance{Base: "https://svc.example"}

// scene is a project with a repository.
type scene struct {
	*testing.T
	store   *store.Store
	repos   *git.Repositories
	load    *load.Loader
	repo    git.Repo
	project model.Project
	owner   model.User
}

func newScene(t *testing.T) scene {
	t.Helper()
	st := storetest.New(t)
	repos, err := git.Open(map[string]string{"default": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(repos.Close)
	owner := storetest.User(t, st, func(u *model.User) { u.ConfirmedAt = new(time.Now().UTC()) })
	p := storetest.Project(t, st, owner)
	s := scene{T: t, store: st, repos: repos, load: load.New(st, repos), repo: repos.Project("default", p.ID), project: p, owner: owner}
	if err := s.repo.Create("main"); err != nil {
		t.Fatal(err)
	}
	return s
}

// commit writes a commit that changes files, on top of another one.
func (s scene) commit(parent, message string, changes ...git.Change) string {
	s.Helper()
	who := git.Person{Name: "Ada", Email: s.owner.Email, When: time.Unix(1768900000, 0).UTC()}
	c := git.NewCommit{Author: who, Committer: who, Message: message, Changes: changes}
	if parent != "" {
		before, err := s.repo.Commit(s.Context(), parent)
		if err != nil {
			s.Fatal(err)
		}
		c.Parents, c.Tree = []string{parent}, before.Tree
	}
	id, err := s.repo.WriteCommit(s.Context(), c)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

// set moves a ref.
func (s scene) set(ref, old, id string) {
	s.Helper()
	asked := &git.Push{Commands: []git.Command{{Ref: ref, Old: old, New: id}}}
	if err := s.repo.Update(s.Context(), asked); err != nil || asked.Refuses() {
		s.Fatal(asked.Commands, err)
	}
}

// pushed returns the completed body of a change of a ref.
func (s scene) pushed(ref, old, id string) payload.Push {
	s.Helper()
	recorded := s.load.RecordPush(here, payload.PushInput{
		Project: s.project, User: s.owner, Change: git.Command{Ref: ref, Old: old, New: id},
	})
	body, err := s.load.CompletePush(s.Context(), here, recorded)
	if err != nil {
		s.Fatal(err)
	}
	return body
}

func file(action, path, content string) git.Change {
	return git.Change{Action: action, Path: path, Content: []byte(content)}
}

func titles(body payload.Push) string {
	var all []string
	for _, c := range body.Commits {
		all = append(all, c.Title)
	}
	return strings.Join(all, " ")
}

func TestAPushListsItsCommitsOldestFirstWithTheirFiles(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"), file(git.ActionCreate, "b c", "1"))
	second := s.commit(first, "second\n\nmore",
		file(git.ActionUpdate, "a", "2"), file(git.ActionDelete, "b c", ""), file(git.ActionCreate, "ü", "1"))
	third := s.commit(second, "third", git.Change{Action: git.ActionMove, Path: "z", Previous: "a"})
	s.set("refs/heads/main", git.Zero, first)

	body := s.pushed("refs/heads/main", git.Zero, first)
	if titles(body) != "first" || body.TotalCommitsCount != 1 || fmt.Sprint(body.Commits[0].Added) != "[a b c]" {
		t.Errorf("the first push is %+v", body.Commits)
	}
	body = s.pushed("refs/heads/main", first, third)
	if titles(body) != "second third" || body.TotalCommitsCount != 2 {
		t.Fatalf("the commits are %q of %d", titles(body), body.TotalCommitsCount)
	}
	if c := body.Commits[0]; fmt.Sprint(c.Added, c.Modified, c.Removed) != "[ü] [a] [b c]" || c.Message != "second\n\nmore" {
		t.Errorf("the second commit is %+v", c)
	}
	if c := body.Commits[1]; fmt.Sprint(c.Added, c.Modified, c.Removed) != "[z] [] [a]" || c.Timestamp != "2026-01-20T09:06:40+00:00" ||
		c.URL != "https://svc.example/"+s.project.FullPath+"/-/commit/"+third {
		t.Errorf("the third commit is %+v", c)
	}
}

// A new branch lists what the default branch did not have when it was pushed, however that moves later.
func TestANewBranchListsWhatTheDefaultBranchLacked(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"))
	topic := s.commit(s.commit(first, "topic1", file(git.ActionUpdate, "a", "2")), "topic2", file(git.ActionUpdate, "a", "3"))
	s.set("refs/heads/main", git.Zero, first)
	if body := s.pushed("refs/heads/copy", git.Zero, first); len(body.Commits) != 0 || body.TotalCommitsCount != 0 || body.Commits == nil {
		t.Errorf("a branch without new commits has %q", titles(body))
	}
	recorded := s.load.RecordPush(here, payload.PushInput{
		Project: s.project, User: s.owner, Change: git.Command{Ref: "refs/heads/topic", Old: git.Zero, New: topic},
	})
	s.set("refs/heads/main", first, topic) // merged before the hook is delivered
	body, err := s.load.CompletePush(t.Context(), here, recorded)
	if err != nil || titles(body) != "topic1 topic2" || body.TotalCommitsCount != 2 {
		t.Errorf("the commits are %q of %d, %v", titles(body), body.TotalCommitsCount, err)
	}
}

func TestALongPushListsItsNewestCommits(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "0"))
	s.set("refs/heads/main", git.Zero, first)
	tip := first
	for i := range 25 {
		tip = s.commit(tip, fmt.Sprintf("c%d", i), file(git.ActionUpdate, "a", fmt.Sprint(i+1)))
	}
	body := s.pushed("refs/heads/main", first, tip)
	if body.TotalCommitsCount != 25 || len(body.Commits) != payload.MaxCommits || body.Commits[0].Title != "c5" ||
		body.Commits[19].Title != "c24" || len(body.Commits[7].Modified) != 1 {
		t.Errorf("%d of %d commits: %s", len(body.Commits), body.TotalCommitsCount, titles(body))
	}
}

func TestATagShowsItsMessageAndCommit(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"))
	tag, err := s.repo.WriteTag("v1", first, "One", git.Person{Name: "Ada", Email: "a@b", When: time.Unix(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	s.set("refs/tags/v1", git.Zero, tag)
	body := s.pushed("refs/tags/v1", git.Zero, tag)
	if body.ObjectKind != "tag_push" || body.After != tag || *body.CheckoutSHA != first || *body.Message != "One" ||
		body.TotalCommitsCount != 1 || fmt.Sprint(body.Commits[0].Added) != "[a]" {
		t.Errorf("an annotated tag is %+v", body)
	}
	body = s.pushed("refs/tags/light", git.Zero, first)
	if *body.CheckoutSHA != first || body.Message != nil || len(body.Commits) != 1 {
		t.Errorf("a plain tag is %+v", body)
	}
	body = s.pushed("refs/tags/v1", tag, git.Zero)
	if body.CheckoutSHA != nil || len(body.Commits) != 0 || body.After != git.Zero {
		t.Errorf("a deleted tag is %+v", body)
	}
}

// A delivery does not fail because what it is about is gone.
func TestAPushOfSomethingThatIsGoneKeepsItsBody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"))
	s.set("refs/heads/main", git.Zero, first)
	lost := strings.Repeat("e", 40)
	if body := s.pushed("refs/heads/main", first, lost); body.After != lost || len(body.Commits) != 0 {
		t.Errorf("a push of a lost commit is %+v", body)
	}
	if body := s.pushed("refs/heads/main", lost, first); titles(body) != "first" || body.TotalCommitsCount != 1 {
		t.Errorf("a push over a lost commit is %+v", body)
	}
	if body := s.pushed("refs/tags/v1", git.Zero, lost); body.After != lost || len(body.Commits) != 0 {
		t.Errorf("a lost tag is %+v", body)
	}
	if err := s.store.Projects.Delete(t.Context(), s.project.ID, nil); err != nil {
		t.Fatal(err)
	}
	if body := s.pushed("refs/heads/main", git.Zero, first); body.After != first || len(body.Commits) != 0 {
		t.Errorf("a push to a deleted project is %+v", body)
	}
}

func TestProtectedRefsAreFound(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, name := range []string{"main", "release/*"} {
		rule := model.ProtectedBranch{ProjectID: s.project.ID, Name: name, PushAccessLevel: model.Maintainer}
		if err := s.store.Protections.ProtectBranch(t.Context(), &rule); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.store.Protections.ProtectTag(t.Context(), &model.ProtectedTag{ProjectID: s.project.ID, Name: "v*"}); err != nil {
		t.Fatal(err)
	}
	rules, err := s.load.Protections(t.Context(), s.project.ID)
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]bool{
		"refs/heads/main": true, "refs/heads/release/1": true, "refs/heads/topic": false, "refs/heads/v1": false, "refs/tags/v1": true,
		"refs/tags/main": false, "refs/notes/v1": false, "main": false,
	} {
		if rules.Protect(ref) != want {
			t.Errorf("%s: %v", ref, !want)
		}
	}
	if load.Sends(git.Command{Ref: "refs/notes/commits"}) || !load.Sends(git.Command{Ref: "refs/tags/v1"}) {
		t.Error("other refs than branches and tags send hooks")
	}
}
