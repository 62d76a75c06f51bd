package hooks

import (
	"context"
	"time"

	"svc/server/domain/webhook"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

func (s *Hooks) project(ctx context.Context, ref string) (webhook.Owner, model.ProjectRow, error) {
	row, err := s.access.Project(ctx, ref, access.AdminHook)
	return webhook.OfProject(row.Project), row, err
}

func (s *Hooks) group(ctx context.Context, ref string) (webhook.Owner, model.Namespace, error) {
	g, _, err := s.access.Group(ctx, ref, access.AdminGroupHook)
	return webhook.OfGroup(g), g, err
}

func (s *Hooks) instance(ctx context.Context) (webhook.Owner, error) {
	_, err := access.Allow(ctx, access.AdminSystemHook)
	return webhook.OfInstance(), err
}

// presentOne presents a hook without its secrets.
func presentOne[T any](
	ctx context.Context, s *Hooks, h model.Hook, show func(model.Hook, present.HookSecrets, time.Time) T,
) (T, error) {
	open, err := s.hooks.Open(h)
	return show(h, present.HookSecrets{
		Token: open.Token != "", SigningToken: open.SigningToken != "", Headers: open.Headers.Keys(), Variables: open.Variables.Keys(),
	}, clock.Now(ctx)), err
}
