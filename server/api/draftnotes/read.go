package draftnotes

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListProjectMergeRequestDraftNotes lists the drafts of the caller on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/draft_notes
func (d *DraftNotes) ListProjectMergeRequestDraftNotes(
	ctx context.Context, req gen.ListProjectMergeRequestDraftNotesRequestObject,
) (gen.ListProjectMergeRequestDraftNotesResponseObject, error) {
	item, err := d.find(ctx, req.ID, req.MergeRequestIid, access.ReadDraftNote)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, d.pages, "DraftNote", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	order := store.DraftNoteOrder{Descending: q.Sort != nil && *q.Sort == gen.SortDesc}
	if q.OrderBy != nil {
		order.Column = string(*q.OrderBy)
	}
	rows, total, err := d.store.DraftNotes.List(ctx, item.On.ID, item.Caller, order, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestDraftNotes200JSONResponse{
		Body:    present.All(rows, present.DraftNote),
		Headers: gen.ListProjectMergeRequestDraftNotes200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectMergeRequestDraftNote shows a draft of the caller.
// GET /projects/{id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}
func (d *DraftNotes) GetProjectMergeRequestDraftNote(
	ctx context.Context, req gen.GetProjectMergeRequestDraftNoteRequestObject,
) (gen.GetProjectMergeRequestDraftNoteResponseObject, error) {
	_, row, err := d.findDraft(ctx, req.ID, req.MergeRequestIid, req.DraftNoteID, access.ReadDraftNote)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestDraftNote200JSONResponse(present.DraftNote(row)), nil
}
