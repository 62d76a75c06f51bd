package note

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Awardable is the target of an emoji reaction: a Place, or a note there.
type Awardable struct {
	Item
	Kind string
	ID   int64
}

// Awardable returns the target of an emoji reaction. If note is 0, the target is the place itself.
func (t *Service) Awardable(ctx context.Context, p Item, note int64) (Awardable, error) {
	if note == 0 {
		return Awardable{Item: p, Kind: p.On.Type, ID: p.On.ID}, nil
	}
	row, err := t.Note(ctx, p, note)
	return Awardable{Item: p, Kind: model.OnNote, ID: row.Note.ID}, err
}

// Award adds an emoji reaction. Thumbs on the place itself are also counted as votes.
func (t *Service) Award(ctx context.Context, a Awardable, name string) (model.AwardRow, error) {
	if err := a.CheckMayComment(); err != nil {
		return model.AwardRow{}, err
	}
	award := model.AwardEmoji{AwardableType: a.Kind, AwardableID: a.ID, UserID: a.Caller, Name: name}
	err := t.store.Tx(ctx, func(ctx context.Context) error {
		if err := t.store.AwardEmoji.Create(ctx, &award); err != nil {
			return err
		}
		if a.Kind == model.OnNote {
			return nil
		}
		return t.store.Noteables.Vote(ctx, a.On, name, 1)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return model.AwardRow{}, apierr.NotFound("Award Emoji Name has already been taken")
	}
	if err != nil {
		return model.AwardRow{}, err
	}
	giver, err := t.store.Users.Get(ctx, a.Caller)
	return model.AwardRow{Award: award, User: giver}, err
}

// RemoveAward removes an emoji reaction. Only the user who gave it and administrators may do that.
func (t *Service) RemoveAward(ctx context.Context, a Awardable, award model.AwardEmoji, unchangedSince *time.Time) error {
	if award.UserID != a.Caller && !reqctx.Of(ctx).Actor.User.Admin {
		return apierr.Forbidden()
	}
	return t.store.Tx(ctx, func(ctx context.Context) error {
		if err := t.store.AwardEmoji.Delete(ctx, award, unchangedSince); err != nil {
			return err
		}
		if a.Kind == model.OnNote {
			return nil
		}
		return t.store.Noteables.Vote(ctx, a.On, award.Name, -1)
	})
}

// FindAward returns an emoji reaction to the target.
func (t *Service) FindAward(ctx context.Context, a Awardable, id int64) (model.AwardRow, error) {
	row, err := t.store.AwardEmoji.Get(ctx, a.Kind, a.ID, id)
	return row, apierr.OrNotFound(err)
}
