package notes

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectSnippetNote comments on a snippet.
// POST /projects/{id}/snippets/{snippet_id}/notes
func (n *Notes) CreateProjectSnippetNote(
	ctx context.Context, req gen.CreateProjectSnippetNoteRequestObject,
) (gen.CreateProjectSnippetNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.CreateNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Create(ctx, p, note.NewNote{Body: req.Body.Body, At: req.Body.CreatedAt.Std()})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippetNote201JSONResponse(n.presenter(ctx, p).Note(row)), nil
}

// DeleteProjectSnippetNote deletes a note on a snippet.
// DELETE /projects/{id}/snippets/{snippet_id}/notes/{note_id}
func (n *Notes) DeleteProjectSnippetNote(
	ctx context.Context, req gen.DeleteProjectSnippetNoteRequestObject,
) (gen.DeleteProjectSnippetNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := n.remove(ctx, p, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectSnippetNote204Response{}, nil
}

// GetProjectSnippetNote shows a note on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/notes/{note_id}
func (n *Notes) GetProjectSnippetNote(
	ctx context.Context, req gen.GetProjectSnippetNoteRequestObject,
) (gen.GetProjectSnippetNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Note(ctx, p, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippetNote200JSONResponse(n.presenter(ctx, p).Note(row)), nil
}

// ListProjectSnippetNotes lists the notes on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/notes
func (n *Notes) ListProjectSnippetNotes(
	ctx context.Context, req gen.ListProjectSnippetNotesRequestObject,
) (gen.ListProjectSnippetNotesResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := n.list(ctx, p, filter(p, q.Sort, q.OrderBy, nil), q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSnippetNotes200JSONResponse{Body: rows, Headers: gen.ListProjectSnippetNotes200ResponseHeaders(headers)}, nil
}

// UpdateProjectSnippetNote changes a note on a snippet.
// PUT /projects/{id}/snippets/{snippet_id}/notes/{note_id}
func (n *Notes) UpdateProjectSnippetNote(
	ctx context.Context, req gen.UpdateProjectSnippetNoteRequestObject,
) (gen.UpdateProjectSnippetNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := n.update(ctx, p, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectSnippetNote200JSONResponse(shown), nil
}
