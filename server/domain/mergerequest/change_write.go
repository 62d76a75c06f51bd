package mergerequest

import (
	"context"
	"errors"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/store/model"
)

// write writes an update with its system notes, events and notifications, in the caller's transaction.
func (s *Service) write(ctx context.Context, row model.ProjectRow, id int64, u update) error {
	before, err := s.store.MergeRequests.Lock(ctx, id)
	if err != nil {
		return err
	}
	watch, err := s.issuables.Hooks.WatchMergeRequest(ctx, row.Project, id)
	if err != nil {
		return err
	}
	if err := s.writeChange(ctx, row, before, u); err != nil {
		return err
	}
	return watch.Announce(ctx, announce.MergeRequestChange{UserID: caller(ctx)})
}

// writeChange writes an update of a locked merge request.
func (s *Service) writeChange(ctx context.Context, row model.ProjectRow, before model.MergeRequest, u update) error {
	t := issuable.MergeRequestTarget(row.Project, before)
	if err := s.setState(ctx, row.Project, t, before, u); err != nil {
		return err
	}
	if err := s.store.MergeRequests.Update(ctx, before.ID, u.set); err != nil {
		return err
	}
	if u.comparison != nil {
		after := before
		after.HeadPipelineID = nil
		if err := s.merger.AddVersion(ctx, after, *u.comparison); err != nil {
			return err
		}
	}
	if err := s.issuables.AddSystemNotes(ctx, t, caller(ctx), notesOf(before, u)...); err != nil {
		return err
	}
	if err := s.updateReferences(ctx, t, before, u); err != nil {
		return err
	}
	if m := u.parts.Milestone; m != nil && wire.Value(*m) != wire.Value(before.MilestoneID) {
		if err := s.issuables.RecordMilestone(ctx, t, caller(ctx), before.MilestoneID, *m); err != nil {
			return err
		}
	}
	if err := s.relabel(ctx, row.Project, t, u.parts); err != nil {
		return err
	}
	return errors.Join(s.reassign(ctx, t, u.parts), s.requestReviews(ctx, t, u.parts))
}

// updateReferences stores the issues that a new title or description mentions, and adds to-dos for the users.
func (s *Service) updateReferences(ctx context.Context, t issuable.Target, before model.MergeRequest, u update) error {
	if u.title == nil && !u.description.IsSet() {
		return nil
	}
	title, body := before.Title, wire.Value(before.Description)
	old := title + "\n" + body
	if u.title != nil {
		title = *u.title
	}
	if u.description.IsSet() {
		body = wire.Value(u.description.Ptr())
	}
	text := title + "\n" + body
	if err := s.issuables.StoreReferences(ctx, t.Project, before.ID, text, access.Reader(ctx)); err != nil {
		return err
	}
	return s.issuables.AddMentionTodos(ctx, t, caller(ctx), text, old, nil)
}

// notesOf returns the system notes about an update.
func notesOf(before model.MergeRequest, u update) []issuable.SystemNote {
	var notes []issuable.SystemNote
	if u.title != nil && *u.title != before.Title {
		notes = append(notes, issuable.TitleNote(before.Title, *u.title))
		switch draft := issuable.IsDraft(*u.title); {
		case draft && !before.Draft:
			notes = append(notes, issuable.SimpleNote("title", "marked this merge request as **draft**"))
		case !draft && before.Draft:
			notes = append(notes, issuable.SimpleNote("title", "marked this merge request as **ready**"))
		}
	}
	if u.description.IsSet() && wire.Value(u.description.Ptr()) != wire.Value(before.Description) {
		notes = append(notes, issuable.SimpleNote("description", "changed the description"))
	}
	if branch, ok := u.set["target_branch"].(string); ok {
		text := "changed target branch from `" + before.TargetBranch + "` to `" + branch + "`"
		notes = append(notes, issuable.SimpleNote("branch", text))
	}
	if locked, ok := u.set["discussion_locked"].(*bool); ok && wire.Value(locked) != wire.Value(before.DiscussionLocked) {
		notes = append(notes, issuable.LockNote(wire.Value(locked), model.OnMergeRequest))
	}
	return notes
}
