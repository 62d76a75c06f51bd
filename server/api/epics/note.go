package epics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/epic"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// talk finds an epic of a group by its ID, as users comment on it, and requires the ability in the group.
func (s *Epics) talk(ctx context.Context, ref string, id int64, ability access.Ability) (epic.Talk, error) {
	g, role, err := s.group(ctx, ref, ability)
	if err != nil {
		return epic.Talk{}, err
	}
	found, err := s.store.Epics.GetByID(ctx, id, access.Reader(ctx))
	if err == nil && found.Epic.GroupID != g.ID {
		err = apierr.RecordNotFound()
	}
	return epic.Talk{Epic: found, Role: role}, apierr.OrNotFound(err)
}

func (s *Epics) notePresenter(t epic.Talk) present.EpicNotePresenter {
	return present.EpicNotePresenter{Presenter: s.show, On: t.Epic.Epic}
}

// ListGroupEpicNotes lists the notes on an epic.
// GET /groups/{id}/epics/{epic_id}/notes
func (s *Epics) ListGroupEpicNotes(
	ctx context.Context, req gen.ListGroupEpicNotesRequestObject,
) (gen.ListGroupEpicNotesResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, s.pages, "Note", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	f := t.Filter()
	f.Asc = q.Sort != nil && *q.Sort == gen.SortAsc
	if q.OrderBy != nil {
		f.OrderBy = string(*q.OrderBy)
	}
	if q.ActivityFilter != nil {
		f.Activity = string(*q.ActivityFilter)
	}
	rows, total, err := s.store.EpicNotes.List(ctx, f, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpicNotes200JSONResponse{
		Body:    present.All(rows, s.notePresenter(t).Note),
		Headers: gen.ListGroupEpicNotes200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateGroupEpicNote comments on an epic.
// POST /groups/{id}/epics/{epic_id}/notes
func (s *Epics) CreateGroupEpicNote(
	ctx context.Context, req gen.CreateGroupEpicNoteRequestObject,
) (gen.CreateGroupEpicNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.CreateEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.CreateNote(ctx, t, epic.NewNote{
		Body: req.Body.Body, Internal: wire.Value(req.Body.Internal) || wire.Value(req.Body.Confidential),
		At: req.Body.CreatedAt.Std(),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupEpicNote201JSONResponse(s.notePresenter(t).Note(row)), nil
}

// GetGroupEpicNote shows a note on an epic.
// GET /groups/{id}/epics/{epic_id}/notes/{note_id}
func (s *Epics) GetGroupEpicNote(
	ctx context.Context, req gen.GetGroupEpicNoteRequestObject,
) (gen.GetGroupEpicNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.Note(ctx, t, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpicNote200JSONResponse(s.notePresenter(t).Note(row)), nil
}

// UpdateGroupEpicNote changes a note on an epic.
// PUT /groups/{id}/epics/{epic_id}/notes/{note_id}
func (s *Epics) UpdateGroupEpicNote(
	ctx context.Context, req gen.UpdateGroupEpicNoteRequestObject,
) (gen.UpdateGroupEpicNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.AdminEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.Note(ctx, t, req.NoteID)
	if err == nil {
		row, err = s.epics.ChangeNote(ctx, t, row.Note, req.Body.Body)
	}
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupEpicNote200JSONResponse(s.notePresenter(t).Note(row)), nil
}

// DeleteGroupEpicNote deletes a note on an epic.
// DELETE /groups/{id}/epics/{epic_id}/notes/{note_id}
func (s *Epics) DeleteGroupEpicNote(
	ctx context.Context, req gen.DeleteGroupEpicNoteRequestObject,
) (gen.DeleteGroupEpicNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.AdminEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.Note(ctx, t, req.NoteID)
	if err == nil {
		err = s.removeNote(ctx, t, row, req.Params.IfUnmodifiedSince)
	}
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupEpicNote204Response{}, nil
}

func (s *Epics) removeNote(ctx context.Context, t epic.Talk, row model.EpicNoteRow, unmodifiedSince *string) error {
	return s.epics.RemoveNote(ctx, t, row.Note, reqctx.UnmodifiedSince(unmodifiedSince))
}
