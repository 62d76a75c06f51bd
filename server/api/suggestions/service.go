// Package suggestions implements the API operations that apply suggestions: changes of lines that notes on the diffs of
// merge requests suggest.
package suggestions

import (
	"context"
	"slices"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/review"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// Suggestions are the operations on suggestions.
type Suggestions struct {
	reviews *review.Service
	show    present.Presenter
}

// New returns the suggestion operations.
func New(reviews *review.Service, show present.Presenter) *Suggestions {
	return &Suggestions{reviews: reviews, show: show}
}

// ApplySuggestion applies a suggestion.
// PUT /suggestions/{id}/apply
func (s *Suggestions) ApplySuggestion(
	ctx context.Context, req gen.ApplySuggestionRequestObject,
) (gen.ApplySuggestionResponseObject, error) {
	var message *string
	if req.Body != nil {
		message = req.Body.CommitMessage
	}
	shown, err := s.apply(ctx, []int64{req.ID}, message)
	if err != nil {
		return nil, err
	}
	return gen.ApplySuggestion200JSONResponse(shown[0]), nil
}

// ApplySuggestions applies several suggestions in one commit.
// PUT /suggestions/batch_apply
func (s *Suggestions) ApplySuggestions(
	ctx context.Context, req gen.ApplySuggestionsRequestObject,
) (gen.ApplySuggestionsResponseObject, error) {
	var ids []int64
	for _, id := range req.Body.Ids {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	shown, err := s.apply(ctx, ids, req.Body.CommitMessage)
	if err != nil {
		return nil, err
	}
	return gen.ApplySuggestions200JSONResponse(shown), nil
}

// apply applies suggestions and presents them.
func (s *Suggestions) apply(ctx context.Context, ids []int64, message *string) ([]gen.Suggestion, error) {
	if _, err := access.Allow(ctx, access.ApplySuggestion); err != nil {
		return nil, err
	}
	rows, item, err := s.reviews.Apply(ctx, ids, wire.Value(message))
	if err != nil {
		return nil, err
	}
	presenter := present.NotePresenter{Presenter: s.show, On: item.On} // none of them can be applied again
	shown := make([]gen.Suggestion, len(rows))
	for i, row := range rows {
		shown[i] = presenter.Suggestion(row.Suggestion)
	}
	return shown, nil
}
