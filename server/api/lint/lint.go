package lint

import (
	"cmp"
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// LintCi validates a CI file without a project.
// POST /ci/lint
func (l *Lint) LintCi(ctx context.Context, req gen.LintCiRequestObject) (gen.LintCiResponseObject, error) {
	actor, err := access.Allow(ctx, access.LintCI)
	if err != nil {
		return nil, err
	}
	user, err := l.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	found, err := l.launch.LintAlone(ctx, user, []byte(req.Body.Content))
	if err != nil {
		return nil, err
	}
	return gen.LintCi200JSONResponse(presentLint(found, wire.Value(req.Body.IncludeJobs))), nil
}

// LintProjectCi validates a CI file as if it were in a project.
// POST /projects/{id}/ci/lint
func (l *Lint) LintProjectCi(
	ctx context.Context, req gen.LintProjectCiRequestObject,
) (gen.LintProjectCiResponseObject, error) {
	row, err := l.access.Project(ctx, req.ID, access.CreatePipeline)
	if err != nil {
		return nil, err
	}
	order, err := l.pushAt(ctx, row, wire.Value(req.Body.Ref))
	if isNotFound(err) && row.Project.EmptyRepo && order.Ref == row.Project.DefaultBranch {
		order.SHA, order.Tag, err = git.Zero, false, nil // an empty repository has no other files
	}
	if err != nil {
		return nil, err
	}
	found, err := l.launch.Lint(ctx, order, []byte(req.Body.Content), wire.Value(req.Body.DryRun))
	if err != nil {
		return nil, err
	}
	return gen.LintProjectCi200JSONResponse(presentLint(found, wire.Value(req.Body.IncludeJobs))), nil
}

// GetProjectCiLint validates the CI file of a project.
// GET /projects/{id}/ci/lint
func (l *Lint) GetProjectCiLint(
	ctx context.Context, req gen.GetProjectCiLintRequestObject,
) (gen.GetProjectCiLintResponseObject, error) {
	row, err := l.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	q := req.Params
	dry := wire.Value(q.DryRun)
	if dry && row.Role() < model.Developer {
		return nil, apierr.Forbidden()
	}
	order, err := l.pushAt(ctx, row, cmp.Or(wire.Value(q.DryRunRef), wire.Value(q.Ref)))
	if err != nil {
		return nil, err
	}
	if at := cmp.Or(wire.Value(q.ContentRef), wire.Value(q.Sha)); at != "" {
		if order.SHA, err = l.launch.Commit(ctx, row.Project, at); err != nil {
			return nil, err
		}
	}
	found, err := l.launch.Lint(ctx, order, nil, dry)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectCiLint200JSONResponse(presentLint(found, wire.Value(q.IncludeJobs))), nil
}
