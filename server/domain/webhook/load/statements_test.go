package load_test

import (
	"context"
	"fmt"
	"testing"

	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"
)

// statements returns how many statements a call makes inside a transaction.
func (s scene) statements(call func(ctx context.Context) error) (n int64) {
	s.Helper()
	if err := s.store.Tx(s.Context(), func(ctx context.Context) error {
		before := s.store.Statements()
		err := call(ctx)
		n = s.store.Statements() - before
		return err
	}); err != nil {
		s.Fatal(err)
	}
	return n
}

// The number of statements does not depend on the number of jobs, labels or people.
func TestBodiesAreReadWithFewStatements(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.commit("", "first", file(git.ActionCreate, "a", "1"))
	s.set("refs/heads/main", git.Zero, first)
	pipelines := map[int]model.Pipeline{}
	for _, jobs := range []int{1, 20} {
		made := &store.NewPipeline{Pipeline: model.Pipeline{
			ProjectID: s.project.ID, Ref: "main", SHA: first, BeforeSHA: git.Zero, Source: "push", CommitData: "{}",
			Stages: "[]", Status: "running",
			UserID: &s.owner.ID,
		}}
		for i := range jobs {
			made.Jobs = append(made.Jobs, model.Job{
				ProjectID: s.project.ID, Name: fmt.Sprint("job", i), Stage: "test", Status: "created", RunWhen: "on_success", Ref: "main",
				Tags: "[]", UserID: new(storetest.User(t, s.store).ID), Environment: new(fmt.Sprint("env", i)),
			})
		}
		if err := s.store.Pipelines.Create(t.Context(), made); err != nil {
			t.Fatal(err)
		}
		pipelines[jobs] = made.Pipeline
	}
	for jobs, p := range pipelines {
		n := s.statements(func(ctx context.Context) error {
			in, err := s.load.Pipeline(ctx, p, s.project)
			if len(in.Jobs) != jobs {
				t.Errorf("%d jobs, want %d", len(in.Jobs), jobs)
			}
			return err
		})
		if n > 6 {
			t.Errorf("a pipeline with %d jobs takes %d statements", jobs, n)
		}
	}
	row := storetest.MergeRequest(t, s.store, s.project, s.owner, func(m *model.MergeRequest) { m.HeadSHA = first })
	people := make([]int64, 10)
	for i := range people {
		people[i] = storetest.User(t, s.store).ID
	}
	if err := s.store.MergeRequests.SetReviewers(t.Context(), row.ID, people); err != nil {
		t.Fatal(err)
	}
	if n := s.statements(func(ctx context.Context) error {
		_, err := s.load.MergeRequest(ctx, s.project.ID, row.IID)
		return err
	}); n > 10 { // one of them asks for approval rules
		t.Errorf("a merge request takes %d statements", n)
	}
	issue := storetest.Issue(t, s.store, s.project, s.owner)
	if n := s.statements(func(ctx context.Context) error {
		_, err := s.load.Issue(ctx, issue.ID)
		return err
	}); n > 4 {
		t.Errorf("an issue takes %d statements", n)
	}
	if n := s.statements(func(context.Context) error {
		s.load.RecordPush(here, payload.PushInput{
			Project: s.project, User: s.owner, Change: git.Command{Ref: "refs/heads/topic", Old: git.Zero, New: first},
		})
		return nil
	}); n != 0 {
		t.Errorf("a recorded push takes %d statements", n)
	}
}
