package review

import (
	"context"
	"errors"
	"strconv"

	"svc/server/domain/discussion/note"
	"svc/server/domain/discussion/suggestion"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// The reasons why suggestions cannot be applied together, or at all.
const (
	severalRequests = "Can't apply as the suggestions belong to several merge requests."
	noSource        = "Can't apply as the source branch does not exist."
)

// Apply applies suggestions in one commit of the caller on the source branch of their merge request, and returns them.
// An empty message means the one of the project. The transaction that ends the push marks them as applied. Apply must not
// be called in a transaction.
func (s *Service) Apply(ctx context.Context, ids []int64, message string) ([]model.SuggestionRow, note.Item, error) {
	rows, item, err := s.find(ctx, ids)
	if err != nil {
		return nil, item, err
	}
	mr, err := s.store.MergeRequests.Find(ctx, item.On.ID)
	if err != nil {
		return nil, item, apierr.OrNotFound(err)
	}
	source, err := s.source(ctx, mr)
	if err != nil {
		return nil, item, err
	}
	all := make([]model.Suggestion, len(rows))
	for i, row := range rows {
		all[i] = row.Suggestion
	}
	if err := suggestion.Check(mr, all); err != nil {
		return nil, item, err
	}
	text, err := s.message(ctx, item.Row.Project, mr, rows, message)
	if err != nil {
		return nil, item, err
	}
	_, err = s.writer.Write(ctx, source, commit.Edit{
		Branch: mr.SourceBranch, Message: text,
		Build: func(repo git.Repo, parent string) ([]git.Change, error) {
			if parent == "" {
				return nil, apierr.Refused(noSource)
			}
			return suggestion.Changes(ctx, repo, parent, all)
		},
		Made: func(id string) error { return s.store.Suggestions.SetCommit(ctx, ids, id) },
	})
	if err != nil {
		return nil, item, err
	}
	rows, err = s.rows(ctx, ids)
	return rows, item, err
}

// find returns suggestions of one merge request that the caller can read, in the order of the ids.
func (s *Service) find(ctx context.Context, ids []int64) ([]model.SuggestionRow, note.Item, error) {
	rows, err := s.rows(ctx, ids)
	if err != nil {
		return nil, note.Item{}, err
	}
	var item note.Item
	for _, row := range rows {
		in, err := s.itemOf(ctx, row.Note, item)
		if err != nil {
			return nil, item, err
		}
		if item.On.ID != 0 && item.On.ID != in.On.ID {
			return nil, item, apierr.Refused(severalRequests)
		}
		item = in
	}
	return rows, item, nil
}

// rows returns suggestions in the order of the ids. It answers 404 if one does not exist.
func (s *Service) rows(ctx context.Context, ids []int64) ([]model.SuggestionRow, error) {
	found, err := s.store.Suggestions.ByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]model.SuggestionRow, 0, len(ids))
	for _, id := range ids {
		row, ok := found[id]
		if !ok {
			return nil, apierr.RecordNotFound()
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// itemOf returns the merge request of a note, if the caller can read both. known is a merge request that was found
// before, or empty.
func (s *Service) itemOf(ctx context.Context, n model.Note, known note.Item) (note.Item, error) {
	item := known
	if n.NoteableID == nil || *n.NoteableID != known.On.ID {
		on, err := s.store.Noteables.Get(ctx, model.OnMergeRequest, *n.NoteableID)
		if err != nil {
			return item, apierr.OrNotFound(err)
		}
		item, err = s.notes.Find(ctx, strconv.FormatInt(on.ProjectID, 10), model.OnMergeRequest, on.IID, access.ReadNote)
		var refused *apierr.Error
		if errors.As(err, &refused) {
			return item, apierr.RecordNotFound()
		}
		if err != nil {
			return item, err
		}
	}
	if n.Internal && !access.ReadsInternal(item.Row) {
		return item, apierr.RecordNotFound()
	}
	return item, nil
}

// source returns the source project of a merge request, if the caller may push to its source branch.
func (s *Service) source(ctx context.Context, mr model.MergeRequest) (model.ProjectRow, error) {
	if mr.SourceProjectID == nil {
		return model.ProjectRow{}, apierr.Refused(noSource)
	}
	row, err := s.pusher.FindPushable(ctx, s.access, strconv.FormatInt(*mr.SourceProjectID, 10))
	var refused *apierr.Error
	if errors.As(err, &refused) {
		return row, apierr.Forbidden()
	}
	if err != nil {
		return row, err
	}
	may, err := s.pusher.MayPush(ctx, row, mr.SourceBranch)
	if err == nil && !may {
		err = apierr.Forbidden()
	}
	return row, err
}
