package epics

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetGroupEpic returns an epic.
// GET /groups/{id}/epics/{epic_iid}
func (s *Epics) GetGroupEpic(
	ctx context.Context, req gen.GetGroupEpicRequestObject,
) (gen.GetGroupEpicResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpic200JSONResponse(s.show.Epic(g.FullPath, false)(found)), nil
}
