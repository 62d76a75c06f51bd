package engine

import (
	"context"
	"encoding/json"
	"time"

	"svc/server/domain/ci/protectedenvironment"
	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// pipelineTx is one locked pipeline in a transaction. Jobs are moved in memory, and settle writes the changes at the end.
type pipelineTx struct {
	*Engine
	at       time.Time
	pipeline model.Pipeline
	jobs     []model.Job // without retried jobs, in the order of stages
	moves    map[int64]store.JobMove
	queued   bool                        // a job became pending for a runner
	resource map[string]bool             // keys of resource groups whose jobs have moved
	forHooks hookChanges                 // what is sent to webhooks
	rules    *protectedenvironment.Rules // for the environments of the jobs; nil if nobody asked yet
}

// update changes a pipeline in one transaction: it locks the pipeline, calls f, and settles what follows from the moves.
func (e *Engine) update(ctx context.Context, pipelineID int64, f func(ctx context.Context, w *pipelineTx) error) error {
	return e.store.Tx(ctx, func(ctx context.Context) error {
		w := &pipelineTx{Engine: e, at: now(ctx), moves: map[int64]store.JobMove{}, resource: map[string]bool{}}
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
		return w.writeChanges(ctx)
	})
}

// job returns the job with the given ID, or nil if it was retried or belongs to another pipeline.
func (w *pipelineTx) job(id int64) *model.Job {
	for i := range w.jobs {
		if w.jobs[i].ID == id {
			return &w.jobs[i]
		}
	}
	return nil
}

// move applies an event to a job. It returns false if the job's status does not allow the event.
func (w *pipelineTx) move(j *model.Job, event status.Event) bool {
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

// fail drops a job with a reason.
func (w *pipelineTx) fail(j *model.Job, reason status.Reason) bool {
	if !w.move(j, status.Drop) {
		return false
	}
	if status.Status(j.Status) != status.Failed {
		return true // the job was being canceled, so it is canceled now
	}
	m := w.moves[j.ID]
	m.FailureReason = string(reason)
	w.moves[j.ID] = m
	text := string(reason)
	j.FailureReason = &text
	return true
}

// writeChanges processes the pipeline and writes all changes.
func (w *pipelineTx) writeChanges(ctx context.Context) error {
	if err := w.process(ctx); err != nil {
		return err
	}
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
		store.AfterCommit(ctx, w.signal.Notify)
	}
	if err := w.updateDeployments(ctx); err != nil {
		return err
	}
	if err := w.updatePipeline(ctx); err != nil {
		return err
	}
	if err := w.enqueueFollowUps(ctx); err != nil {
		return err
	}
	return w.announceHooks(ctx)
}

// enqueueFollowUps queues the background jobs that the moves require: for bridges, delayed jobs and resource groups.
func (w *pipelineTx) enqueueFollowUps(ctx context.Context) error {
	for i := range w.jobs {
		j := &w.jobs[i]
		m, moved := w.moves[j.ID]
		if !moved {
			continue
		}
		var err error
		switch {
		case j.Bridge && m.Status == string(status.Pending):
			err = w.enqueue(ctx, Bridge{JobID: j.ID})
		case m.Status == string(status.Scheduled):
			err = w.schedule(ctx, StartDelayed{JobID: j.ID}, *j.ScheduledAt)
		}
		if err != nil {
			return err
		}
	}
	for key := range w.resource {
		if err := w.enqueue(ctx, AssignResource{ProjectID: w.pipeline.ProjectID, Key: key}); err != nil {
			return err
		}
	}
	return nil
}

// needs returns the names of the jobs that a job waits for, or false if it waits for the earlier stages.
func needs(j *model.Job) ([]string, bool) {
	if j.Needs == nil {
		return nil, false
	}
	var names []string
	if err := json.Unmarshal([]byte(*j.Needs), &names); err != nil {
		return nil, false // we wrote the JSON, so it is valid
	}
	return names, true
}
