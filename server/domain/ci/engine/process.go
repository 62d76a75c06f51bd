package engine

import (
	"context"
	"fmt"
	"sort"
	"time"

	"svc/server/domain/ci/status"
	"svc/server/platform/events"
	"svc/store/model"
)

// process starts jobs whose turn has come, and repeats until nothing changes. One round may not be enough, because a
// job may wait for another that was skipped in the same round.
func (w *pipelineTx) process(ctx context.Context) error {
	for changed := true; changed; {
		changed = false
		results, byName, starts := w.results()
		for i := range w.jobs {
			j := &w.jobs[i]
			if status.Status(j.Status) != status.Created {
				continue
			}
			waiting, before := w.precedingResults(j, results, byName, starts)
			event, ok := status.Next(waiting, before)
			if !ok {
				continue
			}
			moved, err := w.begin(ctx, j, event)
			if err != nil {
				return err
			}
			if moved {
				results[i] = result(j)
				changed = true
			}
		}
	}
	return nil
}

func result(j *model.Job) status.Result {
	return status.Result{Status: status.Status(j.Status), AllowFailure: j.AllowFailure}
}

// results returns the results of all jobs, the index of each job by name, and the index of the first job of each stage.
func (w *pipelineTx) results() (all []status.Result, byName map[string]int, starts map[int64]int) {
	all = make([]status.Result, len(w.jobs))
	byName = make(map[string]int, len(w.jobs))
	starts = map[int64]int{}
	for i := range w.jobs {
		all[i] = result(&w.jobs[i])
		byName[w.jobs[i].Name] = i
		if _, known := starts[w.jobs[i].StageIndex]; !known {
			starts[w.jobs[i].StageIndex] = i
		}
	}
	return all, byName, starts
}

// precedingResults returns the conditions under which a job starts and the results of the jobs that it waits for.
func (w *pipelineTx) precedingResults(
	j *model.Job,
	all []status.Result,
	byName map[string]int,
	starts map[int64]int,
) (status.Waiting, []status.Result) {
	waiting := status.Waiting{When: j.RunWhen, ResourceGroup: j.ResourceGroup != nil}
	names, ok := needs(j)
	if !ok {
		return waiting, all[:starts[j.StageIndex]]
	}
	waiting.HasNeeds = true
	before := make([]status.Result, 0, len(names))
	for _, name := range names {
		if i, known := byName[name]; known {
			before = append(before, all[i])
		}
	}
	return waiting, before
}

// updatePipeline updates the status of the pipeline if it has changed.
func (w *pipelineTx) updatePipeline(ctx context.Context) error {
	all, _, _ := w.results()
	to, ok := status.Composite(all)
	from := status.Status(w.pipeline.Status)
	if !ok || to == from {
		return nil
	}
	p := &w.pipeline
	p.Status = string(to)
	change := status.TimestampsAfter(from, to)
	if change.Start && p.StartedAt == nil {
		p.StartedAt = &w.at
	}
	if change.Reopen {
		p.FinishedAt, p.Duration = nil, nil
	}
	if change.Finish {
		p.FinishedAt = &w.at
		seconds := int64(RunningTime(w.jobs, w.at) / time.Second)
		p.Duration = &seconds
	}
	if err := w.store.Pipelines.UpdateStatus(ctx, p); err != nil {
		return err
	}
	w.forHooks.pipeline = true
	if err := w.notify(ctx, change.Finish); err != nil {
		return err
	}
	if change.Finish {
		if err := w.notifyMergeRequests(ctx); err != nil {
			return err
		}
	}
	if p.UpstreamJobID != nil && (change.Finish || change.Reopen || to == status.Skipped) {
		return w.enqueue(ctx, UpdateBridge{PipelineID: p.ID})
	}
	return nil
}

// notify queues the notification that a pipeline ended. The worker decides later whether anybody gets it.
func (w *pipelineTx) notify(ctx context.Context, finished bool) error {
	p := w.pipeline
	event := map[status.Status]string{status.Failed: events.FailedPipeline, status.Success: events.SuccessPipeline}[status.Status(p.Status)]
	if !finished || event == "" || p.Child || p.UserID == nil {
		return nil
	}
	return w.enqueue(ctx, events.Notification{
		ID: fmt.Sprintf("pipeline%d.%d", p.ID, w.at.UnixMicro()), Event: event, ProjectID: p.ProjectID,
		TargetType: events.OnPipeline, TargetID: p.ID,
	})
}

// PipelineEnded is the background job that tells a merge request that a pipeline it waits for has ended.
type PipelineEnded struct {
	MergeRequestID int64 `json:"merge_request_id"`
	PipelineID     int64 `json:"pipeline_id"`
}

// Kind returns the name of the background job.
func (PipelineEnded) Kind() string { return "merge_request_pipeline" }

// notifyMergeRequests queues a Concluded job for each merge request that waits for the pipeline.
func (w *pipelineTx) notifyMergeRequests(ctx context.Context) error {
	waiting, err := w.store.MergeRequests.AwaitingPipeline(ctx, w.pipeline.ID)
	if err != nil {
		return err
	}
	for _, id := range waiting {
		if err := w.enqueue(ctx, PipelineEnded{MergeRequestID: id, PipelineID: w.pipeline.ID}); err != nil {
			return err
		}
	}
	return nil
}

// RunningTime returns how long at least one job ran. Time in which several jobs ran counts once.
func RunningTime(jobs []model.Job, at time.Time) time.Duration {
	var spans [][2]time.Time
	for i := range jobs {
		if jobs[i].StartedAt == nil {
			continue
		}
		end := at
		if jobs[i].FinishedAt != nil {
			end = *jobs[i].FinishedAt
		}
		spans = append(spans, [2]time.Time{*jobs[i].StartedAt, end})
	}
	sort.Slice(spans, func(i, k int) bool { return spans[i][0].Before(spans[k][0]) })
	var total time.Duration
	var until time.Time
	for _, span := range spans {
		from := span[0]
		if from.Before(until) {
			from = until
		}
		if span[1].After(from) {
			total += span[1].Sub(from)
			until = span[1]
		}
	}
	return total
}

// Process is the background job that processes a pipeline after something outside the pipeline has moved one of its
// jobs.
type Process struct {
	PipelineID int64 `json:"pipeline_id"`
}

// Kind returns the name of the background job.
func (Process) Kind() string { return "ci_process" }

// Process starts the jobs of a pipeline whose turn has come and updates the status of the pipeline.
func (e *Engine) Process(ctx context.Context, job Process) error {
	return ignoreStale(e.update(ctx, job.PipelineID, func(context.Context, *pipelineTx) error { return nil }))
}
