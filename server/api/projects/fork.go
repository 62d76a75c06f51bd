package projects

import (
	"context"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
)

// ForkProject creates a fork of a project.
// POST /projects/{id}/fork
func (p *Projects) ForkProject(
	ctx context.Context, req gen.ForkProjectRequestObject,
) (gen.ForkProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ForkProject)
	if err != nil {
		return nil, err
	}
	if !row.MayFork() {
		return nil, apierr.Forbidden()
	}
	b := wire.Value(req.Body)
	fork := project.NewFork{
		Name: b.Name, Path: b.Path, Description: b.Description.Ptr(), Visibility: visibilityFrom(b.Visibility),
	}
	if err := fork.Check(); err != nil {
		return nil, err
	}
	in, err := p.forkPlace(ctx, b)
	if err != nil {
		return nil, err
	}
	made, err := p.projects.Fork(ctx, row.Project, in, fork)
	if err != nil {
		return nil, err
	}
	shown, err := p.reload(ctx, made.ID)
	if err != nil {
		return nil, err
	}
	return gen.ForkProject201JSONResponse(shown), nil
}

// forkPlace returns the namespace of a fork. The caller can name it in one of three parameters.
func (p *Projects) forkPlace(ctx context.Context, b gen.ProjectFork) (project.Place, error) {
	id := ""
	if b.NamespaceID != nil {
		id = strconv.FormatInt(*b.NamespaceID, 10)
	}
	var given []string
	to := ""
	for _, way := range []struct{ name, value string }{
		{"namespace", wire.Value(b.Namespace)}, {"namespace_id", id}, {"namespace_path", wire.Value(b.NamespacePath)},
	} {
		if way.value != "" {
			given, to = append(given, way.name), way.value
		}
	}
	if len(given) > 1 {
		return project.Place{}, apierr.BadParameter(strings.Join(given, ", ") + " are mutually exclusive")
	}
	owner, err := p.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return project.Place{}, err
	}
	in, err := p.projects.MayCreateIn(ctx, owner, to)
	if store.IsNotFound(err) {
		return in, apierr.NotFound("Target Namespace")
	}
	return in, err
}
