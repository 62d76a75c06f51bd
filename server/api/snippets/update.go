package snippets

import (
	"context"

	"svc/gen"
	"svc/server/domain/snippet"
	"svc/server/platform/access"
)

// UpdateSnippet changes a snippet.
// PUT /snippets/{id}
func (s *Snippets) UpdateSnippet(ctx context.Context, req gen.UpdateSnippetRequestObject) (gen.UpdateSnippetResponseObject, error) {
	row, in, err := s.findForChange(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := snippet.MayChange(ctx, row, in); err != nil {
		return nil, err
	}
	if row, err = s.snippets.Apply(ctx, row, changeFrom(*req.Body)); err != nil {
		return nil, err
	}
	return gen.UpdateSnippet200JSONResponse(s.shown(ctx)(row)), nil
}

// UpdateProjectSnippet changes a snippet of a project.
// PUT /projects/{id}/snippets/{snippet_id}
func (s *Snippets) UpdateProjectSnippet(
	ctx context.Context, req gen.UpdateProjectSnippetRequestObject,
) (gen.UpdateProjectSnippetResponseObject, error) {
	row, in, err := s.inProject(ctx, req.ID, req.SnippetID, access.UpdateProjectSnippet)
	if err != nil {
		return nil, err
	}
	if err := snippet.MayChange(ctx, row, in); err != nil {
		return nil, err
	}
	if row, err = s.snippets.Apply(ctx, row, changeFrom(*req.Body)); err != nil {
		return nil, err
	}
	return gen.UpdateProjectSnippet200JSONResponse(s.shown(ctx)(row)), nil
}
