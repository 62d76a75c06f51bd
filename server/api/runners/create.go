package runners

import (
	"context"
	"errors"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/runner"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// CreateCurrentUserRunner creates a runner.
// POST /user/runners
func (r *Runners) CreateCurrentUserRunner(
	ctx context.Context, req gen.CreateCurrentUserRunnerRequestObject,
) (gen.CreateCurrentUserRunnerResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateRunner)
	if err != nil {
		return nil, err
	}
	b := req.Body
	in, err := r.findOwner(ctx, string(b.RunnerType), b.GroupID.Ptr(), b.ProjectID.Ptr(), actor.User.Admin)
	if err != nil {
		return nil, err
	}
	row, token, err := r.runners.Create(ctx, in, runner.Settings{
		Description: b.Description.Ptr(), MaintenanceNote: b.MaintenanceNote.Ptr(), Paused: wire.Value(b.Paused.Ptr()),
		Locked: wire.Value(b.Locked.Ptr()), RunUntagged: b.RunUntagged.Ptr(), Tags: wire.Value(b.TagList.Ptr()),
		AccessLevel: string(wire.Value(b.AccessLevel.Ptr())), MaximumTimeout: b.MaximumTimeout.Ptr(),
	}, actor.User.ID)
	if err != nil {
		return nil, asSentence(err)
	}
	return gen.CreateCurrentUserRunner201JSONResponse(presentToken(row, token)), nil
}

func presentToken(row model.Runner, token string) gen.RunnerToken {
	return gen.RunnerToken{ID: row.ID, Token: token, TokenExpiresAt: wire.TimePtr(row.TokenExpiresAt)}
}

// asSentence turns a validation error into one sentence: 400 {"message": "400 Bad request - Tags list can not be empty
// …"}.
func asSentence(err error) error {
	var refused *apierr.Error
	if !errors.As(err, &refused) {
		return err
	}
	fields, ok := refused.Body.Message.(map[string][]string)
	if !ok {
		return err
	}
	for field, texts := range fields { // there is exactly one
		name := strings.ReplaceAll(field, "_", " ")
		return apierr.BadRequest(strings.ToUpper(name[:1]) + name[1:] + " " + strings.Join(texts, ", "))
	}
	return err
}
