package access

import (
	"context"
	"strconv"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Snippet returns a snippet that the caller sees, and the project that it is in, if it is in one and the caller has the ability there.
func (a *Access) Snippet(ctx context.Context, id int64, ability Ability) (model.SnippetRow, *model.ProjectRow, error) {
	row, err := a.store.Snippets.Get(ctx, id)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	var in *model.ProjectRow
	if row.Snippet.ProjectID != nil {
		project, err := a.Project(ctx, strconv.FormatInt(*row.Snippet.ProjectID, 10), ability)
		if err != nil {
			return model.SnippetRow{}, nil, apierr.NotFound("Snippet") // whose it is does not show
		}
		in = &project
	}
	if !ReadsSnippet(row.Snippet, in, Reader(ctx)) {
		return model.SnippetRow{}, nil, apierr.NotFound("Snippet")
	}
	return row, in, nil
}

// ReadsSnippet tells whether a reader sees a snippet, which is their own or, in a project whose snippets they see, of a project that they
// are a member of; others see it as its visibility says.
func ReadsSnippet(s model.Snippet, in *model.ProjectRow, r *store.Reader) bool {
	switch {
	case r != nil && (r.Admin || s.AuthorID == r.UserID):
		return true
	case in != nil && in.Role() >= model.Guest:
		return true
	case s.Visibility == model.Public:
		return true
	}
	return s.Visibility == model.Internal && r != nil && !r.External
}
