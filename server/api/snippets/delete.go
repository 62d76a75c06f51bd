package snippets

import (
	"context"

	"svc/gen"
	"svc/server/domain/snippet"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteSnippet deletes a snippet.
// DELETE /snippets/{id}
func (s *Snippets) DeleteSnippet(ctx context.Context, req gen.DeleteSnippetRequestObject) (gen.DeleteSnippetResponseObject, error) {
	row, in, err := s.findForChange(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := snippet.MayChange(ctx, row, in); err != nil {
		return nil, err
	}
	if err := s.snippets.Delete(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteSnippet204Response{}, nil
}

// DeleteProjectSnippet deletes a snippet of a project.
// DELETE /projects/{id}/snippets/{snippet_id}
func (s *Snippets) DeleteProjectSnippet(
	ctx context.Context, req gen.DeleteProjectSnippetRequestObject,
) (gen.DeleteProjectSnippetResponseObject, error) {
	row, in, err := s.inProject(ctx, req.ID, req.SnippetID, access.UpdateProjectSnippet)
	if err != nil {
		return nil, err
	}
	if err := snippet.MayChange(ctx, row, in); err != nil {
		return nil, err
	}
	if err := s.snippets.Delete(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectSnippet204Response{}, nil
}
