package mergerequests

import (
	"context"
	"errors"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/store/model"
)

// apply writes a change with its system notes, events and notifications, in the caller's transaction.
func (m *MergeRequests) apply(ctx context.Context, row model.ProjectRow, c change) error {
	before, err := m.store.MergeRequests.Lock(ctx, c.id)
	if err != nil {
		return err
	}
	t, me := issuable.MergeRequestTarget(row.Project, before), caller(ctx)
	if err := m.changeState(ctx, row, t, before, &c); err != nil {
		return err
	}
	if err := m.store.MergeRequests.Update(ctx, before.ID, c.set); err != nil {
		return err
	}
	if c.span != nil {
		after := before
		after.HeadPipelineID = nil
		if err := m.merger.AddVersion(ctx, after, *c.span); err != nil {
			return err
		}
	}
	if err := m.issuables.AddSystemNotes(ctx, t, me, notesOf(before, c)...); err != nil {
		return err
	}
	if c.title != nil || c.text.IsSet() {
		title, body := before.Title, wire.Value(before.Description)
		if c.title != nil {
			title = *c.title
		}
		if c.text.IsSet() {
			body = wire.Value(c.text.Ptr())
		}
		if err := m.issuables.StoreReferences(ctx, row.Project, before.ID, title+"\n"+body, access.Reader(ctx)); err != nil {
			return err
		}
		if err := m.issuables.AddMentionTodos(ctx, t, me, title+"\n"+body, before.Title+"\n"+wire.Value(before.Description), nil); err != nil {
			return err
		}
	}
	if err := m.relabel(ctx, row, t, c.parts); err != nil {
		return err
	}
	return errors.Join(m.reassign(ctx, t, c.parts), m.review(ctx, t, c.parts))
}

// notesOf returns the system notes about a change.
func notesOf(before model.MergeRequest, c change) []issuable.SystemNote {
	var notes []issuable.SystemNote
	if c.title != nil && *c.title != before.Title {
		notes = append(notes, issuable.TitleNote(before.Title, *c.title))
		switch draft := issuable.IsDraft(*c.title); {
		case draft && !before.Draft:
			notes = append(notes, issuable.SimpleNote("title", "marked this merge request as **draft**"))
		case !draft && before.Draft:
			notes = append(notes, issuable.SimpleNote("title", "marked this merge request as **ready**"))
		}
	}
	if c.text.IsSet() && wire.Value(c.text.Ptr()) != wire.Value(before.Description) {
		notes = append(notes, issuable.SimpleNote("description", "changed the description"))
	}
	if branch, ok := c.set["target_branch"].(string); ok {
		notes = append(notes, issuable.SimpleNote("branch", "changed target branch from `"+before.TargetBranch+"` to `"+branch+"`"))
	}
	if locked, ok := c.set["discussion_locked"].(*bool); ok && wire.Value(locked) != wire.Value(before.DiscussionLocked) {
		notes = append(notes, issuable.LockNote(wire.Value(locked), model.OnMergeRequest))
	}
	return notes
}
