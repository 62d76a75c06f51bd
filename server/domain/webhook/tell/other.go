package tell

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Milestone tells hooks of a milestone of a project, or of a group if the project is nil. The action is create, close,
// reopen or delete.
func (t *Teller) Milestone(ctx context.Context, p *model.Project, m model.Milestone, action string) error {
	if t == nil {
		return nil
	}
	if p != nil {
		return t.one(ctx, *p, model.HookMilestones, func(context.Context) (any, error) {
			return t.to.Milestone(payload.MilestoneInput{Project: p, Milestone: m, Action: action}), nil
		})
	}
	return t.events.Hook(ctx, events.InGroup(*m.GroupID), events.HookEvent{
		Kind: model.HookMilestones, Body: func(ctx context.Context) (any, error) {
			group, err := t.store.Namespaces.Get(ctx, *m.GroupID, "", store.Reader{Admin: true})
			return t.to.Milestone(payload.MilestoneInput{Group: &group, Milestone: m, Action: action}), err
		},
	})
}

// WikiPage tells hooks of a page of a project's wiki. in needs no user.
func (t *Teller) WikiPage(ctx context.Context, userID int64, in payload.WikiPageInput) error {
	if t == nil {
		return nil
	}
	return t.one(ctx, in.Project, model.HookWikiPages, func(ctx context.Context) (_ any, err error) {
		in.User, err = t.store.Users.Get(ctx, userID)
		return t.to.WikiPage(in), err
	})
}

// Release tells hooks of a release. The action is create, update or delete.
func (t *Teller) Release(ctx context.Context, p model.Project, r model.ReleaseRow, action string) error {
	if t == nil {
		return nil
	}
	return t.one(ctx, p, model.HookReleases, func(ctx context.Context) (any, error) {
		in, err := t.loader.Release(ctx, p, r, action)
		return t.to.Release(in), err
	})
}

// Emoji tells hooks of an emoji reaction. The action is award or revoke.
func (t *Teller) Emoji(ctx context.Context, p model.Project, award model.AwardEmoji, userID int64, action string) error {
	if t == nil {
		return nil
	}
	return t.one(ctx, p, model.HookEmoji, func(ctx context.Context) (_ any, err error) {
		in := payload.EmojiInput{Project: p, Award: award, Action: action}
		if in.User, err = t.store.Users.Get(ctx, userID); err != nil {
			return nil, err
		}
		in.Note, in.Target, err = t.loader.EmojiTarget(ctx, p, award)
		return t.to.Emoji(in), err
	})
}
