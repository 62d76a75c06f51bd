package note

import (
	"context"

	"svc/server/domain/discussion/suggestion"
	"svc/store/git"
	"svc/store/model"
)

// suggestions returns the suggestions in the text of a note on the diff of a merge request. Only notes about a line of
// the new version of a file have suggestions.
func (s *Service) suggestions(ctx context.Context, item Item, n model.Note) ([]model.Suggestion, error) {
	at, ok := PositionOf(n.Position)
	if !n.IsOnDiff() || !ok || at.Type != TextPosition || at.NewLine == nil {
		return nil, nil
	}
	repo, err := s.repos.Repo(item.Row.Project)
	if err != nil {
		return nil, err
	}
	return suggestion.Read(ctx, repo, suggestion.Place{Commit: at.HeadSHA, Path: at.NewPath, Line: *at.NewLine}, n.Body)
}

// addSuggestions stores the suggestions of a new note, and gives them their ids.
func (s *Service) addSuggestions(ctx context.Context, n model.Note, rows []model.Suggestion) error {
	if len(rows) == 0 {
		return nil
	}
	for i := range rows {
		rows[i].ID, rows[i].NoteID = 0, n.ID
	}
	return s.store.Suggestions.Replace(ctx, n.ID, rows)
}

// replaceSuggestions stores the suggestions of the new text of a note. If one of the old ones was applied, or the text
// stays the same, all of them stay.
func (s *Service) replaceSuggestions(ctx context.Context, before model.NoteRow, body string, rows []model.Suggestion) error {
	if body == before.Note.Body || len(before.Suggestions)+len(rows) == 0 {
		return nil
	}
	for _, old := range before.Suggestions {
		if old.Applied {
			return nil
		}
	}
	if len(rows) == 0 {
		return s.store.Suggestions.Replace(ctx, before.Note.ID, nil)
	}
	return s.addSuggestions(ctx, before.Note, rows)
}

// Appliable returns a function that reports which suggestions on an item can be applied now.
func (s *Service) Appliable(ctx context.Context, item Item) func(model.Suggestion) bool {
	checker := suggestion.NewChecker(ctx, s.store, item.On.ID, func() (git.Repo, error) {
		return s.repos.Repo(item.Row.Project)
	})
	return func(row model.Suggestion) bool { return checker.Appliable(ctx, row) }
}
