package issues

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
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
	if !mayChange(ctx, row, found) {
		return nil, apierr.Forbidden()
	}
	if !s.show.Paid {
		req.Body.Weight = wire.Optional[int64]{}
	}
	if empty(*req.Body) {
		return nil, apierr.BadParameter("assignee_id, assignee_ids, confidential, created_at, description, " +
			"discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, " +
			"issue_type, weight are missing, at least one parameter must be provided")
	}
	if err := s.change(ctx, row, found, *req.Body); err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, row, found.Issue.IID)
	return gen.UpdateProjectIssue200JSONResponse(shown), err
}

// change applies the fields that the caller is allowed to change. The caller must be allowed to change the issue.
func (s *Issues) change(ctx context.Context, row model.ProjectRow, found model.IssueRow, body gen.IssueUpdate) error {
	if row.Role() < model.Reporter {
		body = gen.IssueUpdate{Title: body.Title, Description: body.Description, StateEvent: body.StateEvent, IssueType: body.IssueType}
	}
	c := &issueChange{Issues: s, row: row, found: found, body: body, set: map[string]any{}}
	if err := c.read(ctx); err != nil {
		return err
	}
	return s.store.Tx(ctx, c.write)
}

func empty(b gen.IssueUpdate) bool {
	return b.Title == nil && !b.Description.IsSet() && b.Labels == nil && b.AddLabels == nil && b.RemoveLabels == nil &&
		b.AssigneeIds == nil && !b.AssigneeID.IsSet() && !b.MilestoneID.IsSet() && !b.DueDate.IsSet() &&
		b.Confidential == nil && b.DiscussionLocked == nil && b.IssueType == nil && b.StateEvent == nil &&
		b.UpdatedAt == nil && !b.Weight.IsSet()
}

// issueChange is one change of an issue.
type issueChange struct {
	*Issues
	row   model.ProjectRow
	found model.IssueRow
	body  gen.IssueUpdate
	set   map[string]any        // the columns to write
	notes []issuable.SystemNote // the system notes to write
}

// note sets a column and adds a system note about the change.
func (c *issueChange) note(column string, value any, note issuable.SystemNote) {
	c.set[column] = value
	c.notes = append(c.notes, note)
}

// read validates the request and compares it with the issue.
func (c *issueChange) read(ctx context.Context) error {
	b, i := c.body, c.found.Issue
	if b.Title != nil {
		title := strings.TrimSpace(*b.Title)
		if title == "" {
			return apierr.Invalid("title", "can't be blank")
		}
		if title != i.Title {
			c.note("title", title, issuable.TitleNote(i.Title, title))
		}
	}
	if b.Description.IsSet() && wire.Value(b.Description.Ptr()) != wire.Value(i.Description) {
		c.note("description", b.Description.Ptr(), issuable.SimpleNote("description", "changed the description"))
	}
	if b.Confidential != nil && *b.Confidential != i.Confidential {
		c.note("confidential", *b.Confidential, issuable.ConfidentialNote(*b.Confidential))
	}
	if b.DiscussionLocked != nil && (i.DiscussionLocked == nil && *b.DiscussionLocked ||
		i.DiscussionLocked != nil && *b.DiscussionLocked != *i.DiscussionLocked) {
		c.note("discussion_locked", *b.DiscussionLocked, issuable.LockNote(*b.DiscussionLocked, model.OnIssue))
	}
	if b.IssueType != nil && string(*b.IssueType) != i.IssueType {
		c.note(
			"issue_type", string(*b.IssueType),
			issuable.SimpleNote("issue_type", "changed type from "+i.IssueType+" to "+string(*b.IssueType)),
		)
	}
	if weight := b.Weight.Ptr(); b.Weight.IsSet() && ((weight == nil) != (i.Weight == nil) || weight != nil && *weight != *i.Weight) {
		c.note("weight", weight, issuable.WeightNote(weight))
	}
	if b.UpdatedAt != nil && c.row.Role() >= model.Owner {
		if at := b.UpdatedAt.UTC(); at.Year() >= 1970 && at.Before(time.Now().Add(time.Minute)) {
			c.set["updated_at"] = at
		}
	}
	return c.readPlan(ctx)
}

// readPlan does the same as read for the due date and the milestone.
func (c *issueChange) readPlan(ctx context.Context) error {
	b, i := c.body, c.found.Issue
	if b.DueDate.IsSet() {
		due, err := day(b.DueDate)
		if err != nil {
			return err
		}
		if (due == nil) != (i.DueDate == nil) || due != nil && !due.Equal(*i.DueDate) {
			c.note("due_date", due, issuable.DueDateNote(due))
		}
	}
	if !b.MilestoneID.IsSet() {
		return nil
	}
	id := b.MilestoneID.Ptr()
	if id == nil || *id == 0 {
		if i.MilestoneID != nil {
			c.note("milestone_id", nil, issuable.MilestoneNote(nil))
		}
		return nil
	}
	if i.MilestoneID != nil && *i.MilestoneID == *id {
		return nil
	}
	found, err := c.milestone(ctx, c.row, *id)
	if err == nil {
		c.note("milestone_id", *id, issuable.MilestoneNote(&found.Milestone))
	}
	return err
}

