package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectSnippetDiscussion starts a thread on a snippet.
// POST /projects/{id}/snippets/{snippet_id}/discussions
func (d *Discussions) CreateProjectSnippetDiscussion(
	ctx context.Context, req gen.CreateProjectSnippetDiscussionRequestObject,
) (gen.CreateProjectSnippetDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, nil)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippetDiscussion201JSONResponse(shown), nil
}

// GetProjectSnippetDiscussion returns a thread on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/discussions/{discussion_id}
func (d *Discussions) GetProjectSnippetDiscussion(
	ctx context.Context, req gen.GetProjectSnippetDiscussionRequestObject,
) (gen.GetProjectSnippetDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippetDiscussion200JSONResponse(shown), nil
}

// ListProjectSnippetDiscussions lists the threads on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/discussions
func (d *Discussions) ListProjectSnippetDiscussions(
	ctx context.Context, req gen.ListProjectSnippetDiscussionsRequestObject,
) (gen.ListProjectSnippetDiscussionsResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSnippetDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectSnippetDiscussions200ResponseHeaders(headers),
	}, nil
}

// DeleteProjectSnippetDiscussionNote deletes a note of a thread on a snippet.
// DELETE /projects/{id}/snippets/{snippet_id}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectSnippetDiscussionNote(
	ctx context.Context, req gen.DeleteProjectSnippetDiscussionNoteRequestObject,
) (gen.DeleteProjectSnippetDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectSnippetDiscussionNote204Response{}, nil
}

// GetProjectSnippetDiscussionNote returns a note of a thread on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectSnippetDiscussionNote(
	ctx context.Context, req gen.GetProjectSnippetDiscussionNoteRequestObject,
) (gen.GetProjectSnippetDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippetDiscussionNote200JSONResponse(shown), nil
}

// UpdateProjectSnippetDiscussionNote changes a note of a thread on a snippet.
// PUT /projects/{id}/snippets/{snippet_id}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectSnippetDiscussionNote(
	ctx context.Context, req gen.UpdateProjectSnippetDiscussionNoteRequestObject,
) (gen.UpdateProjectSnippetDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.updateNote(ctx, p, req.DiscussionID, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectSnippetDiscussionNote200JSONResponse(shown), nil
}

// CreateProjectSnippetDiscussionNote adds a note to a thread on a snippet.
// POST /projects/{id}/snippets/{snippet_id}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectSnippetDiscussionNote(
	ctx context.Context, req gen.CreateProjectSnippetDiscussionNoteRequestObject,
) (gen.CreateProjectSnippetDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnSnippet, req.SnippetID, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippetDiscussionNote201JSONResponse(shown), nil
}
