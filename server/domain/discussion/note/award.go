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

// Awardable is what emoji are given to: a place, or a note there.
type Awardable struct {
	Place
	Kind string
	ID   int64
}

// Awardable returns what emoji are given to; note 0 means the place itself.
func (t *Talk) Awardable(ctx context.Context, p Place, note int64) (Awardable, error) {
	if note == 0 {
		return Awardable{Place: p, Kind: p.On.Type, ID: p.On.ID}, nil
	}
	row, err := t.Note(ctx, p, note)
	return Awardable{Place: p, Kind: model.OnNote, ID: row.Note.ID}, err
}

// Award gives an emoji; the thumbs of the place are counted.
func (t *Talk) Award(ctx context.Context, a Awardable, name string) (model.AwardRow, error) {
	if err := a.MayTalk(); err != nil {
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

// Withdraw takes an emoji back: whose it is does, and administrators.
func (t *Talk) Withdraw(ctx context.Context, a Awardable, award model.AwardEmoji, unchangedSince *time.Time) error {
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

// AwardOf returns an emoji there.
func (t *Talk) AwardOf(ctx context.Context, a Awardable, id int64) (model.AwardRow, error) {
	row, err := t.store.AwardEmoji.Get(ctx, a.Kind, a.ID, id)
	return row, apierr.OrNotFound(err)
}
