package mergerequest

import (
	"context"
	"errors"

	"svc/openapi/wire"
	"svc/server/domain/discussion/mention"
	"svc/server/domain/issuable"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/store/model"
)

// write writes an update with its system notes, events and notifications, in the caller's transaction. It returns the
// new row.
func (s *Service) write(
	ctx context.Context, row model.ProjectRow, id int64, u update,
) (after model.MergeRequest, err error) {
	ctx, err = s.issuables.Hooks.Expect(ctx, row.Project)
	if err != nil {
		return after, err
	}
	before, err := s.store.MergeRequests.Lock(ctx, id)
	if err != nil {
		return before, err
	}
	watch, err := s.issuables.Hooks.WatchMergeRequest(ctx, row.Project, id)
	if err != nil {
		return before, err
	}
	t := issuable.MergeRequestTarget(row.Project, before)
	if after, err = s.writeRow(ctx, t, before, u); err != nil {
		return after, err
	}
	if err := s.writeParts(ctx, row, t, before, u); err != nil {
		return after, err
	}
	return after, watch.Announce(ctx, announce.MergeRequestChange{UserID: caller(ctx)})
}

// writeRow writes the columns of a locked merge request, and a new version if its target branch changes. It returns the
// new row.
func (s *Service) writeRow(
	ctx context.Context, t issuable.Target, before model.MergeRequest, u update,
) (model.MergeRequest, error) {
	if err := s.setState(ctx, t.Project, t, before, u); err != nil {
		return before, err
	}
	after, err := s.store.MergeRequests.Update(ctx, before.ID, u.set)
	if err != nil || u.comparison == nil {
		return after, err
	}
	version := before
	version.HeadPipelineID = nil
	if err := s.merger.AddVersion(ctx, version, *u.comparison); err != nil {
		return after, err
	}
	return s.store.MergeRequests.Find(ctx, before.ID) // adding the version has changed it
}

// writeParts writes what belongs to an update besides the row: system notes, references, labels and people.
func (s *Service) writeParts(
	ctx context.Context, row model.ProjectRow, t issuable.Target, before model.MergeRequest, u update,
) error {
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
	if mention.AnyIssue(old) || mention.AnyIssue(text) { // else there are no references, and there were none
		if err := s.issuables.StoreReferences(ctx, t.Project, before.ID, text, access.Reader(ctx)); err != nil {
			return err
		}
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
