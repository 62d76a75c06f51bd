package access

import (
	"context"
	"strconv"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Snippet returns a snippet that the caller can see. For a snippet of a project it also returns the project, in which
// the caller must have the ability.
func (a *Access) Snippet(ctx context.Context, id int64, ability Ability) (model.SnippetRow, *model.ProjectRow, error) {
	row, err := a.store.Snippets.Get(ctx, id)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	var in *model.ProjectRow
	if row.Snippet.ProjectID != nil {
		project, err := a.Project(ctx, strconv.FormatInt(*row.Snippet.ProjectID, 10), ability)
		if err != nil {
			return model.SnippetRow{}, nil, apierr.NotFound("Snippet") // do not reveal whose snippet it is
		}
		in = &project
	}
	if !ReadsSnippet(row.Snippet, in, Reader(ctx)) {
		return model.SnippetRow{}, nil, apierr.NotFound("Snippet")
	}
	return row, in, nil
}

// ReadsSnippet reports whether a reader can see a snippet. Administrators and the author always can, and so can members
// of the snippet's project. For other readers the visibility decides.
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
