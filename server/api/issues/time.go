package issues

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// TimeEstimateProjectIssue sets the time estimate of an issue.
// POST /projects/{id}/issues/{issue_iid}/time_estimate
func (s *Issues) TimeEstimateProjectIssue(
	ctx context.Context, req gen.TimeEstimateProjectIssueRequestObject,
) (gen.TimeEstimateProjectIssueResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.Estimate(ctx, t, callerID(ctx), req.Body.Duration)
	})
	return gen.TimeEstimateProjectIssue200JSONResponse(shown), err
}

// ResetTimeEstimateProjectIssue removes the time estimate of an issue.
// POST /projects/{id}/issues/{issue_iid}/reset_time_estimate
func (s *Issues) ResetTimeEstimateProjectIssue(
	ctx context.Context, req gen.ResetTimeEstimateProjectIssueRequestObject,
) (gen.ResetTimeEstimateProjectIssueResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.ResetEstimate(ctx, t, callerID(ctx))
	})
	return gen.ResetTimeEstimateProjectIssue200JSONResponse(shown), err
}

// AddSpentTimeProjectIssue adds spent time to an issue.
// POST /projects/{id}/issues/{issue_iid}/add_spent_time
func (s *Issues) AddSpentTimeProjectIssue(
	ctx context.Context, req gen.AddSpentTimeProjectIssueRequestObject,
) (gen.AddSpentTimeProjectIssueResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.Spend(ctx, t, callerID(ctx), req.Body.Duration, req.Body.Summary, time.Now())
	})
	return gen.AddSpentTimeProjectIssue201JSONResponse(shown), err
}

// ResetSpentTimeProjectIssue removes the spent time of an issue.
// POST /projects/{id}/issues/{issue_iid}/reset_spent_time
func (s *Issues) ResetSpentTimeProjectIssue(
	ctx context.Context, req gen.ResetSpentTimeProjectIssueRequestObject,
) (gen.ResetSpentTimeProjectIssueResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, func(t issuable.Target) error {
		return s.issuables.ResetSpent(ctx, t, callerID(ctx))
	})
	return gen.ResetSpentTimeProjectIssue200JSONResponse(shown), err
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
