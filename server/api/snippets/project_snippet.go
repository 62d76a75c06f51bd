package snippets

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListProjectSnippets lists the snippets of a project.
// GET /projects/{id}/snippets
func (s *Snippets) ListProjectSnippets(
	ctx context.Context, req gen.ListProjectSnippetsRequestObject,
) (gen.ListProjectSnippetsResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	f := store.SnippetFilter{ProjectID: project.Project.ID, Everyone: project.Role() >= model.Guest}
	rows, headers, err := s.list(ctx, f, query{req.Params.Pagination, req.Params.Page, req.Params.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSnippets200JSONResponse{Body: rows, Headers: gen.ListProjectSnippets200ResponseHeaders(headers)}, nil
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
	row, err := s.create(ctx, &project.Project, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippet201JSONResponse(s.shown(ctx)(row)), nil
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

// UpdateProjectSnippet changes a snippet of a project.
// PUT /projects/{id}/snippets/{snippet_id}
func (s *Snippets) UpdateProjectSnippet(
	ctx context.Context, req gen.UpdateProjectSnippetRequestObject,
) (gen.UpdateProjectSnippetResponseObject, error) {
	row, in, err := s.inProject(ctx, req.ID, req.SnippetID, access.UpdateProjectSnippet)
	if err != nil {
		return nil, err
	}
	if err := mayChange(ctx, row, in); err != nil {
		return nil, err
	}
	if row, err = s.update(ctx, row, *req.Body); err != nil {
		return nil, err
	}
	return gen.UpdateProjectSnippet200JSONResponse(s.shown(ctx)(row)), nil
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
	if err := mayChange(ctx, row, in); err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return auditChange(row, "snippet_deleted", "Removed snippet"),
			s.store.Snippets.Delete(ctx, row.Snippet, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectSnippet204Response{}, nil
}

// GetProjectSnippetRaw downloads the first file of a project snippet.
// GET /projects/{id}/snippets/{snippet_id}/raw
func (s *Snippets) GetProjectSnippetRaw(
	ctx context.Context, req gen.GetProjectSnippetRawRequestObject,
) (gen.GetProjectSnippetRawResponseObject, error) {
	row, _, err := s.inProject(ctx, req.ID, req.SnippetID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return s.raw(ctx, row, "", "")
}

// GetProjectSnippetFileRaw downloads a file of a project snippet.
// GET /projects/{id}/snippets/{snippet_id}/files/{ref}/{file_path}/raw
func (s *Snippets) GetProjectSnippetFileRaw(
	ctx context.Context, req gen.GetProjectSnippetFileRawRequestObject,
) (gen.GetProjectSnippetFileRawResponseObject, error) {
	row, _, err := s.inProject(ctx, req.ID, req.SnippetID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return s.raw(ctx, row, req.Ref, req.FilePath)
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
