package issues

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/store/model"
)

// MoveProjectIssue moves an issue to another project.
// POST /projects/{id}/issues/{issue_iid}/move
func (s *Issues) MoveProjectIssue(
	ctx context.Context, req gen.MoveProjectIssueRequestObject,
) (gen.MoveProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	to, err := s.destination(ctx, req.Body.ToProjectID)
	if err != nil {
		return nil, err
	}
	made, err := s.issues.Move(ctx, row, to, found)
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, to, made.IID)
	return gen.MoveProjectIssue201JSONResponse(shown), err
}

// CloneProjectIssue copies an issue into a project.
// POST /projects/{id}/issues/{issue_iid}/clone
func (s *Issues) CloneProjectIssue(
	ctx context.Context, req gen.CloneProjectIssueRequestObject,
) (gen.CloneProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	to, err := s.destination(ctx, req.Body.ToProjectID)
	if err != nil {
		return nil, err
	}
	made, err := s.issues.Clone(ctx, row, to, found, wire.Value(req.Body.WithNotes))
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, to, made.IID)
	return gen.CloneProjectIssue201JSONResponse(shown), err
}

// destination finds the project that gets the copy. It requires the same role as the project of the issue, because the
// copy contains texts of other people.
func (s *Issues) destination(ctx context.Context, id int64) (model.ProjectRow, error) {
	return s.access.Project(ctx, strconv.FormatInt(id, 10), access.AdminIssue)
}
