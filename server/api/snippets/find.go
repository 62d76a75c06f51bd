package snippets

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// inProject returns a project snippet that the caller can see, if the caller has the ability in the project.
func (s *Snippets) inProject(
	ctx context.Context, ref string, id int64, ability access.Ability,
) (model.SnippetRow, *model.ProjectRow, error) {
	project, err := s.access.Project(ctx, ref, ability)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	row, err := s.store.Snippets.Get(ctx, id)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	if row.Snippet.ProjectID == nil || *row.Snippet.ProjectID != project.Project.ID ||
		!access.ReadsSnippet(row.Snippet, &project, access.Reader(ctx)) {
		return model.SnippetRow{}, nil, apierr.NotFound("Snippet")
	}
	return row, &project, nil
}

// findForChange returns a snippet that the caller can see, for an operation that changes it. It does not check who may change it;
// see mayChange.
func (s *Snippets) findForChange(ctx context.Context, id int64) (model.SnippetRow, *model.ProjectRow, error) {
	if _, err := access.Allow(ctx, access.UpdateSnippet); err != nil {
		return model.SnippetRow{}, nil, err
	}
	return s.access.Snippet(ctx, id, access.UpdateProjectSnippet)
}

// mayChange returns an error unless the caller is the author of the snippet, a maintainer of its project, or an
// administrator.
func mayChange(ctx context.Context, row model.SnippetRow, in *model.ProjectRow) error {
	actor := reqctx.Of(ctx).Actor
	switch {
	case actor == nil:
		return apierr.Unauthorized()
	case actor.User.Admin, actor.User.ID == row.Snippet.AuthorID, in != nil && in.Role() >= model.Maintainer:
		return nil
	}
	return apierr.Forbidden()
}
