package epic

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// noteable returns an epic as an item that counts thumbs and has resource events.
func noteable(e model.EpicRow) model.Noteable {
	return model.Noteable{Type: model.OnEpic, ID: e.Epic.ID}
}

// AddEmoji adds an emoji reaction of the caller to an epic. Thumbs are also counted as votes.
func (s *Service) AddEmoji(ctx context.Context, e model.EpicRow, name string) (model.AwardRow, error) {
	made := model.AwardEmoji{AwardableType: model.OnEpic, AwardableID: e.Epic.ID, UserID: callerID(ctx), Name: name}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.AwardEmoji.Create(ctx, &made); err != nil {
			return err
		}
		return s.store.Noteables.Vote(ctx, noteable(e), name, 1)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return model.AwardRow{}, apierr.NotFound("Award Emoji Name has already been taken")
	}
	if err != nil {
		return model.AwardRow{}, err
	}
	return s.Emoji(ctx, e, made.ID)
}

// Emoji returns an emoji reaction to an epic.
func (s *Service) Emoji(ctx context.Context, e model.EpicRow, id int64) (model.AwardRow, error) {
	row, err := s.store.AwardEmoji.Get(ctx, model.OnEpic, e.Epic.ID, id)
	return row, apierr.OrNotFound(err)
}

// RemoveEmoji removes an emoji reaction. Only the user who gave it and administrators may do that.
func (s *Service) RemoveEmoji(ctx context.Context, e model.EpicRow, award model.AwardEmoji, unmodifiedSince *time.Time) error {
	if award.UserID != callerID(ctx) && !reqctx.Of(ctx).Actor.User.Admin {
		return apierr.Forbidden()
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.AwardEmoji.Delete(ctx, award, unmodifiedSince); err != nil {
			return err
		}
		return s.store.Noteables.Vote(ctx, noteable(e), award.Name, -1)
	})
}
