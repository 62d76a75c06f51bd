package issues

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/duration"
	"svc/server/issuable"
	"svc/server/present"
	"svc/store/model"
)

// TimeEstimateProjectIssue says how long an issue will take.
// POST /projects/{id}/issues/{issue_iid}/time_estimate
func (s *Issues) TimeEstimateProjectIssue(ctx context.Context, req gen.TimeEstimateProjectIssueRequestObject) (gen.TimeEstimateProjectIssueResponseObject, error) {
	seconds, ok := duration.Parse(req.Body.Duration)
	shown, err := s.times(ctx, req.ID, req.IssueIid, ok && seconds >= 0, func(ctx context.Context, t issuable.Target) error {
		if err := s.store.Timelogs.Estimate(ctx, model.OnIssue, t.ID, seconds); err != nil {
			return err
		}
		return s.desk.Note(ctx, t, me(ctx), issuable.Estimated(seconds))
	})
	return gen.TimeEstimateProjectIssue200JSONResponse(shown), err
}

// ResetTimeEstimateProjectIssue forgets how long an issue will take.
// POST /projects/{id}/issues/{issue_iid}/reset_time_estimate
func (s *Issues) ResetTimeEstimateProjectIssue(ctx context.Context, req gen.ResetTimeEstimateProjectIssueRequestObject) (gen.ResetTimeEstimateProjectIssueResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, true, func(ctx context.Context, t issuable.Target) error {
		if err := s.store.Timelogs.Estimate(ctx, model.OnIssue, t.ID, 0); err != nil {
			return err
		}
		return s.desk.Note(ctx, t, me(ctx), issuable.Estimated(0))
	})
	return gen.ResetTimeEstimateProjectIssue200JSONResponse(shown), err
}

// AddSpentTimeProjectIssue adds time that was spent on an issue.
// POST /projects/{id}/issues/{issue_iid}/add_spent_time
func (s *Issues) AddSpentTimeProjectIssue(ctx context.Context, req gen.AddSpentTimeProjectIssueRequestObject) (gen.AddSpentTimeProjectIssueResponseObject, error) {
	seconds, ok := duration.Parse(req.Body.Duration)
	shown, err := s.times(ctx, req.ID, req.IssueIid, ok && seconds != 0, func(ctx context.Context, t issuable.Target) error {
		log := model.Timelog{TargetType: model.OnIssue, TargetID: t.ID, UserID: me(ctx), Seconds: seconds, Summary: req.Body.Summary, SpentAt: time.Now().UTC()}
		enough, err := s.store.Timelogs.Add(ctx, &log)
		if err == nil && !enough {
			err = apierr.Invalid("time_spent", "Time to subtract exceeds the total time spent")
		}
		if err != nil {
			return err
		}
		return s.desk.Note(ctx, t, me(ctx), issuable.Spent(seconds))
	})
	return gen.AddSpentTimeProjectIssue201JSONResponse(shown), err
}

// ResetSpentTimeProjectIssue forgets the time that was spent on an issue.
// POST /projects/{id}/issues/{issue_iid}/reset_spent_time
func (s *Issues) ResetSpentTimeProjectIssue(ctx context.Context, req gen.ResetSpentTimeProjectIssueRequestObject) (gen.ResetSpentTimeProjectIssueResponseObject, error) {
	shown, err := s.times(ctx, req.ID, req.IssueIid, true, func(ctx context.Context, t issuable.Target) error {
		if err := s.store.Timelogs.Reset(ctx, model.OnIssue, t.ID); err != nil {
			return err
		}
		return s.desk.Note(ctx, t, me(ctx), issuable.Spent(0))
	})
	return gen.ResetSpentTimeProjectIssue200JSONResponse(shown), err
}

// GetProjectIssueTimeStats shows how long an issue takes.
// GET /projects/{id}/issues/{issue_iid}/time_stats
func (s *Issues) GetProjectIssueTimeStats(ctx context.Context, req gen.GetProjectIssueTimeStatsRequestObject) (gen.GetProjectIssueTimeStatsResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueTimeStats200JSONResponse(present.TimeStats(found.Issue.TimeEstimate, found.Issue.TotalTimeSpent)), nil
}

// times changes the times of an issue in one transaction with what is noted of it, and shows them. What is no time is refused, after
// the caller's right was looked at.
func (s *Issues) times(ctx context.Context, ref string, iid int64, valid bool, change func(context.Context, issuable.Target) error) (gen.TimeStats, error) {
	row, found, err := s.find(ctx, ref, iid, access.AdminIssue)
	if err != nil {
		return gen.TimeStats{}, err
	}
	if !valid {
		return gen.TimeStats{}, apierr.BadParameter("duration is invalid")
	}
	target := issuable.OfIssue(row.Project, found.Issue, assignees(found))
	if err := s.store.Tx(ctx, func(ctx context.Context) error { return change(ctx, target) }); err != nil {
		return gen.TimeStats{}, err
	}
	found, err = s.get(ctx, row, iid)
	return present.TimeStats(found.Issue.TimeEstimate, found.Issue.TotalTimeSpent), err
}
