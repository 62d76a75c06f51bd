package announce

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Milestone announces a milestone of a project, or of a group if the project is nil. The action is create, close,
// reopen or delete.
func (a *Announcer) Milestone(ctx context.Context, p *model.Project, m model.Milestone, action string) error {
	if a == nil {
		return nil
	}
	if p != nil {
		return a.one(ctx, *p, model.HookMilestones, func(context.Context) (any, error) {
			return a.to.Milestone(payload.MilestoneInput{Project: p, Milestone: m, Action: action}), nil
		})
	}
	return a.events.Hook(ctx, events.InGroup(*m.GroupID), events.HookEvent{
		Kind: model.HookMilestones, Body: func(ctx context.Context) (any, error) {
			group, err := a.store.Namespaces.Get(ctx, *m.GroupID, "", store.Reader{Admin: true})
			return a.to.Milestone(payload.MilestoneInput{Group: &group, Milestone: m, Action: action}), err
		},
	})
}

// WikiPage announces a page of a project's wiki. in needs no user.
func (a *Announcer) WikiPage(ctx context.Context, userID int64, in payload.WikiPageInput) error {
	if a == nil {
		return nil
	}
	return a.one(ctx, in.Project, model.HookWikiPages, func(ctx context.Context) (_ any, err error) {
		in.User, err = a.store.Users.Get(ctx, userID)
		return a.to.WikiPage(in), err
	})
}

// Release announces a release. The action is create, update or delete.
func (a *Announcer) Release(ctx context.Context, p model.Project, r model.ReleaseRow, action string) error {
	if a == nil {
		return nil
	}
	return a.one(ctx, p, model.HookReleases, func(ctx context.Context) (any, error) {
		in, err := a.loader.Release(ctx, p, r, action)
		return a.to.Release(in), err
	})
}

// FeatureFlag announces a feature flag that a user has switched on or off.
func (a *Announcer) FeatureFlag(ctx context.Context, p model.Project, flag model.FeatureFlag, userID int64) error {
	if a == nil {
		return nil
	}
	return a.one(ctx, p, model.HookFeatureFlags, func(ctx context.Context) (any, error) {
		user, err := a.store.Users.Get(ctx, userID)
		return a.to.FeatureFlag(payload.FeatureFlagInput{Project: p, User: user, Flag: flag}), err
	})
}

// Emoji announces an emoji reaction. The action is award or revoke.
func (a *Announcer) Emoji(ctx context.Context, p model.Project, award model.AwardEmoji, userID int64, action string) error {
	if a == nil {
		return nil
	}
	return a.one(ctx, p, model.HookEmoji, func(ctx context.Context) (_ any, err error) {
		in := payload.EmojiInput{Project: p, Award: award, Action: action}
		if in.User, err = a.store.Users.Get(ctx, userID); err != nil {
			return nil, err
		}
		in.Note, in.Target, err = a.loader.EmojiTarget(ctx, p, award)
		return a.to.Emoji(in), err
	})
}
