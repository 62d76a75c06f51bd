package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ListProjectIssueNoteAwardEmoji lists the emoji reactions of a note on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes/{note_id}/award_emoji
func (a *Awards) ListProjectIssueNoteAwardEmoji(
	ctx context.Context, req gen.ListProjectIssueNoteAwardEmojiRequestObject,
) (gen.ListProjectIssueNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueNoteAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueNoteAwardEmoji200ResponseHeaders(headers),
	}, nil
}

// ListProjectMergeRequestNoteAwardEmoji lists the emoji reactions of a note on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}/award_emoji
func (a *Awards) ListProjectMergeRequestNoteAwardEmoji(
	ctx context.Context, req gen.ListProjectMergeRequestNoteAwardEmojiRequestObject,
) (gen.ListProjectMergeRequestNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestNoteAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestNoteAwardEmoji200ResponseHeaders(headers),
	}, nil
}
