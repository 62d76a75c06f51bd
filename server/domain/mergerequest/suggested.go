package mergerequest

import (
	"context"
	"fmt"

	"svc/server/domain/repository/push"
	"svc/store/model"
)

// suggestionsApplied marks the suggestions that the commits of a push apply as applied, resolves their threads and writes
// a system note.
func (m *Merger) suggestionsApplied(ctx context.Context, p push.Result, made []string) error {
	if len(made) == 0 {
		return nil
	}
	rows, err := m.Store.Suggestions.Finish(ctx, made)
	if err != nil || len(rows) == 0 {
		return err
	}
	byRequest, order := map[int64][]model.SuggestionRow{}, []int64(nil)
	for _, row := range rows {
		id := *row.Note.NoteableID
		if byRequest[id] == nil {
			order = append(order, id)
		}
		byRequest[id] = append(byRequest[id], row)
	}
	for _, id := range order {
		mr, err := m.Store.MergeRequests.Find(ctx, id)
		if err != nil {
			return err
		}
		if err := m.concludeSuggestions(ctx, mr, p.UserID, byRequest[id]); err != nil {
			return err
		}
	}
	return nil
}

// concludeSuggestions resolves the threads of applied suggestions of one merge request, and writes a system note.
func (m *Merger) concludeSuggestions(
	ctx context.Context, mr model.MergeRequest, userID int64, rows []model.SuggestionRow,
) error {
	on := model.Noteable{Type: model.OnMergeRequest, ID: mr.ID, ProjectID: mr.ProjectID}
	paths := map[string]bool{}
	for _, row := range rows {
		paths[row.Suggestion.Path] = true
		if err := m.Store.Notes.Resolve(ctx, on, row.Note.DiscussionID, 0, &userID); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("applied %s to %s", count(len(rows), "suggestion"), count(len(paths), "file"))
	return m.addSystemNote(ctx, mr, userID, "suggestion", text)
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
