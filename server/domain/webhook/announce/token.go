package announce

import (
	"context"
	"fmt"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ExpiringJob is the job that announces access tokens and deploy tokens that are about to expire. It runs several times
// a day; a hook gets each step of a token once.
type ExpiringJob struct{}

// Kind returns the name of the job in the queue.
func (ExpiringJob) Kind() string { return "announce_expiring_tokens" }

// tokensAtOnce is how many tokens one query reads.
const tokensAtOnce = 200

// RunExpiring returns the function that runs an ExpiringJob. early adds the steps of 60 and 30 days.
func (a *Announcer) RunExpiring(early bool) func(context.Context, ExpiringJob) error {
	return func(ctx context.Context, _ ExpiringJob) error {
		if err := a.expiringAccessTokens(ctx, clock.Now(ctx), early); err != nil {
			return err
		}
		return a.expiringDeployTokens(ctx, clock.Now(ctx), early)
	}
}

func (a *Announcer) expiringAccessTokens(ctx context.Context, now time.Time, early bool) error {
	for after := int64(0); ; {
		rows, err := a.store.Tokens.Expiring(ctx, now, now.Add(payload.FirstStep), after, tokensAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row.Token.ID
			err := a.expiring(ctx, expiringToken{
				kind: model.HookAccessTokens, id: row.Token.ID, source: row.Source,
				step: payload.ExpiryInterval(*row.Token.ExpiresAt, now, early),
				body: func(p *model.Project, g *model.Namespace, step string) any {
					return a.to.AccessToken(payload.AccessTokenInput{Project: p, Group: g, Token: row.Token, Interval: step})
				},
			})
			if err != nil {
				return err
			}
		}
	}
}

func (a *Announcer) expiringDeployTokens(ctx context.Context, now time.Time, early bool) error {
	for after := int64(0); ; {
		rows, err := a.store.DeployTokens.Expiring(ctx, now, now.Add(payload.FirstStep), after, tokensAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row.ID
			err := a.expiring(ctx, expiringToken{
				kind: model.HookDeployTokens, id: row.ID, source: store.Source{Type: row.SourceType, ID: row.SourceID},
				step: payload.ExpiryInterval(*row.ExpiresAt, now, early),
				body: func(p *model.Project, g *model.Namespace, step string) any {
					return a.to.DeployToken(payload.DeployTokenInput{Project: p, Group: g, Token: row, Interval: step})
				},
			})
			if err != nil {
				return err
			}
		}
	}
}

// expiringToken is a token that is about to expire.
type expiringToken struct {
	kind   model.HookEvents
	id     int64
	source store.Source
	step   string // empty if no step is due
	body   func(p *model.Project, g *model.Namespace, step string) any
}

// expiring announces the step of a token that is due, once.
func (a *Announcer) expiring(ctx context.Context, t expiringToken) error {
	if t.step == "" {
		return nil
	}
	event := events.HookEvent{Kind: t.kind, Once: fmt.Sprintf("expiring token %d/%d/%s", t.kind, t.id, t.step)}
	if t.source.Type == model.SourceProject {
		project, err := a.loader.Project(ctx, t.source.ID)
		if err != nil {
			return gone(err)
		}
		event.Body = func(context.Context) (any, error) { return t.body(&project, nil, t.step), nil }
		return a.events.Hook(ctx, events.InProject(project), event)
	}
	group, err := a.store.Namespaces.Get(ctx, t.source.ID, "", store.Reader{Admin: true})
	if err != nil {
		return gone(err)
	}
	event.Body = func(context.Context) (any, error) { return t.body(nil, &group, t.step), nil }
	return a.events.Hook(ctx, events.InGroup(group.ID), event)
}

// gone returns nil for what was deleted meanwhile.
func gone(err error) error {
	if store.IsNotFound(err) {
		return nil
	}
	return err
}
