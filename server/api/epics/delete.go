package epics

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteGroupEpic deletes an epic.
// DELETE /groups/{id}/epics/{epic_iid}
func (s *Epics) DeleteGroupEpic(
	ctx context.Context, req gen.DeleteGroupEpicRequestObject,
) (gen.DeleteGroupEpicResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.DestroyEpic)
	if err != nil {
		return nil, err
	}
	err = s.epics.Delete(ctx, g, found.Epic, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupEpic204Response{}, nil
}
