package issues

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// SetProjectIssueTimeEstimate sets the time estimate of an issue.
// POST /projects/{id}/issues/{issue_iid}/time_estimate
func (s *Issues) SetProjectIssueTimeEstimate(
	ctx context.Context, req gen.SetProjectIssueTimeEstimateRequestObject,
) (gen.SetProjectIssueTimeEstimateResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.Estimate(ctx, t, callerID(ctx), req.Body.Duration)
	})
	return gen.SetProjectIssueTimeEstimate200JSONResponse(shown), err
}

// ResetProjectIssueTimeEstimate removes the time estimate of an issue.
// POST /projects/{id}/issues/{issue_iid}/reset_time_estimate
func (s *Issues) ResetProjectIssueTimeEstimate(
	ctx context.Context, req gen.ResetProjectIssueTimeEstimateRequestObject,
) (gen.ResetProjectIssueTimeEstimateResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.ResetEstimate(ctx, t, callerID(ctx))
	})
	return gen.ResetProjectIssueTimeEstimate200JSONResponse(shown), err
}

// AddProjectIssueSpentTime adds spent time to an issue.
// POST /projects/{id}/issues/{issue_iid}/add_spent_time
func (s *Issues) AddProjectIssueSpentTime(
	ctx context.Context, req gen.AddProjectIssueSpentTimeRequestObject,
) (gen.AddProjectIssueSpentTimeResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.Spend(ctx, t, callerID(ctx), req.Body.Duration, req.Body.Summary, clock.Now(ctx))
	})
	return gen.AddProjectIssueSpentTime201JSONResponse(shown), err
}

// ResetProjectIssueSpentTime removes the spent time of an issue.
// POST /projects/{id}/issues/{issue_iid}/reset_spent_time
func (s *Issues) ResetProjectIssueSpentTime(
	ctx context.Context, req gen.ResetProjectIssueSpentTimeRequestObject,
) (gen.ResetProjectIssueSpentTimeResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.ResetSpent(ctx, t, callerID(ctx))
	})
	return gen.ResetProjectIssueSpentTime200JSONResponse(shown), err
}

// times changes the time tracking of an issue and presents the result.
func (s *Issues) times(
	ctx context.Context, ref string, iid int64, change func(issuable.Target) error,
) (gen.TimeStats, error) {
	row, found, err := s.find(ctx, ref, iid, access.AdminIssue)
	if err != nil {
		return gen.TimeStats{}, err
	}
	if err := change(issuable.IssueTarget(row.Project, found.Issue, issue.AssigneeIDs(found))); err != nil {
		return gen.TimeStats{}, err
	}
	found, err = s.issues.Get(ctx, row, iid)
	return present.TimeStats(found.Issue.TimeEstimate, found.Issue.TotalTimeSpent), err
}
