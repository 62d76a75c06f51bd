package mergerequests

import (
	"context"
	"slices"

	"svc/server/domain/issuable"
	"svc/server/platform/events"
)

// reassign changes the assignees of a merge request, creates to-dos for the new assignees and sends the notifications.
func (m *MergeRequests) reassign(ctx context.Context, t issuable.Target, p parts) error {
	if p.assignees == nil {
		return nil
	}
	before, err := m.store.MergeRequests.AssigneeIDs(ctx, t.ID)
	if err != nil {
		return err
	}
	after, err := m.issuables.Assignable(ctx, t, *p.assignees)
	if err != nil || slices.Equal(before, after) {
		return err
	}
	if err := m.store.MergeRequests.Assign(ctx, t.ID, after); err != nil {
		return err
	}
	added, removed, err := m.names(ctx, before, after)
	if err != nil {
		return err
	}
	me := caller(ctx)
	if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.AssigneeNote(added, removed)); err != nil {
		return err
	}
	if err := m.issuables.AddAssignedTodos(ctx, t, me, without(after, before)); err != nil {
		return err
	}
	return m.issuables.Notify(ctx, t, me, events.ReassignMergeRequest, before)
}

// names returns the usernames of the added and of the removed users.
func (m *MergeRequests) names(ctx context.Context, before, after []int64) (added, removed []string, err error) {
	wanted := map[int64]bool{}
	for _, id := range slices.Concat(before, after) {
		wanted[id] = true
	}
	users, err := m.store.Users.Shown(ctx, wanted)
	if err != nil {
		return nil, nil, err
	}
	name := func(ids []int64) []string {
		var names []string
		for _, id := range ids {
			if u := users[id]; u != nil {
				names = append(names, u.Username)
			}
		}
		return names
	}
	return name(without(after, before)), name(without(before, after)), nil
}

// without returns the IDs in all that are not in but.
func without(all, but []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return slices.Contains(but, id) })
}
