package note

import (
	"context"
	"errors"

	"svc/server/domain/discussion/award"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// Find returns an issue, a merge request or a snippet that the caller may read, in a project where the caller has the
// ability. The iid of a snippet is its id.
func (s *Service) Find(ctx context.Context, ref, kind string, iid int64, ability access.Ability) (Item, error) {
	row, err := s.access.Project(ctx, ref, ability)
	if err != nil {
		return Item{}, err
	}
	return s.In(ctx, row, kind, iid)
}

// In returns an issue, a merge request or a snippet that the caller may read, in a project as the caller sees it.
func (s *Service) In(ctx context.Context, row model.ProjectRow, kind string, iid int64) (Item, error) {
	if kind == model.OnIssue && !row.ReadsIssues() || kind == model.OnMergeRequest && !row.ReadsMergeRequests() ||
		kind == model.OnSnippet && !row.ReadsSnippets() {
		return Item{}, apierr.Forbidden() // as the item itself responds
	}
	on, err := s.store.Noteables.Find(ctx, kind, row.Project.ID, iid)
	if err != nil {
		return Item{}, apierr.OrNotFound(err)
	}
	item := Item{Row: row, On: on, Caller: caller(ctx)}
	if kind == model.OnSnippet {
		if !access.ReadsSnippet(model.Snippet{AuthorID: on.AuthorID, Visibility: on.Visibility}, &row, access.Reader(ctx)) {
			return Item{}, apierr.NotFound("Snippet")
		}
		return item, nil
	}
	if !access.ReadsNoteable(row, on, item.Caller) {
		return Item{}, apierr.RecordNotFound()
	}
	return item, nil
}

// Commit returns a commit of a project where the caller has the ability.
func (s *Service) Commit(ctx context.Context, ref, rev string, ability access.Ability) (Item, error) {
	row, err := s.access.Project(ctx, ref, ability)
	if err != nil {
		return Item{}, err
	}
	repo, err := s.repos.Repo(row.Project)
	if err != nil {
		return Item{}, err
	}
	id, err := repo.Resolve(ctx, rev)
	if errors.Is(err, git.ErrNotFound) {
		return Item{}, apierr.NotFound("Commit")
	}
	return Item{Row: row, On: CommitOf(row.Project, id), Caller: caller(ctx)}, err
}

// CommitOf returns a commit as an item that users comment on.
func CommitOf(p model.Project, id string) model.Noteable {
	return model.Noteable{Type: model.OnCommit, ProjectID: p.ID, CommitID: id, Title: id[:min(8, len(id))]}
}

// Note returns a note of the item, if the caller may read it.
func (s *Service) Note(ctx context.Context, item Item, id int64) (model.NoteRow, error) {
	row, err := s.store.Notes.Get(ctx, item.Filter(), id)
	return row, apierr.OrNotFound(err)
}

// Thread returns a thread of the item, with the notes that the caller may read.
func (s *Service) Thread(ctx context.Context, item Item, id string) (model.Thread, error) {
	thread, err := s.store.Notes.Thread(ctx, item.Filter(), id)
	return thread, apierr.OrNotFound(err)
}

// InThread returns a note of a thread of the item.
func (s *Service) InThread(ctx context.Context, item Item, thread string, id int64) (model.NoteRow, error) {
	row, err := s.Note(ctx, item, id)
	if err == nil && row.Note.DiscussionID != thread {
		err = apierr.RecordNotFound()
	}
	return row, err
}

// AwardTarget returns the target of an emoji reaction. If noteID is 0, the target is the item itself.
func (s *Service) AwardTarget(ctx context.Context, item Item, noteID int64) (award.Target, error) {
	if noteID == 0 {
		return award.OnItem(item), nil
	}
	row, err := s.Note(ctx, item, noteID)
	return award.Target{Item: item, Kind: model.OnNote, ID: row.Note.ID}, err
}

func caller(ctx context.Context) int64 {
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}
