package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectSnippetAwardEmoji adds an emoji reaction to a snippet.
// POST /projects/{id}/snippets/{snippet_id}/award_emoji
func (a *Awards) CreateProjectSnippetAwardEmoji(
	ctx context.Context, req gen.CreateProjectSnippetAwardEmojiRequestObject,
) (gen.CreateProjectSnippetAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, 0, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Add(ctx, on, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippetAwardEmoji201JSONResponse(a.show.AwardEmoji(row)), nil
}

// DeleteProjectSnippetAwardEmoji removes an emoji reaction from a snippet.
// DELETE /projects/{id}/snippets/{snippet_id}/award_emoji/{award_id}
func (a *Awards) DeleteProjectSnippetAwardEmoji(
	ctx context.Context, req gen.DeleteProjectSnippetAwardEmojiRequestObject,
) (gen.DeleteProjectSnippetAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, 0, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	if err := a.remove(ctx, on, req.AwardID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectSnippetAwardEmoji204Response{}, nil
}

// GetProjectSnippetAwardEmoji returns an emoji reaction of a snippet.
// GET /projects/{id}/snippets/{snippet_id}/award_emoji/{award_id}
func (a *Awards) GetProjectSnippetAwardEmoji(
	ctx context.Context, req gen.GetProjectSnippetAwardEmojiRequestObject,
) (gen.GetProjectSnippetAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, 0, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Find(ctx, on, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippetAwardEmoji200JSONResponse(a.show.AwardEmoji(row)), nil
}

// ListProjectSnippetAwardEmoji lists the emoji reactions of a snippet.
// GET /projects/{id}/snippets/{snippet_id}/award_emoji
func (a *Awards) ListProjectSnippetAwardEmoji(
	ctx context.Context, req gen.ListProjectSnippetAwardEmojiRequestObject,
) (gen.ListProjectSnippetAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, 0, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSnippetAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectSnippetAwardEmoji200ResponseHeaders(headers),
	}, nil
}

// CreateProjectSnippetNoteAwardEmoji adds an emoji reaction to a note on a snippet.
// POST /projects/{id}/snippets/{snippet_id}/notes/{note_id}/award_emoji
func (a *Awards) CreateProjectSnippetNoteAwardEmoji(
	ctx context.Context, req gen.CreateProjectSnippetNoteAwardEmojiRequestObject,
) (gen.CreateProjectSnippetNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, req.NoteID, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Add(ctx, on, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSnippetNoteAwardEmoji201JSONResponse(a.show.AwardEmoji(row)), nil
}

// DeleteProjectSnippetNoteAwardEmoji removes an emoji reaction from a note on a snippet.
// DELETE /projects/{id}/snippets/{snippet_id}/notes/{note_id}/award_emoji/{award_id}
func (a *Awards) DeleteProjectSnippetNoteAwardEmoji(
	ctx context.Context, req gen.DeleteProjectSnippetNoteAwardEmojiRequestObject,
) (gen.DeleteProjectSnippetNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, req.NoteID, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	if err := a.remove(ctx, on, req.AwardID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectSnippetNoteAwardEmoji204Response{}, nil
}

// GetProjectSnippetNoteAwardEmoji returns an emoji reaction of a note on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/notes/{note_id}/award_emoji/{award_id}
func (a *Awards) GetProjectSnippetNoteAwardEmoji(
	ctx context.Context, req gen.GetProjectSnippetNoteAwardEmojiRequestObject,
) (gen.GetProjectSnippetNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Find(ctx, on, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSnippetNoteAwardEmoji200JSONResponse(a.show.AwardEmoji(row)), nil
}

// ListProjectSnippetNoteAwardEmoji lists the emoji reactions of a note on a snippet.
// GET /projects/{id}/snippets/{snippet_id}/notes/{note_id}/award_emoji
func (a *Awards) ListProjectSnippetNoteAwardEmoji(
	ctx context.Context, req gen.ListProjectSnippetNoteAwardEmojiRequestObject,
) (gen.ListProjectSnippetNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnSnippet, req.SnippetID, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSnippetNoteAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectSnippetNoteAwardEmoji200ResponseHeaders(headers),
	}, nil
}
