package broadcastmessages

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/broadcast"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/clock"
)

// CreateBroadcastMessage creates a broadcast message.
// POST /broadcast_messages
func (b *BroadcastMessages) CreateBroadcastMessage(
	ctx context.Context, req gen.CreateBroadcastMessageRequestObject,
) (gen.CreateBroadcastMessageResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminBroadcastMessage); err != nil {
		return nil, err
	}
	in := *req.Body
	row, err := b.messages.Create(ctx, broadcast.Change{
		Message: &in.Message, StartsAt: at(in.StartsAt), EndsAt: at(in.EndsAt), Color: in.Color, Font: in.Font,
		TargetAccessLevels: in.TargetAccessLevels, TargetPath: in.TargetPath, Theme: text(in.Theme),
		Type: text(in.BroadcastType), Dismissable: in.Dismissable,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateBroadcastMessage201JSONResponse(presentOne(row, clock.Now(ctx))), nil
}

// UpdateBroadcastMessage changes a broadcast message.
// PUT /broadcast_messages/{id}
func (b *BroadcastMessages) UpdateBroadcastMessage(
	ctx context.Context, req gen.UpdateBroadcastMessageRequestObject,
) (gen.UpdateBroadcastMessageResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminBroadcastMessage); err != nil {
		return nil, err
	}
	in := *req.Body
	row, err := b.messages.Apply(ctx, req.ID, broadcast.Change{
		Message: in.Message, StartsAt: at(in.StartsAt), EndsAt: at(in.EndsAt), Color: in.Color, Font: in.Font,
		TargetAccessLevels: in.TargetAccessLevels, TargetPath: in.TargetPath, Theme: text(in.Theme),
		Type: text(in.BroadcastType), Dismissable: in.Dismissable,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateBroadcastMessage200JSONResponse(presentOne(row, clock.Now(ctx))), nil
}

// DeleteBroadcastMessage deletes a broadcast message.
// DELETE /broadcast_messages/{id}
func (b *BroadcastMessages) DeleteBroadcastMessage(
	ctx context.Context, req gen.DeleteBroadcastMessageRequestObject,
) (gen.DeleteBroadcastMessageResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminBroadcastMessage); err != nil {
		return nil, err
	}
	if err := b.messages.Delete(ctx, req.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteBroadcastMessage204Response{}, nil
}

// at returns a time of a request in UTC, or nil.
func at(t *wire.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC().Truncate(time.Microsecond)
	return &utc
}

// text returns a word of a list as a text, or nil.
func text[T ~string](word *T) *string {
	if word == nil {
		return nil
	}
	plain := string(*word)
	return &plain
}
