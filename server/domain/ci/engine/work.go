package engine

import (
	"context"
	"encoding/json"
	"time"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// work is one pipeline in a transaction that has it for itself. Jobs are moved in memory; what changed is written at the end.
type work struct {
	*Engine
	at       time.Time
	pipeline model.Pipeline
	jobs     []model.Job // those that count, in the order of stages
	moves    map[int64]store.JobMove
	queued   bool            // a job waits for a runner now
	resource map[string]bool // resource groups that something happened to
}

// with changes a pipeline: what f does to its jobs, and all that follows from it, is one transaction.
func (e *Engine) with(ctx context.Context, pipelineID int64, f func(ctx context.Context, w *work) error) error {
	return e.store.Tx(ctx, func(ctx context.Context) error {
		w := &work{Engine: e, at: now(), moves: map[int64]store.JobMove{}, resource: map[string]bool{}}
		var err error
		if w.pipeline, err = e.store.Pipelines.Lock(ctx, pipelineID); err != nil {
			return err
		}
		if w.jobs, err = e.store.Jobs.Newest(ctx, pipelineID); err != nil {
			return err
		}
		if err := f(ctx, w); err != nil {
			return err
		}
		return w.settle(ctx)
	})
}

// job finds a job among those that count.
func (w *work) job(id int64) *model.Job {
	for i := range w.jobs {
		if w.jobs[i].ID == id {
			return &w.jobs[i]
		}
	}
	return nil
}

// move lets an event happen to a job; false if it cannot.
func (w *work) move(j *model.Job, event status.Event) bool {
	to, ok := status.Status(j.Status).After(event)
	if !ok {
		return false
	}
	m := w.moves[j.ID]
	m.Status = string(to)
	switch event {
	case status.Enqueue:
		m.QueuedAt, j.QueuedAt = w.at, &w.at
		w.queued = w.queued || !j.Bridge
	case status.Schedule:
		due := w.at.Add(time.Duration(j.StartIn) * time.Second)
		m.ScheduledAt, j.ScheduledAt = due, &due
	case status.Process:
		m = store.JobMove{Status: string(to), Reset: true}
		j.QueuedAt, j.ScheduledAt, j.StartedAt, j.FinishedAt, j.FailureReason = nil, nil, nil, nil, nil
	case status.Succeed, status.Drop, status.Cancel:
		m.FinishedAt, j.FinishedAt = w.at, &w.at
	}
	if j.ResourceGroup != nil {
		w.resource[*j.ResourceGroup] = true
	}
	j.Status = string(to)
	w.moves[j.ID] = m
	return true
}

// fail drops a job and says why.
func (w *work) fail(j *model.Job, reason status.Reason) bool {
	if !w.move(j, status.Drop) {
		return false
	}
	if status.Status(j.Status) != status.Failed {
		return true // it was being canceled, and that is what became of it
	}
	m := w.moves[j.ID]
	m.FailureReason = string(reason)
	w.moves[j.ID] = m
	text := string(reason)
	j.FailureReason = &text
	return true
}

// settle does what follows from the moves, and writes everything.
func (w *work) settle(ctx context.Context) error {
	w.process()
	byMove := make(map[store.JobMove][]int64)
	for i := range w.jobs {
		if m, moved := w.moves[w.jobs[i].ID]; moved {
			byMove[m] = append(byMove[m], w.jobs[i].ID)
		}
	}
	if len(byMove) > 0 {
		if err := w.store.Jobs.Move(ctx, byMove); err != nil {
			return err
		}
	}
	if w.queued {
		store.After(ctx, w.wake)
	}
	if err := w.deploy(ctx); err != nil {
		return err
	}
	if err := w.conclude(ctx); err != nil {
		return err
	}
	return w.follow(ctx)
}

// follow puts off what the moves bring with them: bridges set out, delayed jobs come due, resources are given away.
func (w *work) follow(ctx context.Context) error {
	for i := range w.jobs {
		j := &w.jobs[i]
		m, moved := w.moves[j.ID]
		if !moved {
			continue
		}
		var err error
		switch {
		case j.Bridge && m.Status == string(status.Pending):
			err = w.soon(ctx, Bridge{JobID: j.ID})
		case m.Status == string(status.Scheduled):
			err = w.later(ctx, Due{JobID: j.ID}, *j.ScheduledAt)
		}
		if err != nil {
			return err
		}
	}
	for key := range w.resource {
		if err := w.soon(ctx, Resource{ProjectID: w.pipeline.ProjectID, Key: key}); err != nil {
			return err
		}
	}
	return nil
}

// needs are the names of the jobs that a job waits for; false if it waits for the stages before it.
func needs(j *model.Job) ([]string, bool) {
	if j.Needs == nil {
		return nil, false
	}
	var names []string
	if err := json.Unmarshal([]byte(*j.Needs), &names); err != nil {
		return nil, false // we wrote it, so it can be read
	}
	return names, true
}
