package snippets

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// CreateSnippet creates a personal snippet.
// POST /snippets
func (s *Snippets) CreateSnippet(ctx context.Context, req gen.CreateSnippetRequestObject) (gen.CreateSnippetResponseObject, error) {
	if _, err := access.Allow(ctx, access.CreateSnippet); err != nil {
		return nil, err
	}
	draft, err := draftFrom(nil, *req.Body)
	if err != nil {
		return nil, err
	}
	row, err := s.snippets.Create(ctx, draft)
	if err != nil {
		return nil, err
	}
	return gen.CreateSnippet201JSONResponse(s.shown(ctx)(row)), nil
}

// CreateProjectSnippet creates a snippet in a project.
// POST /projects/{id}/snippets
func (s *Snippets) CreateProjectSnippet(
	ctx context.Context, req gen.CreateProjectSnippetRequestObject,
) (gen.CreateProjectSnippetResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.CreateProjectSnippet)
	if err != nil {
		return nil, err
	}
	draft, err := draftFrom(&project.Project, *req.Body)
	if err != nil {
		return nil, err
	}
	row, err := s.snippets.Create(ctx, draft)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippet201JSONResponse(s.shown(ctx)(row)), nil
}
