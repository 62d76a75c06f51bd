package projects

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// CreateProject creates a project in a group or in the caller's own namespace.
// POST /projects
func (p *Projects) CreateProject(
	ctx context.Context, req gen.CreateProjectRequestObject,
) (gen.CreateProjectResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateProject)
	if err != nil {
		return nil, err
	}
	shown, err := p.create(ctx, actor.User.ID, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProject201JSONResponse(shown), nil
}

// CreateUserProject creates a project for another user.
// POST /projects/user/{user_id}
func (p *Projects) CreateUserProject(
	ctx context.Context, req gen.CreateUserProjectRequestObject,
) (gen.CreateUserProjectResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminProjectOfUser); err != nil {
		return nil, err
	}
	shown, err := p.create(ctx, req.UserID, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateUserProject201JSONResponse(shown), nil
}

// create creates a project for a user, and presents it to the caller.
func (p *Projects) create(ctx context.Context, userID int64, b *gen.ProjectWrite) (gen.Project, error) {
	owner, err := p.store.Users.Get(ctx, userID)
	if err != nil {
		return gen.Project{}, err
	}
	if b == nil || (b.Name == nil && b.Path == nil) {
		return gen.Project{}, apierr.BadParameter("name, path are missing, at least one parameter must be provided")
	}
	change, err := changeFrom(*b)
	if err != nil {
		return gen.Project{}, err
	}
	in, err := p.place(ctx, owner, b.NamespaceID)
	if err != nil {
		return gen.Project{}, err
	}
	n := project.New{Change: change, OwnerID: owner.ID, Readme: wire.Value(b.InitializeWithReadme)}
	var made model.Project
	if from := wire.Value(b.ImportURL.Ptr()); from != "" {
		made, err = p.remotes.Create(ctx, p.projects, in, n, from)
	} else {
		made, err = p.projects.Create(ctx, in, n)
	}
	if err != nil {
		return gen.Project{}, err
	}
	return p.reload(ctx, made.ID)
}

// place returns the namespace for a new project: the given one, or else the owner's own.
func (p *Projects) place(ctx context.Context, owner model.User, namespaceID *int64) (project.Place, error) {
	if namespaceID == nil {
		return p.projects.MayCreateIn(ctx, owner, "")
	}
	return p.projects.MayCreateIn(ctx, owner, strconv.FormatInt(*namespaceID, 10))
}
