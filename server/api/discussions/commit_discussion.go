package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ListProjectRepositoryCommitDiscussions lists the threads on a commit.
// GET /projects/{id}/repository/commits/{sha}/discussions
func (d *Discussions) ListProjectRepositoryCommitDiscussions(
	ctx context.Context, req gen.ListProjectRepositoryCommitDiscussionsRequestObject,
) (gen.ListProjectRepositoryCommitDiscussionsResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectRepositoryCommitDiscussions200ResponseHeaders(headers),
	}, nil
}

// CreateProjectRepositoryCommitDiscussion starts a thread on a commit.
// POST /projects/{id}/repository/commits/{sha}/discussions
func (d *Discussions) CreateProjectRepositoryCommitDiscussion(
	ctx context.Context, req gen.CreateProjectRepositoryCommitDiscussionRequestObject,
) (gen.CreateProjectRepositoryCommitDiscussionResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, req.Body.Position)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommitDiscussion201JSONResponse(shown), nil
}

// GetProjectRepositoryCommitDiscussion returns a thread on a commit.
// GET /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}
func (d *Discussions) GetProjectRepositoryCommitDiscussion(
	ctx context.Context, req gen.GetProjectRepositoryCommitDiscussionRequestObject,
) (gen.GetProjectRepositoryCommitDiscussionResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitDiscussion200JSONResponse(shown), nil
}

// CreateProjectRepositoryCommitDiscussionNote adds a note to a thread on a commit.
// POST /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.CreateProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.CreateProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommitDiscussionNote201JSONResponse(shown), nil
}

// GetProjectRepositoryCommitDiscussionNote returns a note of a thread on a commit.
// GET /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.GetProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.GetProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitDiscussionNote200JSONResponse(shown), nil
}

// UpdateProjectRepositoryCommitDiscussionNote changes a note of a thread on a commit.
// PUT /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.UpdateProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.UpdateProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.updateNote(ctx, p, req.DiscussionID, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectRepositoryCommitDiscussionNote200JSONResponse(shown), nil
}

// DeleteProjectRepositoryCommitDiscussionNote deletes a note of a thread on a commit.
// DELETE /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.DeleteProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.DeleteProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectRepositoryCommitDiscussionNote204Response{}, nil
}
