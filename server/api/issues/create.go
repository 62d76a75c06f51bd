package issues

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issue"
	"svc/server/platform/access"
)

// CreateProjectIssue creates an issue.
// POST /projects/{id}/issues
func (s *Issues) CreateProjectIssue(
	ctx context.Context, req gen.CreateProjectIssueRequestObject,
) (gen.CreateProjectIssueResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.CreateIssue)
	if err != nil {
		return nil, err
	}
	made, err := s.issues.Create(ctx, row, newFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssue201JSONResponse(s.presentOne(ctx, row.Project.FullPath, made)), nil
}

// newFrom reads a new issue from the request.
func newFrom(body gen.IssueCreate) issue.New {
	n := issue.New{
		Title: body.Title, Description: body.Description.Ptr(), Confidential: wire.Value(body.Confidential),
		Labels: body.Labels, AssigneeIDs: valueOrNil(body.AssigneeIds), MilestoneID: body.MilestoneID.Ptr(),
		DueDate: day(body.DueDate.Ptr()), DiscussionLocked: body.DiscussionLocked, Weight: body.Weight.Ptr(),
		IterationID: body.IterationID.Ptr(), EpicID: body.EpicID.Ptr(),
		IID: wire.Value(body.Iid), CreatedAt: body.CreatedAt.Std(),
	}
	if body.IssueType != nil {
		n.Type = string(*body.IssueType)
	}
	if one := body.AssigneeID.Ptr(); one != nil && body.AssigneeIds == nil {
		n.AssigneeIDs = []int64{*one}
	}
	return n
}
