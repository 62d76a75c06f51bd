package issues

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// UpdateProjectIssue changes an issue.
// PUT /projects/{id}/issues/{issue_iid}
func (s *Issues) UpdateProjectIssue(
	ctx context.Context, req gen.UpdateProjectIssueRequestObject,
) (gen.UpdateProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.UpdateIssue)
	if err != nil {
		return nil, err
	}
	if err := issue.CheckMayChange(ctx, row, found); err != nil {
		return nil, err
	}
	change := changeFrom(*req.Body, s.show.Paid)
	if !change.IsSet() {
		return nil, apierr.BadParameter("assignee_id, assignee_ids, confidential, created_at, description, " +
			"discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, " +
			"issue_type, weight, epic_id are missing, at least one parameter must be provided")
	}
	changed, err := s.issues.Apply(ctx, row, found, change)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectIssue200JSONResponse(s.presentOne(ctx, row.Project.FullPath, changed)), nil
}

// changeFrom reads a change of an issue from the request. Only paid tiers have weights and epics.
func changeFrom(body gen.IssueUpdate, paid bool) issue.Change {
	c := issue.Change{
		Title: body.Title, Description: body.Description,
		Labels:      issuable.LabelInput{Set: body.Labels, Add: body.AddLabels, Remove: body.RemoveLabels},
		AssigneeIDs: assigneesFrom(body), MilestoneID: body.MilestoneID, Confidential: body.Confidential,
		DiscussionLocked: body.DiscussionLocked, UpdatedAt: body.UpdatedAt.Std(), IterationID: body.IterationID,
	}
	if body.DueDate.IsSet() {
		c.DueDate = wire.Maybe(day(body.DueDate.Ptr()))
	}
	if body.IssueType != nil {
		name := string(*body.IssueType)
		c.Type = &name
	}
	if body.StateEvent != nil {
		c.State = string(*body.StateEvent)
	}
	if paid {
		c.Weight, c.EpicID = body.Weight, body.EpicID
	}
	return c
}

// assigneesFrom returns the assignees that the request sets, or nil. The list wins over the single assignee.
func assigneesFrom(body gen.IssueUpdate) *[]int64 {
	if body.AssigneeIds != nil || !body.AssigneeID.IsSet() {
		return body.AssigneeIds
	}
	if one := body.AssigneeID.Ptr(); one != nil {
		return &[]int64{*one}
	}
	return &[]int64{}
}

func day(date *wire.Date) *time.Time {
	if date == nil {
		return nil
	}
	return &date.Time
}
