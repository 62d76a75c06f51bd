package runners

import (
	"cmp"
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/runner"
	"svc/server/platform/reqctx"
	"svc/store"
)

// RegisterRunner registers a runner with a registration token, which is the deprecated way.
// POST /runners
func (r *Runners) RegisterRunner(
	ctx context.Context, req gen.RegisterRunnerRequestObject,
) (gen.RegisterRunnerResponseObject, error) {
	b := req.Body
	in, err := r.runners.Registration(ctx, b.Token)
	if err != nil {
		return nil, err
	}
	paused, err := pausedFrom(b.Paused.Ptr(), b.Active.Ptr())
	if err != nil {
		return nil, err
	}
	row, token, err := r.runners.Register(ctx, in, runner.Settings{
		Description: b.Description.Ptr(), MaintenanceNote: cmp.Or(b.MaintenanceNote.Ptr(), b.MaintainerNote.Ptr()),
		Paused: wire.Value(paused), Locked: wire.Value(b.Locked.Ptr()), RunUntagged: b.RunUntagged.Ptr(),
		Tags: wire.Value(b.TagList.Ptr()), AccessLevel: string(wire.Value(b.AccessLevel.Ptr())),
		MaximumTimeout: b.MaximumTimeout.Ptr(),
	}, machineFrom(b.Info))
	if err != nil {
		return nil, err
	}
	return gen.RegisterRunner201JSONResponse(presentToken(row, token)), nil
}

// machineFrom reads what a machine reports about itself.
func machineFrom(info *gen.RunnerInfo) store.MachineInfo {
	if info == nil {
		return store.MachineInfo{}
	}
	return store.MachineInfo{
		Name: info.Name.Ptr(), Version: info.Version.Ptr(), Revision: info.Revision.Ptr(),
		Platform: info.Platform.Ptr(), Architecture: info.Architecture.Ptr(), MultiStep: hasFeature(info, "multi_build_steps"),
	}
}

// hasFeature reports whether a machine names a feature of its program.
func hasFeature(info *gen.RunnerInfo, name string) bool {
	features, _ := wire.Value(info.Features.Ptr()).(map[string]any)
	on, _ := features[name].(bool)
	return on
}

// VerifyRunner reports whether a runner's token is valid.
// POST /runners/verify
func (r *Runners) VerifyRunner(
	ctx context.Context, req gen.VerifyRunnerRequestObject,
) (gen.VerifyRunnerResponseObject, error) {
	b := req.Body
	c, err := r.runners.Authenticate(ctx, b.Token, wire.Value(b.SystemID.Ptr()), machineFrom(b.Info))
	if err != nil {
		return nil, err
	}
	return gen.VerifyRunner200JSONResponse(presentToken(c.Runner, b.Token)), nil
}

// UnregisterRunner deletes the runner that owns a token.
// DELETE /runners
func (r *Runners) UnregisterRunner(
	ctx context.Context, req gen.UnregisterRunnerRequestObject,
) (gen.UnregisterRunnerResponseObject, error) {
	c, err := r.runners.Authenticate(ctx, req.Body.Token, "", store.MachineInfo{})
	if err != nil {
		return nil, err
	}
	if err := r.runners.Unregister(ctx, c.Runner, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.UnregisterRunner204Response{}, nil
}

// UnregisterRunnerManager deletes a machine of the runner that owns a token.
// DELETE /runners/managers
func (r *Runners) UnregisterRunnerManager(
	ctx context.Context, req gen.UnregisterRunnerManagerRequestObject,
) (gen.UnregisterRunnerManagerResponseObject, error) {
	c, err := r.runners.Authenticate(ctx, req.Body.Token, "", store.MachineInfo{})
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := r.store.Runners.DeleteManager(ctx, c.Runner.ID, req.Body.SystemID, unmodifiedSince); err != nil {
		return nil, err
	}
	return gen.UnregisterRunnerManager204Response{}, nil
}
