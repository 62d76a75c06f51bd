package epics

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/epic"
	"svc/server/platform/access"
)

// CreateGroupEpic creates an epic.
// POST /groups/{id}/epics
func (s *Epics) CreateGroupEpic(
	ctx context.Context, req gen.CreateGroupEpicRequestObject,
) (gen.CreateGroupEpicResponseObject, error) {
	g, role, err := s.group(ctx, req.ID, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	body := *req.Body
	made, err := s.epics.Create(ctx, g, role, epic.New{
		Title: body.Title, Description: body.Description.Ptr(), Labels: body.Labels, Color: body.Color,
		Confidential: wire.Value(body.Confidential), StartDateIsFixed: wire.Value(body.StartDateIsFixed),
		StartDateFixed: day(body.StartDateFixed), DueDateIsFixed: wire.Value(body.DueDateIsFixed),
		DueDateFixed: day(body.DueDateFixed), ParentID: body.ParentID.Ptr(), CreatedAt: body.CreatedAt.Std(),
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, g.FullPath, made.ID)
	return gen.CreateGroupEpic201JSONResponse(shown), err
}

func day(given wire.Optional[wire.Date]) *time.Time {
	if given.Ptr() == nil {
		return nil
	}
	return &given.Ptr().Time
}
