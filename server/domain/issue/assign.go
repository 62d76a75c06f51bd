package issue

import (
	"context"
	"slices"

	"svc/server/domain/issuable"
	"svc/server/platform/events"
	"svc/store/model"
)

// reassign changes the assignees of the issue, creates to-dos for the new assignees and sends the notifications. It
// returns the assignees after the change.
func (u *update) reassign(ctx context.Context, before model.Issue) ([]int64, error) {
	had := AssigneeIDs(u.found)
	if u.change.AssigneeIDs == nil {
		return had, nil
	}
	target := issuable.IssueTarget(u.row.Project, before, had)
	assignees, err := u.issuables.Assignable(ctx, target, *u.change.AssigneeIDs)
	if err != nil || slices.Equal(assignees, had) {
		return had, err
	}
	added, removed := without(assignees, had), without(had, assignees)
	if err := u.store.Issues.Reassign(ctx, before.ID, assignees); err != nil {
		return assignees, err
	}
	names, err := u.usernames(ctx, append(slices.Clone(added), removed...))
	if err != nil {
		return assignees, err
	}
	u.notes = append(u.notes, issuable.AssigneeNote(usernamesOf(names, added), usernamesOf(names, removed)))
	target.Assignees = assignees
	if err := u.issuables.AddAssignedTodos(ctx, target, callerID(ctx), added); err != nil {
		return assignees, err
	}
	return assignees, u.issuables.Notify(ctx, target, callerID(ctx), events.ReassignIssue, had)
}

// without returns the IDs that are not in the other list.
func without(ids, other []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(other, id) })
}

// usernames returns the usernames of users by their IDs.
func (u *update) usernames(ctx context.Context, ids []int64) (map[int64]string, error) {
	rows, err := u.store.Projects.Readers(ctx, u.row.Project.ID, ids, nil)
	names := map[int64]string{}
	for _, user := range u.found.Assignees {
		names[user.ID] = user.Username
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
