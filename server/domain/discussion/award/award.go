// Package award gives and removes emoji reactions to issues, merge requests and notes.
package award

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/discussion"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Service gives and removes emoji reactions.
type Service struct {
	store *store.Store
	hooks *announce.Announcer
}

// New returns the emoji reaction operations.
func New(st *store.Store, hooks *announce.Announcer) *Service {
	return &Service{store: st, hooks: hooks}
}

// Target is the target of an emoji reaction: an item, or a note on it.
type Target struct {
	discussion.Item
	Kind string
	ID   int64
}

// OnItem returns the item itself as the target.
func OnItem(item discussion.Item) Target {
	return Target{Item: item, Kind: item.On.Type, ID: item.On.ID}
}

// Add adds an emoji reaction. Thumbs on the item itself are also counted as votes.
func (s *Service) Add(ctx context.Context, t Target, name string) (model.AwardRow, error) {
	if err := t.CheckMayComment(); err != nil {
		return model.AwardRow{}, err
	}
	award := model.AwardEmoji{AwardableType: t.Kind, AwardableID: t.ID, UserID: t.Caller, Name: name}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.AwardEmoji.Create(ctx, &award); err != nil {
			return err
		}
		if err := s.hooks.Emoji(ctx, t.Row.Project, award, t.Caller, "award"); err != nil || t.Kind == model.OnNote {
			return err
		}
		return s.store.Noteables.Vote(ctx, t.On, name, 1)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return model.AwardRow{}, apierr.NotFound("Award Emoji Name has already been taken")
	}
	if err != nil {
		return model.AwardRow{}, err
	}
	giver, err := s.store.Users.Get(ctx, t.Caller)
	return model.AwardRow{Award: award, User: giver}, err
}

// Remove removes an emoji reaction. Only the user who gave it and administrators may do that.
func (s *Service) Remove(ctx context.Context, t Target, award model.AwardEmoji, unchangedSince *time.Time) error {
	if award.UserID != t.Caller && !reqctx.Of(ctx).Actor.User.Admin {
		return apierr.Forbidden()
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.AwardEmoji.Delete(ctx, award, unchangedSince); err != nil {
			return err
		}
		if err := s.hooks.Emoji(ctx, t.Row.Project, award, t.Caller, "revoke"); err != nil || t.Kind == model.OnNote {
			return err
		}
		return s.store.Noteables.Vote(ctx, t.On, award.Name, -1)
	})
}

// Toggle adds an emoji reaction, or removes it if the caller has already given it.
func (s *Service) Toggle(ctx context.Context, t Target, name string) error {
	given, err := s.store.AwardEmoji.FindOf(ctx, t.Kind, t.ID, t.Caller, name)
	if store.IsNotFound(err) {
		_, err = s.Add(ctx, t, name)
		return err
	}
	if err != nil {
		return err
	}
	return s.Remove(ctx, t, given, nil)
}

// Find returns an emoji reaction to the target.
func (s *Service) Find(ctx context.Context, t Target, id int64) (model.AwardRow, error) {
	row, err := s.store.AwardEmoji.Get(ctx, t.Kind, t.ID, id)
	return row, apierr.OrNotFound(err)
}
