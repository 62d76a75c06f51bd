package review

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/domain/discussion/note"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// maxDrafts is how many drafts a user can have on one merge request.
const maxDrafts = 1000

// NewDraft describes a draft note to create.
type NewDraft struct {
	Note     string
	CommitID string // empty for none
	Thread   string // the thread to reply to; empty begins a thread
	Resolve  bool   // whether the publication resolves the thread
	Position *string
}

// CreateDraft creates a draft note of the caller on a merge request.
func (s *Service) CreateDraft(ctx context.Context, item note.Item, n NewDraft) (model.DraftNote, error) {
	if err := item.CheckMayComment(); err != nil {
		return model.DraftNote{}, err
	}
	if err := note.CheckText(n.Note); err != nil {
		return model.DraftNote{}, err
	}
	row := model.DraftNote{
		MergeRequestID: item.On.ID, AuthorID: item.Caller, Note: n.Note, ResolveDiscussion: n.Resolve, Position: n.Position,
	}
	if err := s.checkThread(ctx, item, n, &row); err != nil {
		return row, err
	}
	if err := s.checkCommit(ctx, item, n.CommitID, &row); err != nil {
		return row, err
	}
	count, err := s.store.DraftNotes.Count(ctx, item.On.ID, item.Caller, maxDrafts)
	if err != nil {
		return row, err
	}
	if count >= maxDrafts {
		return row, apierr.Refused(fmt.Sprintf("Maximum number of draft notes exceeded (%d)", maxDrafts))
	}
	return row, s.store.DraftNotes.Create(ctx, &row)
}

// checkThread checks the thread that a draft replies to.
func (s *Service) checkThread(ctx context.Context, item note.Item, n NewDraft, row *model.DraftNote) error {
	if n.Resolve && (n.Thread == "" || item.CheckMayResolve() != nil) {
		return apierr.Invalid("base", "User is not allowed to resolve thread")
	}
	if n.Thread == "" {
		return nil
	}
	thread, err := s.notes.Thread(ctx, item, n.Thread)
	var missing *apierr.Error
	if errors.As(err, &missing) || err == nil && thread.Notes[0].Note.System {
		return apierr.Invalid("base", "Thread to reply to cannot be found")
	}
	row.DiscussionID = &n.Thread
	return err
}

// checkCommit checks the commit that a draft is about.
func (s *Service) checkCommit(ctx context.Context, item note.Item, id string, row *model.DraftNote) error {
	if id == "" || id == "undefined" {
		return nil
	}
	repo, err := s.pusher.Repo(item.Row.Project)
	if err != nil {
		return err
	}
	found, err := repo.Resolve(ctx, id)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
		return apierr.Invalid("commit_id", "is invalid")
	}
	row.CommitID = &found
	return err
}

// Draft returns a draft of the caller on a merge request.
func (s *Service) Draft(ctx context.Context, item note.Item, id int64) (model.DraftNote, error) {
	row, err := s.store.DraftNotes.Get(ctx, item.On.ID, item.Caller, id)
	return row, apierr.OrNotFound(err)
}

// UpdateDraft changes the text of a draft, and its position unless that is nil.
func (s *Service) UpdateDraft(
	ctx context.Context, item note.Item, row model.DraftNote, text string, position *string,
) (model.DraftNote, error) {
	if err := item.CheckMayComment(); err != nil {
		return row, err
	}
	if err := note.CheckText(text); err != nil {
		return row, err
	}
	row.Note = text
	if position != nil {
		row.Position = position
	}
	row, err := s.store.DraftNotes.Update(ctx, row)
	return row, apierr.OrNotFound(err)
}

// DeleteDraft deletes a draft, unless it was changed after the given time.
func (s *Service) DeleteDraft(ctx context.Context, row model.DraftNote, unchangedSince *time.Time) error {
	return s.store.DraftNotes.Delete(ctx, row, unchangedSince)
}

// PublishAll publishes all drafts of the caller on a merge request, the oldest first. If one cannot be published, none
// is.
func (s *Service) PublishAll(ctx context.Context, item note.Item) error {
	rows, err := s.store.DraftNotes.All(ctx, item.On.ID, item.Caller, maxDrafts)
	if err != nil || len(rows) == 0 {
		return err
	}
	return s.Publish(ctx, item, rows...)
}

// Publish turns drafts into notes, in one transaction.
func (s *Service) Publish(ctx context.Context, item note.Item, drafts ...model.DraftNote) error {
	fresh := make([]note.NewNote, len(drafts))
	for i, d := range drafts {
		fresh[i] = note.NewNote{Body: d.Note, Opens: true, Position: d.Position, CommitID: d.CommitID}
		if d.DiscussionID != nil {
			fresh[i].Thread, fresh[i].Opens, fresh[i].Resolve = *d.DiscussionID, false, &d.ResolveDiscussion
		}
	}
	return s.notes.CreateAll(ctx, item, fresh, func(ctx context.Context) error {
		for _, d := range drafts {
			if err := s.store.DraftNotes.Delete(ctx, d, nil); err != nil {
				return apierr.OrNotFound(err) // somebody else has published it
			}
		}
		return nil
	})
}
