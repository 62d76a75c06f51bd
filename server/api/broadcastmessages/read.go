package broadcastmessages

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// ListBroadcastMessages lists all broadcast messages, the newest first.
// GET /broadcast_messages
func (b *BroadcastMessages) ListBroadcastMessages(
	ctx context.Context, req gen.ListBroadcastMessagesRequestObject,
) (gen.ListBroadcastMessagesResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadBroadcastMessage); err != nil {
		return nil, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "BroadcastMessage"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := b.store.BroadcastMessages.List(ctx, window.Page)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	return gen.ListBroadcastMessages200JSONResponse{
		Body:    present.All(rows, func(m model.BroadcastMessage) gen.BroadcastMessage { return presentOne(m, now) }),
		Headers: gen.ListBroadcastMessages200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetBroadcastMessage shows a broadcast message.
// GET /broadcast_messages/{id}
func (b *BroadcastMessages) GetBroadcastMessage(
	ctx context.Context, req gen.GetBroadcastMessageRequestObject,
) (gen.GetBroadcastMessageResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadBroadcastMessage); err != nil {
		return nil, err
	}
	row, err := b.messages.Get(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetBroadcastMessage200JSONResponse(presentOne(row, clock.Now(ctx))), nil
}

// presentOne presents a message as it is at a time.
func presentOne(m model.BroadcastMessage, now time.Time) gen.BroadcastMessage {
	return gen.BroadcastMessage{
		ID: m.ID, Message: m.Message, StartsAt: wire.NewTime(m.StartsAt), EndsAt: wire.NewTime(m.EndsAt), Color: m.Color, Font: m.Font,
		TargetAccessLevels: present.All(m.Levels(), func(l model.Access) int64 { return int64(l) }), TargetPath: m.TargetPath,
		BroadcastType: gen.BroadcastMessageBroadcastType(m.BroadcastType), Theme: gen.BroadcastMessageTheme(m.Theme),
		Dismissable: m.Dismissable, Active: m.ActiveAt(now),
	}
}
