package epics

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListGroupEpicAwardEmoji lists the emoji reactions to an epic.
// GET /groups/{id}/epics/{epic_iid}/award_emoji
func (s *Epics) ListGroupEpicAwardEmoji(
	ctx context.Context, req gen.ListGroupEpicAwardEmojiRequestObject,
) (gen.ListGroupEpicAwardEmojiResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.EpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "AwardEmoji", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.AwardEmoji.List(ctx, model.OnEpic, found.Epic.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpicAwardEmoji200JSONResponse{
		Body:    present.All(rows, s.show.EpicAwardEmoji),
		Headers: gen.ListGroupEpicAwardEmoji200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateGroupEpicAwardEmoji adds an emoji reaction to an epic.
// POST /groups/{id}/epics/{epic_iid}/award_emoji
func (s *Epics) CreateGroupEpicAwardEmoji(
	ctx context.Context, req gen.CreateGroupEpicAwardEmojiRequestObject,
) (gen.CreateGroupEpicAwardEmojiResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.EpicIid, access.AwardEpicEmoji)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.AddEmoji(ctx, found, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupEpicAwardEmoji201JSONResponse(s.show.EpicAwardEmoji(row)), nil
}

// GetGroupEpicAwardEmoji shows an emoji reaction to an epic.
// GET /groups/{id}/epics/{epic_iid}/award_emoji/{award_id}
func (s *Epics) GetGroupEpicAwardEmoji(
	ctx context.Context, req gen.GetGroupEpicAwardEmojiRequestObject,
) (gen.GetGroupEpicAwardEmojiResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.EpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.Emoji(ctx, found, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpicAwardEmoji200JSONResponse(s.show.EpicAwardEmoji(row)), nil
}

// DeleteGroupEpicAwardEmoji removes an emoji reaction from an epic.
// DELETE /groups/{id}/epics/{epic_iid}/award_emoji/{award_id}
func (s *Epics) DeleteGroupEpicAwardEmoji(
	ctx context.Context, req gen.DeleteGroupEpicAwardEmojiRequestObject,
) (gen.DeleteGroupEpicAwardEmojiResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.EpicIid, access.AwardEpicEmoji)
	if err != nil {
		return nil, err
	}
	row, err := s.epics.Emoji(ctx, found, req.AwardID)
	if err == nil {
		err = s.epics.RemoveEmoji(ctx, found, row.Award, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	}
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupEpicAwardEmoji204Response{}, nil
}