// write applies the change. It also writes the system notes, to-dos, notifications and the new state. It must run in a
// transaction.
func (c *issueChange) write(ctx context.Context) error {
	before, err := c.store.Issues.Lock(ctx, c.found.Issue.ID)
	if err != nil {
		return err
	}
	labelled, err := c.relabel(ctx, before)
	if err != nil {
		return err
	}
	doing, err := c.reassign(ctx, before)
	if err != nil {
		return err
	}
	after := before
	if len(c.set) > 0 || labelled || len(c.notes) > 0 {
		if after, err = c.store.Issues.Update(ctx, before, c.set); err != nil {
			return err
		}
	}
	target := issuable.IssueTarget(c.row.Project, after, doing)
	if err := c.issuables.AddSystemNotes(ctx, target, callerID(ctx), c.notes...); err != nil {
		return err
	}
	if err := c.issuables.AddMentionTodos(ctx, target, callerID(ctx), wire.Value(after.Description), wire.Value(before.Description), nil); err != nil {
		return err
	}
	if c.body.StateEvent == nil {
		return nil
	}
	state := model.Closed
	if *c.body.StateEvent == gen.StateEventReopen {
		state = model.Opened
	}
	_, err = c.issuables.SetState(ctx, c.row.Project, after, callerID(ctx), state, "")
	return err
}

// relabel changes the labels of the issue. It reports whether any label was added or removed.
func (c *issueChange) relabel(ctx context.Context, before model.Issue) (bool, error) {
	input := issuable.LabelInput{Set: c.body.Labels, Add: c.body.AddLabels, Remove: c.body.RemoveLabels}
	if !input.IsSet() {
		return false, nil
	}
	labels, err := c.issuables.Labels(ctx, c.row.Project, input, c.found.Labels, true)
	if err != nil {
		return false, err
	}
	added, removed, err := c.store.Issues.Relabel(ctx, before.ID, labels)
	if err != nil || len(added)+len(removed) == 0 {
		return false, err
	}
	c.notes = append(c.notes, issuable.LabelNote(added, removed))
	return true, nil
}

// reassign changes the assignees of the issue, creates to-dos for the new assignees and sends the notifications. It
// returns the assignees after the change.
func (c *issueChange) reassign(ctx context.Context, before model.Issue) ([]int64, error) {
	had := assignees(c.found)
	wanted := valueOrNil(c.body.AssigneeIds)
	switch one := c.body.AssigneeID; {
	case c.body.AssigneeIds != nil:
	case !one.IsSet():
		return had, nil
	case one.Ptr() != nil:
		wanted = []int64{*one.Ptr()}
	}
	target := issuable.IssueTarget(c.row.Project, before, had)
	doing, err := c.issuables.Assignable(ctx, target, wanted)
	if err != nil || slices.Equal(doing, had) {
		return had, err
	}
	added := slices.DeleteFunc(slices.Clone(doing), func(id int64) bool { return slices.Contains(had, id) })
	removed := slices.DeleteFunc(slices.Clone(had), func(id int64) bool { return slices.Contains(doing, id) })
	if err := c.store.Issues.Reassign(ctx, before.ID, doing); err != nil {
		return doing, err
	}
	names, err := c.names(ctx, append(slices.Clone(added), removed...))
	if err != nil {
		return doing, err
	}
	c.notes = append(c.notes, issuable.AssigneeNote(usernamesOf(names, added), usernamesOf(names, removed)))
	target.Assignees = doing
	if err := c.issuables.AddAssignedTodos(ctx, target, callerID(ctx), added); err != nil {
		return doing, err
	}
	return doing, c.issuables.Notify(ctx, target, callerID(ctx), events.ReassignIssue, had)
}

// names returns the usernames of users by their IDs.
func (c *issueChange) names(ctx context.Context, ids []int64) (map[int64]string, error) {
	rows, err := c.store.Projects.Readers(ctx, c.row.Project.ID, ids, nil)
	names := map[int64]string{}
	for _, u := range c.found.Assignees {
		names[u.ID] = u.Username
	}
	for _, r := range rows {
		names[r.UserID] = r.Username
	}
	return names, err
}

func usernamesOf(names map[int64]string, ids []int64) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = names[id]
	}
	return out
}
