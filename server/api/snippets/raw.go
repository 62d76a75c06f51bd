package snippets

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetSnippetRaw downloads the first file of a snippet.
// GET /snippets/{id}/raw
func (s *Snippets) GetSnippetRaw(ctx context.Context, req gen.GetSnippetRawRequestObject) (gen.GetSnippetRawResponseObject, error) {
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return s.raw(ctx, row, "", "")
}

// GetSnippetFileRaw downloads a file of a snippet.
// GET /snippets/{id}/files/{ref}/{file_path}/raw
func (s *Snippets) GetSnippetFileRaw(
	ctx context.Context, req gen.GetSnippetFileRawRequestObject,
) (gen.GetSnippetFileRawResponseObject, error) {
	row, _, err := s.access.Snippet(ctx, req.ID, access.ReadProjectSnippet)
	if err != nil {
		return nil, err
	}
	return s.raw(ctx, row, req.Ref, req.FilePath)
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
