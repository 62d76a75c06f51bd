package issue

import (
	"context"
	"slices"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// Values of Change.State.
const (
	Close  = "close"
	Reopen = "reopen"
)

// Change describes what to change in an issue. Fields that are not set stay as they are.
type Change struct {
	Title            *string
	Description      wire.Optional[string]
	Labels           issuable.LabelInput
	AssigneeIDs      *[]int64
	MilestoneID      wire.Optional[int64] // null or 0 removes the milestone
	DueDate          wire.Optional[time.Time]
	Confidential     *bool
	DiscussionLocked *bool
	Type             *string
	Weight           wire.Optional[int64]
	IterationID      wire.Optional[int64] // null or 0 removes the iteration
	EpicID           wire.Optional[int64] // null or 0 removes the issue from its epic
	State            string               // Close or Reopen
	UpdatedAt        *time.Time           // only owners may set it
}

// IsSet reports whether the change has any field.
func (c Change) IsSet() bool {
	return c.Title != nil || c.Description.IsSet() || c.Labels.IsSet() || c.AssigneeIDs != nil ||
		c.MilestoneID.IsSet() || c.DueDate.IsSet() || c.Confidential != nil || c.DiscussionLocked != nil ||
		c.Type != nil || c.State != "" || c.UpdatedAt != nil || c.Weight.IsSet() || c.EpicID.IsSet() ||
		c.IterationID.IsSet()
}

// commandChange returns the change that quick actions make.
func commandChange(planned issuable.Change) Change {
	c := Change{
		Title: planned.Title, Labels: planned.Labels, AssigneeIDs: planned.Assignees,
		Confidential: planned.Confidential, DiscussionLocked: planned.Locked, State: planned.State,
	}
	if planned.Milestone != nil {
		c.MilestoneID = wire.Maybe(*planned.Milestone)
	}
	if planned.Due != nil {
		c.DueDate = wire.Maybe(*planned.Due)
	}
	if planned.Iteration != nil {
		c.IterationID = wire.Maybe(*planned.Iteration)
	}
	return c
}

// CheckMayChange refuses callers who may not change an issue. Users with at least the role Reporter, the author and the
// assignees may.
func CheckMayChange(ctx context.Context, row model.ProjectRow, found model.IssueRow) error {
	if row.Role() >= model.Reporter || found.Issue.AuthorID == callerID(ctx) ||
		slices.Contains(AssigneeIDs(found), callerID(ctx)) {
		return nil
	}
	return apierr.Forbidden()
}
