package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/signal"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Engine returns an engine on the database of the service that runs no background work: deferred work is dropped.
func (h *H) Engine() *engine.Engine {
	return engine.New(h.Store, func(context.Context, engine.Payload, time.Time) error { return nil }, signal.New())
}

// Pipeline makes a pipeline with jobs on the branch main, as if a user had pushed; edit changes it.
func (h *H) Pipeline(p model.Project, u model.User, jobs []syntax.Job, edit ...func(*store.NewPipeline)) store.NewPipeline {
	h.T.Helper()
	sha := strings.Repeat("a1", 20)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	person := git.Person{Name: "Jane Doe", Email: "jane@example.com", When: at}
	// Plain values always marshal.
	commit, _ := json.Marshal(git.Commit{ID: sha, Author: person, Committer: person, Message: "Mend the roof\n\nIt leaked.\n"})
	n := store.NewPipeline{Pipeline: model.Pipeline{
		ProjectID: p.ID, UserID: &u.ID, Ref: "main", SHA: sha, BeforeSHA: git.Zero, Source: "push",
		CommitData: string(commit), Stages: `["build","test","deploy"]`,
	}}
	for _, j := range jobs {
		spec, _ := json.Marshal(j) // plain values always marshal
		row := model.Job{
			ProjectID: p.ID, UserID: &u.ID, Bridge: j.IsBridge(), Name: j.Name, Stage: j.Stage,
			StageIndex: int64(j.StageIndex), Status: "created",
			RunWhen: "on_success", AllowFailure: j.AllowFailure, Ref: "main", Tags: "[]", Timeout: 3600,
		}
		if j.When != "" {
			row.RunWhen = j.When
		}
		if len(j.Tags) > 0 {
			tags, _ := json.Marshal(j.Tags)
			row.Tags = string(tags)
		}
		n.Jobs = append(n.Jobs, row)
		n.Specs = append(n.Specs, model.JobSpec{Name: j.Name, Spec: string(spec)})
	}
	for _, f := range edit {
		f(&n)
	}
	if err := h.Engine().Begin(h.T.Context(), &n); err != nil {
		h.T.Fatal(err)
	}
	return n
}

// ClaimJob gives a job to a runner that exists only as a row.
func (h *H) ClaimJob(j model.Job) {
	h.T.Helper()
	r := model.Runner{
		RunnerType:  model.InstanceRunner,
		Digest:      fmt.Sprint("runner of job ", j.ID),
		AccessLevel: "not_protected",
		Tags:        "[]",
	}
	if err := h.Store.Runners.Create(h.T.Context(), &r); err != nil {
		h.T.Fatal(err)
	}
	taken, err := h.Engine().Claim(h.T.Context(), j.PipelineID,
		store.Claim{JobID: j.ID, RunnerID: r.ID, Digest: fmt.Sprint("job ", j.ID), Timeout: 60, Deploys: j.Environment != nil})
	if err != nil || !taken {
		h.T.Fatal(taken, err)
	}
}

// FinishJob ends a running job.
func (h *H) FinishJob(j model.Job, o engine.Outcome) {
	h.T.Helper()
	if err := h.Engine().Finish(h.T.Context(), j, o); err != nil {
		h.T.Fatal(err)
	}
}
