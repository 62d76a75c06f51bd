package snippets

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetSnippet shows a snippet.
// GET /snippets/{id}
func (s *Snippets) GetSnippet(ctx context.Context, req gen.GetSnippetRequestObject) (gen.GetSnippetResponseObject, error) {
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return gen.GetSnippet200JSONResponse(s.shown(ctx)(row)), nil
}

// GetProjectSnippet shows a snippet of a project.
// GET /projects/{id}/snippets/{snippet_id}
func (s *Snippets) GetProjectSnippet(
	ctx context.Context, req gen.GetProjectSnippetRequestObject,
) (gen.GetProjectSnippetResponseObject, error) {
	row, _, err := s.inProject(ctx, req.ID, req.SnippetID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippet200JSONResponse(s.shown(ctx)(row)), nil
}

// GetSnippetUserAgentDetail shows the user agent and IP address that a snippet was created from.
// GET /snippets/{id}/user_agent_detail
func (s *Snippets) GetSnippetUserAgentDetail(
	ctx context.Context, req gen.GetSnippetUserAgentDetailRequestObject,
) (gen.GetSnippetUserAgentDetailResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSnippet); err != nil {
		return nil, err
	}
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return gen.GetSnippetUserAgentDetail200JSONResponse{UserAgent: row.Snippet.UserAgent, IPAddress: row.Snippet.IPAddress}, nil
}

// GetProjectSnippetUserAgentDetail shows the user agent and IP address that a project snippet was created from.
// GET /projects/{id}/snippets/{snippet_id}/user_agent_detail
func (s *Snippets) GetProjectSnippetUserAgentDetail(
	ctx context.Context, req gen.GetProjectSnippetUserAgentDetailRequestObject,
) (gen.GetProjectSnippetUserAgentDetailResponseObject, error) {
	row, _, err := s.inProject(ctx, req.ID, req.SnippetID, access.AdminProjectSnippet)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippetUserAgentDetail200JSONResponse{UserAgent: row.Snippet.UserAgent, IPAddress: row.Snippet.IPAddress}, nil
}
