package projects

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ForkProject creates a fork of a project.
// POST /projects/{id}/fork
func (p *Projects) ForkProject(ctx context.Context, req gen.ForkProjectRequestObject) (gen.ForkProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ForkProject)
	if err != nil {
		return nil, err
	}
	if !row.MayFork() {
		return nil, apierr.Forbidden()
	}
	var b gen.ProjectFork
	if req.Body != nil {
		b = *req.Body
	}
	fork, err := newFork(b, row.Project)
	if err != nil {
		return nil, err
	}
	place, err := p.forkTarget(ctx, b)
	if err != nil {
		return nil, err
	}
	fork.NamespaceID, fork.CreatorID = place.id, reqctx.Of(ctx).Actor.User.ID
	var made model.Project
	err = p.store.Tx(ctx, func(ctx context.Context) error {
		if made, err = p.store.Projects.Fork(ctx, fork, place.limit); err != nil {
			return err
		}
		if err := p.recordCreated(ctx, made, "project_forked", "Created project as a fork of "+row.Project.FullPath); err != nil {
			return err
		}
		return p.repos.CreateFork(ctx, made)
	})
	if err != nil {
		return nil, explainFork(err)
	}
	shown, err := p.reload(ctx, made.ID)
	if err != nil {
		return nil, err
	}
	return gen.ForkProject201JSONResponse(shown), nil
}

// ListProjectForks lists the forks of a project.
// GET /projects/{id}/forks
func (p *Projects) ListProjectForks(
	ctx context.Context, req gen.ListProjectForksRequestObject,
) (gen.ListProjectForksResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.list(ctx, gen.ListProjectsParams(req.Params), store.ProjectFilter{ForkedFrom: &row.Project.ID})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectForks200JSONResponse{Body: rows, Headers: gen.ListProjectForks200ResponseHeaders(headers)}, nil
}

// CreateProjectFork marks an existing project as a fork of another.
// POST /projects/{id}/fork/{forked_from_id}
func (p *Projects) CreateProjectFork(
	ctx context.Context, req gen.CreateProjectForkRequestObject,
) (gen.CreateProjectForkResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.LinkFork)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "project_fork_linked", "Added a fork relation")
		c.Target = events.Target{Type: "Project", ID: req.ForkedFromID}
		return c, p.store.Projects.Link(ctx, row.Project.ID, req.ForkedFromID)
	})
	if err != nil {
		return nil, explainFork(err)
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectFork201JSONResponse(shown), nil
}

// DeleteProjectFork removes the fork relation of a project.
// DELETE /projects/{id}/fork
func (p *Projects) DeleteProjectFork(
	ctx context.Context, req gen.DeleteProjectForkRequestObject,
) (gen.DeleteProjectForkResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.RemoveFork)
	if err != nil {
		return nil, err
	}
	changed := false
	err = events.Audited(ctx, p.store, func(ctx context.Context) (c events.Change, err error) {
		if changed, err = p.store.Projects.Unlink(ctx, row.Project.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); changed {
			c = events.OfProject(row.Project, "project_fork_unlinked", "Removed the fork relation")
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	if !changed {
		return notModified{}, nil
	}
	return gen.DeleteProjectFork204Response{}, nil
}

// newFork returns the fork that the input describes.
func newFork(b gen.ProjectFork, source model.Project) (store.Fork, error) {
	f := store.Fork{SourceID: source.ID, Name: b.Name, Path: b.Path, Description: b.Description.Ptr()}
	if b.Visibility != nil {
		wanted := visibility(*b.Visibility)
		f.Visibility = &wanted
	}
	rules := fieldErrors{}
	if b.Name != nil {
		rules.add("name", naming.Name(*b.Name))
	}
	if b.Path != nil {
		rules.add("path", naming.Path(*b.Path, false))
	}
	return f, rules.err()
}

// forkTarget returns the namespace of a fork. The caller can name it in one of three parameters.
func (p *Projects) forkTarget(ctx context.Context, b gen.ProjectFork) (place, error) {
	var given []string
	to := ""
	for _, way := range []struct {
		name  string
		value string
	}{{"namespace", wire.Value(b.Namespace)}, {"namespace_id", ref(b.NamespaceID)}, {"namespace_path", wire.Value(b.NamespacePath)}} {
		if way.value != "" {
			given, to = append(given, way.name), way.value
		}
	}
	if len(given) > 1 {
		return place{}, apierr.BadParameter(strings.Join(given, ", ") + " are mutually exclusive")
	}
	owner, err := p.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return place{}, err
	}
	found, err := p.targetNamespace(ctx, owner, to)
	if store.IsNotFound(err) {
		return found, apierr.NotFound("Target Namespace")
	}
	return found, err
}

func explainFork(err error) error {
	var taken *store.TakenError
	var conflict *store.ConflictError
	var forked *store.AlreadyForkError
	var loop *store.ForkLoopError
	switch {
	case errors.As(err, &taken):
		return apierr.ConflictFields(takenErrors(taken.Name, taken.Path))
	case errors.As(err, &conflict):
		return apierr.ConflictFields(takenErrors(conflict.Constraint == "projects_name", conflict.Constraint != "projects_name"))
	case errors.As(err, &forked):
		return apierr.Conflict("Project already forked")
	case errors.As(err, &loop):
		return apierr.BadRequest("A project cannot be a fork of itself or of one of its forks")
	}
	return explain(err)
}

// notModified is the answer to a request that changes nothing.
type notModified struct{}

func (notModified) visit(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}

// VisitDeleteProjectForkResponse writes status 304 without a body.
func (n notModified) VisitDeleteProjectForkResponse(w http.ResponseWriter) error { return n.visit(w) }

// VisitStarProjectResponse writes status 304 without a body.
func (n notModified) VisitStarProjectResponse(w http.ResponseWriter) error { return n.visit(w) }

// VisitUnstarProjectResponse writes status 304 without a body.
func (n notModified) VisitUnstarProjectResponse(w http.ResponseWriter) error { return n.visit(w) }
