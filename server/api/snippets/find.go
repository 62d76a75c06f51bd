package snippets

import (
	"context"

	"svc/server/platform/access"
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
	row, err := s.snippets.InProject(ctx, project, id)
	if err != nil {
		return model.SnippetRow{}, nil, err
	}
	return row, &project, nil
}

// findForChange returns a snippet that the caller can see, for an operation that changes it. It does not check who may change it;
// see snippet.MayChange.
func (s *Snippets) findForChange(ctx context.Context, id int64) (model.SnippetRow, *model.ProjectRow, error) {
	if _, err := access.Allow(ctx, access.UpdateSnippet); err != nil {
		return model.SnippetRow{}, nil, err
	}
	return s.access.Snippet(ctx, id, access.UpdateProjectSnippet)
}
