package notes

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/discussion/quickaction"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectIssueNote comments on an issue.
// POST /projects/{id}/issues/{issue_iid}/notes
func (n *Notes) CreateProjectIssueNote(
	ctx context.Context, req gen.CreateProjectIssueNoteRequestObject,
) (gen.CreateProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, done, err := n.create(ctx, p, *req.Body)
	if err != nil {
		return nil, err
	}
	if done != nil {
		return gen.CreateProjectIssueNote202JSONResponse{CommandsChanges: done.Changes, Summary: done.Summary}, nil
	}
	return gen.CreateProjectIssueNote201JSONResponse(shown), nil
}

// CreateProjectMergeRequestNote comments on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/notes
func (n *Notes) CreateProjectMergeRequestNote(
	ctx context.Context, req gen.CreateProjectMergeRequestNoteRequestObject,
) (gen.CreateProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, done, err := n.create(ctx, p, *req.Body)
	if err != nil {
		return nil, err
	}
	if done != nil {
		return gen.CreateProjectMergeRequestNote202JSONResponse{CommandsChanges: done.Changes, Summary: done.Summary}, nil
	}
	return gen.CreateProjectMergeRequestNote201JSONResponse(shown), nil
}

// create writes a note. It returns a result only if the body held nothing but quick actions.
func (n *Notes) create(ctx context.Context, p note.Item, b gen.NoteCreate) (gen.Note, *quickaction.Result, error) {
	s := note.NewNote{
		Body: b.Body, Internal: wire.Value(b.Internal) || wire.Value(b.Confidential), At: b.CreatedAt.Std(),
	}
	row, done, err := n.discussion.CreateOrRun(ctx, p, s)
	if err != nil {
		return gen.Note{}, nil, err
	}
	shown := n.presenter(ctx, p).Note(row)
	if done != nil {
		shown.CommandsChanges = done.Changes
	}
	if done != nil && row.Note.ID != 0 {
		done = nil // the body held more than commands, so a note was created
	}
	return shown, done, nil
}
