package issue

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// Apply changes an issue: it writes the row, its labels and assignees, its system notes, events and to-dos. It applies
// only the fields that the role of the caller may change. The caller must pass CheckMayChange. It returns the issue as it
// is then.
func (s *Service) Apply(
	ctx context.Context, row model.ProjectRow, found model.IssueRow, c Change,
) (model.IssueRow, error) {
	if row.Role() < model.Reporter {
		c = Change{Title: c.Title, Description: c.Description, State: c.State, Type: c.Type}
	}
	u := &update{Service: s, row: row, found: found, change: c, set: map[string]any{}}
	if err := u.compare(ctx); err != nil {
		return found, err
	}
	compared := u.notes
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		u.notes = slices.Clone(compared) // the transaction may run again
		return u.write(ctx)
	})
	if err != nil {
		return found, err
	}
	if !u.keepsParts() {
		return s.Get(ctx, row, found.Issue.IID)
	}
	found.Issue = u.after
	return found, nil
}

// keepsParts reports whether the issue still has the people, labels and so on that were read before the change: nobody
// else has changed the issue in the meantime, and the change is only about its own row.
func (u *update) keepsParts() bool {
	c, before, after := u.change, u.before, u.after
	return before.UpdatedAt.Equal(u.found.Issue.UpdatedAt) && !c.Labels.IsSet() && c.AssigneeIDs == nil && c.State == "" &&
		u.epic == nil && wire.Value(before.MilestoneID) == wire.Value(u.found.Issue.MilestoneID) &&
		wire.Value(after.MilestoneID) == wire.Value(before.MilestoneID) &&
		wire.Value(after.IterationID) == wire.Value(before.IterationID)
}

// update is one change of an issue while it is applied.
type update struct {
	*Service
	row    model.ProjectRow
	found  model.IssueRow
	change Change
	epic   **model.EpicRow       // the new epic; nil if it stays as it is
	set    map[string]any        // the columns to write
	notes  []issuable.SystemNote // the system notes to write

	before, after model.Issue // the row as it was locked, and as it was written
}

// note sets a column and adds a system note about the change.
func (u *update) note(column string, value any, note issuable.SystemNote) {
	u.set[column] = value
	u.notes = append(u.notes, note)
}

// compare validates the change and compares it with the issue.
func (u *update) compare(ctx context.Context) error {
	if err := u.compareText(); err != nil {
		return err
	}
	u.compareSettings()
	if c := u.change; c.UpdatedAt != nil && u.row.Role() >= model.Owner {
		if at := c.UpdatedAt.UTC(); at.Year() >= 1970 && at.Before(clock.Now(ctx).Add(time.Minute)) {
			u.set["updated_at"] = at
		}
	}
	if err := u.compareDueDate(); err != nil {
		return err
	}
	if err := u.compareIteration(ctx); err != nil {
		return err
	}
	if err := u.compareEpic(ctx); err != nil {
		return err
	}
	return u.compareMilestone(ctx)
}

// compareText compares the title and the description.
func (u *update) compareText() error {
	c, i := u.change, u.found.Issue
	if c.Title != nil {
		title := strings.TrimSpace(*c.Title)
		if title == "" {
			return apierr.Invalid("title", "can't be blank")
		}
		if title != i.Title {
			u.note("title", title, issuable.TitleNote(i.Title, title))
		}
	}
	if c.Description.IsSet() && wire.Value(c.Description.Ptr()) != wire.Value(i.Description) {
		u.note("description", c.Description.Ptr(), issuable.SimpleNote("description", "changed the description"))
	}
	return nil
}

// compareSettings compares the visibility, the lock, the type and the weight.
func (u *update) compareSettings() {
	c, i := u.change, u.found.Issue
	if c.Confidential != nil && *c.Confidential != i.Confidential {
		u.note("confidential", *c.Confidential, issuable.ConfidentialNote(*c.Confidential))
	}
	if c.DiscussionLocked != nil && (i.DiscussionLocked == nil && *c.DiscussionLocked ||
		i.DiscussionLocked != nil && *c.DiscussionLocked != *i.DiscussionLocked) {
		u.note("discussion_locked", *c.DiscussionLocked, issuable.LockNote(*c.DiscussionLocked, model.OnIssue))
	}
	if c.Type != nil && *c.Type != i.IssueType {
		u.note(
			"issue_type", *c.Type, issuable.SimpleNote("issue_type", "changed type from "+i.IssueType+" to "+*c.Type),
		)
	}
	weight := c.Weight.Ptr()
	if c.Weight.IsSet() && ((weight == nil) != (i.Weight == nil) || weight != nil && *weight != *i.Weight) {
		u.note("weight", weight, issuable.WeightNote(weight))
	}
}

// compareDueDate compares the due date.
func (u *update) compareDueDate() error {
	if !u.change.DueDate.IsSet() {
		return nil
	}
	due, before := u.change.DueDate.Ptr(), u.found.Issue.DueDate
	if err := checkDueDate(due); err != nil {
		return err
	}
	if (due == nil) != (before == nil) || due != nil && !due.Equal(*before) {
		u.note("due_date", due, issuable.DueDateNote(due))
	}
	return nil
}

