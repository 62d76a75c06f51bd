package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
	"svc/store/setting"
)

// BroadcastMessages holds the messages that administrators show on all pages. Every write raises the version by which all
// processes notice it. Call Settings.Load after the transaction of a write.
type BroadcastMessages struct{ Settings }

const broadcastMessage = "Broadcast Message"

// List returns one page of the messages, newest first.
func (s BroadcastMessages) List(ctx context.Context, p Page) ([]model.BroadcastMessage, Total, error) {
	return query.List[model.BroadcastMessage](s.db.Read(ctx).Order("id DESC"), p)
}

// Get returns a message.
func (s BroadcastMessages) Get(ctx context.Context, id int64) (model.BroadcastMessage, error) {
	return query.Take[model.BroadcastMessage](s.db.Read(ctx).Where("id = ?", id), broadcastMessage)
}

// Create adds a message.
func (s BroadcastMessages) Create(ctx context.Context, m *model.BroadcastMessage) error {
	if err := s.db.Write(ctx).Create(m).Error; err != nil {
		return query.Translate(err)
	}
	return s.touch(ctx, setting.BroadcastKind)
}

// Update stores all columns of a message.
func (s BroadcastMessages) Update(ctx context.Context, m *model.BroadcastMessage) error {
	if err := s.db.Write(ctx).Save(m).Error; err != nil {
		return query.Translate(err)
	}
	return s.touch(ctx, setting.BroadcastKind)
}

// Delete removes a message, unless it was changed after the given time.
func (s BroadcastMessages) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	if err := query.DeleteWhere[model.BroadcastMessage](ctx, s.db, broadcastMessage, unchangedSince, "id = ?", id); err != nil {
		return err
	}
	return s.touch(ctx, setting.BroadcastKind)
}
