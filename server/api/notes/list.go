package notes

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectIssueNotes lists the notes on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes
func (n *Notes) ListProjectIssueNotes(
	ctx context.Context, req gen.ListProjectIssueNotesRequestObject,
) (gen.ListProjectIssueNotesResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := n.list(ctx, p, filter(p, q.Sort, q.OrderBy, q.ActivityFilter), q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueNotes200JSONResponse{Body: rows, Headers: gen.ListProjectIssueNotes200ResponseHeaders(headers)}, nil
}

// ListProjectMergeRequestNotes lists the notes on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes
func (n *Notes) ListProjectMergeRequestNotes(
	ctx context.Context, req gen.ListProjectMergeRequestNotesRequestObject,
) (gen.ListProjectMergeRequestNotesResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := n.list(ctx, p, filter(p, q.Sort, q.OrderBy, q.ActivityFilter), q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestNotes200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestNotes200ResponseHeaders(headers),
	}, nil
}

// list returns one page of notes.
func (n *Notes) list(
	ctx context.Context, p note.Item, f store.NoteFilter, number, size *int64, paging *gen.Pagination,
) ([]gen.Note, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, n.pages, "Note", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := n.store.Notes.List(ctx, f, window.Page)
	return present.All(rows, n.presenter(ctx, p).Note), window.Headers(total), err
}