// compareMilestone compares the milestone, which must belong to the project or to a group above it.
func (u *update) compareMilestone(ctx context.Context) error {
	if !u.change.MilestoneID.IsSet() {
		return nil
	}
	id, before := u.change.MilestoneID.Ptr(), u.found.Issue.MilestoneID
	if id == nil || *id == 0 {
		if before != nil {
			u.note("milestone_id", nil, issuable.MilestoneNote(nil))
		}
		return nil
	}
	if before != nil && *before == *id {
		return nil
	}
	found, err := u.milestone(ctx, u.row, *id)
	if err == nil {
		u.note("milestone_id", *id, issuable.MilestoneNote(&found.Milestone))
	}
	return err
}

// compareIteration compares the iteration, which must belong to the group of the project or to a group above it.
func (u *update) compareIteration(ctx context.Context) error {
	if !u.change.IterationID.IsSet() {
		return nil
	}
	id, before := wire.Value(u.change.IterationID.Ptr()), wire.Value(u.found.Issue.IterationID)
	switch id {
	case before:
		return nil
	case 0:
		u.note("iteration_id", nil, issuable.IterationNote(nil))
		return nil
	}
	found, err := u.iteration(ctx, u.row, id)
	if err == nil {
		u.note("iteration_id", id, issuable.IterationNote(&found.Iteration))
	}
	return err
}

// write writes the change. It also writes the system notes, to-dos, notifications and the new state. It must run in a
// transaction.
func (u *update) write(ctx context.Context) error {
	ctx, err := u.issuables.Hooks.Expect(ctx, u.row.Project)
	if err != nil {
		return err
	}
	before, err := u.store.Issues.Lock(ctx, u.found.Issue.ID)
	if err != nil {
		return err
	}
	watch, err := u.issuables.Hooks.WatchIssue(ctx, u.row.Project, before.ID)
	if err != nil {
		return err
	}
	if err := u.setEpic(ctx, before); err != nil {
		return err
	}
	relabelled, err := u.relabel(ctx, before)
	if err != nil {
		return err
	}
	assignees, err := u.reassign(ctx, before)
	if err != nil {
		return err
	}
	after := before
	if len(u.set) > 0 || relabelled || len(u.notes) > 0 {
		if after, err = u.store.Issues.Update(ctx, before, u.set); err != nil {
			return err
		}
	}
	u.before, u.after = before, after
	target, author := issuable.IssueTarget(u.row.Project, after, assignees), callerID(ctx)
	if err := u.issuables.AddSystemNotes(ctx, target, author, u.notes...); err != nil {
		return err
	}
	if err := u.recordChange(ctx, target, before, after); err != nil {
		return err
	}
	text, textBefore := wire.Value(after.Description), wire.Value(before.Description)
	if err := u.issuables.AddMentionTodos(ctx, target, author, text, textBefore, nil); err != nil {
		return err
	}
	if err := u.setState(ctx, after); err != nil {
		return err
	}
	return watch.Announce(ctx, author, 0)
}

// recordChange records another milestone, another iteration and another weight.
func (u *update) recordChange(ctx context.Context, t issuable.Target, before, after model.Issue) error {
	if wire.Value(before.MilestoneID) != wire.Value(after.MilestoneID) {
		if err := u.issuables.RecordMilestone(ctx, t, callerID(ctx), before.MilestoneID, after.MilestoneID); err != nil {
			return err
		}
	}
	if wire.Value(before.IterationID) != wire.Value(after.IterationID) {
		if err := u.issuables.RecordIteration(ctx, t, callerID(ctx), before.IterationID, after.IterationID); err != nil {
			return err
		}
	}
	if (before.Weight == nil) == (after.Weight == nil) && wire.Value(before.Weight) == wire.Value(after.Weight) {
		return nil
	}
	return u.issuables.RecordWeight(ctx, t, callerID(ctx), after.Weight)
}

// setState closes or reopens the issue if the change says so.
func (u *update) setState(ctx context.Context, i model.Issue) error {
	if u.change.State == "" {
		return nil
	}
	state := model.Closed
	if u.change.State == Reopen {
		state = model.Opened
	}
	_, err := u.issuables.SetState(ctx, u.row.Project, i, callerID(ctx), state, "")
	return err
}

// relabel changes the labels of the issue. It reports whether any label was added or removed.
func (u *update) relabel(ctx context.Context, before model.Issue) (bool, error) {
	if !u.change.Labels.IsSet() {
		return false, nil
	}
	labels, err := u.issuables.Labels(ctx, u.row.Project, u.change.Labels, u.found.Labels, true)
	if err != nil {
		return false, err
	}
	added, removed, err := u.store.Issues.Relabel(ctx, before.ID, labels)
	if err != nil || len(added)+len(removed) == 0 {
		return false, err
	}
	u.notes = append(u.notes, issuable.LabelNote(added, removed))
	target := issuable.IssueTarget(u.row.Project, before, nil)
	return true, u.issuables.RecordLabels(ctx, target, callerID(ctx), added, removed)
}
