package epics

import (
	"context"

	"svc/gen"
	"svc/server/domain/epic"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListGroupEpicDiscussions lists the threads on an epic.
// GET /groups/{id}/epics/{epic_id}/discussions
func (s *Epics) ListGroupEpicDiscussions(
	ctx context.Context, req gen.ListGroupEpicDiscussionsRequestObject,
) (gen.ListGroupEpicDiscussionsResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "Note", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.EpicNotes.Threads(ctx, t.Filter(), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpicDiscussions200JSONResponse{
		Body:    present.All(rows, s.notePresenter(t).Thread),
		Headers: gen.ListGroupEpicDiscussions200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateGroupEpicDiscussion starts a thread on an epic.
// POST /groups/{id}/epics/{epic_id}/discussions
func (s *Epics) CreateGroupEpicDiscussion(
	ctx context.Context, req gen.CreateGroupEpicDiscussionRequestObject,
) (gen.CreateGroupEpicDiscussionResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.CreateEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.CreateNote(ctx, t, epic.NewNote{Body: req.Body.Body, Opens: true, At: req.Body.CreatedAt.Std()})
	if err != nil {
		return nil, err
	}
	thread, err := s.epics.Thread(ctx, t, row.Note.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupEpicDiscussion201JSONResponse(s.notePresenter(t).Thread(thread)), nil
}

// GetGroupEpicDiscussion shows a thread on an epic.
// GET /groups/{id}/epics/{epic_id}/discussions/{discussion_id}
func (s *Epics) GetGroupEpicDiscussion(
	ctx context.Context, req gen.GetGroupEpicDiscussionRequestObject,
) (gen.GetGroupEpicDiscussionResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	thread, err := s.epics.Thread(ctx, t, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpicDiscussion200JSONResponse(s.notePresenter(t).Thread(thread)), nil
}

// CreateGroupEpicDiscussionNote replies in a thread on an epic.
// POST /groups/{id}/epics/{epic_id}/discussions/{discussion_id}/notes
func (s *Epics) CreateGroupEpicDiscussionNote(
	ctx context.Context, req gen.CreateGroupEpicDiscussionNoteRequestObject,
) (gen.CreateGroupEpicDiscussionNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.CreateEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.CreateNote(ctx, t, epic.NewNote{
		Body: req.Body.Body, Thread: req.DiscussionID, At: req.Body.CreatedAt.Std(),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupEpicDiscussionNote201JSONResponse(s.notePresenter(t).Note(row)), nil
}

// GetGroupEpicDiscussionNote shows a note of a thread on an epic.
// GET /groups/{id}/epics/{epic_id}/discussions/{discussion_id}/notes/{note_id}
func (s *Epics) GetGroupEpicDiscussionNote(
	ctx context.Context, req gen.GetGroupEpicDiscussionNoteRequestObject,
) (gen.GetGroupEpicDiscussionNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.NoteInThread(ctx, t, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpicDiscussionNote200JSONResponse(s.notePresenter(t).Note(row)), nil
}

// UpdateGroupEpicDiscussionNote changes a note of a thread on an epic.
// PUT /groups/{id}/epics/{epic_id}/discussions/{discussion_id}/notes/{note_id}
func (s *Epics) UpdateGroupEpicDiscussionNote(
	ctx context.Context, req gen.UpdateGroupEpicDiscussionNoteRequestObject,
) (gen.UpdateGroupEpicDiscussionNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.AdminEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.NoteInThread(ctx, t, req.DiscussionID, req.NoteID)
	if err == nil {
		row, err = s.epics.ChangeNote(ctx, t, row.Note, req.Body.Body)
	}
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupEpicDiscussionNote200JSONResponse(s.notePresenter(t).Note(row)), nil
}

// DeleteGroupEpicDiscussionNote deletes a note of a thread on an epic.
// DELETE /groups/{id}/epics/{epic_id}/discussions/{discussion_id}/notes/{note_id}
func (s *Epics) DeleteGroupEpicDiscussionNote(
	ctx context.Context, req gen.DeleteGroupEpicDiscussionNoteRequestObject,
) (gen.DeleteGroupEpicDiscussionNoteResponseObject, error) {
	t, err := s.talk(ctx, req.ID, req.EpicID, access.AdminEpicNote)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.NoteInThread(ctx, t, req.DiscussionID, req.NoteID)
	if err == nil {
		err = s.removeNote(ctx, t, row, req.Params.IfUnmodifiedSince)
	}
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupEpicDiscussionNote204Response{}, nil
}
