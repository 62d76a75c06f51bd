package mergerequest

import (
	"context"
	"errors"
	"time"

	"svc/store/git"
	"svc/store/model"
)

// CheckJob is the job that checks whether a merge request can be merged.
type CheckJob struct {
	ID int64 `json:"id"`
}

// Kind returns the name of the job in the queue.
func (CheckJob) Kind() string { return "merge_request_check" }

// RunCheck checks a merge request.
func (m *Merger) RunCheck(ctx context.Context, job CheckJob) error {
	mr, err := m.Store.MergeRequests.Find(ctx, job.ID)
	if err != nil {
		return ignoreNotFound(err)
	}
	row, err := m.Store.Projects.Get(ctx, mr.ProjectID, "", serviceReader)
	if err != nil {
		return ignoreNotFound(err)
	}
	_, err = m.Check(ctx, row.Project, mr)
	return err
}

// ScheduleChecks schedules a check of the open merge requests that have not been checked yet.
func (m *Merger) ScheduleChecks(ctx context.Context, rows []model.MergeRequestRow) error {
	return m.Store.Tx(ctx, func(ctx context.Context) error {
		for i := range rows {
			if mr := rows[i].MergeRequest; mr.State == model.Opened && mr.MergeStatus == model.MergeUnchecked {
				if err := m.Enqueue(ctx, CheckJob{ID: mr.ID}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// CheckInTime is Check for a caller who waits for the response. If the check takes too long, it continues in the
// background.
func (m *Merger) CheckInTime(
	ctx context.Context, project model.Project, mr model.MergeRequest,
) (model.MergeRequest, error) {
	const patience = 5 * time.Second
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	checked, err := m.Check(short, project, mr)
	if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return checked, err
	}
	mr.MergeStatus = model.MergeChecking
	return mr, m.Enqueue(ctx, CheckJob{ID: mr.ID})
}

// Check finds out whether a merge request can be merged, unless the result for these two commits is stored, and returns
// the merge request with the result.
func (m *Merger) Check(ctx context.Context, project model.Project, mr model.MergeRequest) (model.MergeRequest, error) {
	if mr.State != model.Opened {
		return mr, nil
	}
	tips, err := m.Tips(ctx, project, mr)
	if err != nil {
		return mr, err
	}
	if tips.Target != mr.TargetSHA { // the push that moved it is about to end, or this is the first check
		if err := m.Store.MergeRequests.UpdateInternal(
			ctx, mr.ID, map[string]any{"target_sha": tips.Target, "merge_status": model.MergeUnchecked},
		); err != nil {
			return mr, err
		}
		mr.TargetSHA, mr.MergeStatus = tips.Target, model.MergeUnchecked
	}
	broken := tips.Source == "" || tips.Target == ""
	if !broken && (mr.MergeStatus == model.MergePossible || mr.MergeStatus == model.MergeRefused) {
		return mr, nil
	}
	mr.MergeStatus = model.MergeRefused
	if !broken {
		if mr.MergeStatus, mr.Diverged, err = m.mergeable(ctx, tips, mr.HeadSHA); err != nil {
			return mr, err
		}
	}
	set := map[string]any{"merge_status": mr.MergeStatus, "diverged": mr.Diverged}
	return mr, m.Store.MergeRequests.SetMergeStatus(ctx, mr, set)
}

// mergeable tries the merge with git.
func (m *Merger) mergeable(ctx context.Context, tips Tips, head string) (status string, diverged int64, err error) {
	if err := tips.TargetRepo.EnsureCommit(ctx, tips.SourceRepo, head); err != nil {
		if errors.Is(err, git.ErrNotFound) {
			return model.MergeRefused, 0, nil
		}
		return "", 0, err
	}
	if diverged, err = tips.TargetRepo.CountBetween(ctx, head, tips.Target); err != nil {
		return "", 0, err
	}
	ahead, err := tips.TargetRepo.CountBetween(ctx, tips.Target, head)
	if err != nil {
		return "", 0, err
	}
	if ahead == 0 {
		return model.MergeRefused, diverged, nil // there is nothing to merge
	}
	if diverged == 0 {
		return model.MergePossible, 0, nil
	}
	_, err = tips.TargetRepo.MergeCommits(ctx, tips.Target, head, false)
	switch {
	case errors.Is(err, git.ErrConflict), errors.Is(err, git.ErrUnrelated):
		return model.MergeRefused, diverged, nil
	case err != nil:
		return "", 0, err
	}
	return model.MergePossible, diverged, nil
}
