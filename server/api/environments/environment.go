package environments

import (
	"context"
	"errors"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/engine"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListProjectEnvironments lists the environments of a project.
// GET /projects/{id}/environments
func (e *Environments) ListProjectEnvironments(
	ctx context.Context, req gen.ListProjectEnvironmentsRequestObject,
) (gen.ListProjectEnvironmentsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := e.window(ctx, "Environment", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	filter := store.EnvironmentFilter{Name: wire.Value(q.Name), Search: wire.Value(q.Search)}
	if q.States != nil {
		filter.State = string(*q.States)
	}
	rows, total, err := e.store.Environments.List(ctx, row.Project.ID, filter, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectEnvironments200JSONResponse{
		Body: present.All(rows, present.Environment), Headers: gen.ListProjectEnvironments200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectEnvironment creates an environment.
// POST /projects/{id}/environments
func (e *Environments) CreateProjectEnvironment(
	ctx context.Context, req gen.CreateProjectEnvironmentRequestObject,
) (gen.CreateProjectEnvironmentResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	tier := ""
	if req.Body.Tier != nil {
		tier = string(*req.Body.Tier)
	}
	made := engine.NewEnvironment(row.Project.ID, req.Body.Name, tier)
	made.ExternalURL, made.Description = req.Body.ExternalURL.Ptr(), req.Body.Description.Ptr()
	if err := errors.Join(checkName(made.Name), checkURL(made.ExternalURL)); err != nil {
		return nil, err
	}
	err = e.store.Environments.Create(ctx, &made)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return nil, apierr.Invalid("name", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectEnvironment201JSONResponse(present.Environment(made)), nil
}

// checkName rejects an environment name that has forbidden characters.
func checkName(name string) error {
	allowed := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" -_/${}.", r)
	}
	if strings.TrimFunc(name, allowed) != "" || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") {
		return apierr.Invalid(
			"name",
			"can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
		)
	}
	return nil
}

// checkURL rejects a URL that is not a web page. A browser would run a javascript: URL, for example.
func checkURL(address *string) error {
	if address == nil || *address == "" {
		return nil
	}
	if !engine.IsWebURL(*address) {
		return apierr.Invalid("external_url", "must be a valid URL")
	}
	return nil
}

// GetProjectEnvironment returns an environment.
// GET /projects/{id}/environments/{environment_id}
func (e *Environments) GetProjectEnvironment(
	ctx context.Context, req gen.GetProjectEnvironmentRequestObject,
) (gen.GetProjectEnvironmentResponseObject, error) {
	row, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.ReadEnvironment)
	if err != nil {
		return nil, err
	}
	shown, err := e.presentWithDeployment(ctx, row, found)
	return gen.GetProjectEnvironment200JSONResponse(shown), err
}

// presentWithDeployment presents an environment with its last deployment.
func (e *Environments) presentWithDeployment(ctx context.Context, row model.ProjectRow, found model.Environment) (gen.Environment, error) {
	shown := present.Environment(found)
	last, err := e.store.Deployments.LastSuccessful(ctx, found.ID)
	if err != nil {
		return shown, err
	}
	shown.LastDeployment = wire.Maybe[gen.Deployment](nil)
	if last != nil {
		deployment := e.presenter(row.Project).Deployment(*last)
		shown.LastDeployment = wire.Maybe(&deployment)
	}
	return shown, nil
}

// UpdateProjectEnvironment changes an environment.
// PUT /projects/{id}/environments/{environment_id}
func (e *Environments) UpdateProjectEnvironment(
	ctx context.Context, req gen.UpdateProjectEnvironmentRequestObject,
) (gen.UpdateProjectEnvironmentResponseObject, error) {
	row, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	set := map[string]any{}
	if req.Body.ExternalURL.IsSet() {
		if err := checkURL(req.Body.ExternalURL.Ptr()); err != nil {
			return nil, err
		}
		set["external_url"] = req.Body.ExternalURL.Ptr()
	}
	if req.Body.Description.IsSet() {
		set["description"] = req.Body.Description.Ptr()
	}
	if req.Body.Tier != nil {
		set["tier"] = string(*req.Body.Tier)
	}
	changed, err := e.store.Environments.Update(ctx, row.Project.ID, found.ID, set)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectEnvironment200JSONResponse(present.Environment(changed)), nil
}

// DeleteProjectEnvironment deletes an environment.
// DELETE /projects/{id}/environments/{environment_id}
func (e *Environments) DeleteProjectEnvironment(
	ctx context.Context, req gen.DeleteProjectEnvironmentRequestObject,
) (gen.DeleteProjectEnvironmentResponseObject, error) {
	_, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	deleted, err := e.store.Environments.Delete(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err == nil && !deleted {
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectEnvironment204Response{}, nil
}

// StopProjectEnvironment stops an environment.
// POST /projects/{id}/environments/{environment_id}/stop
func (e *Environments) StopProjectEnvironment(
	ctx context.Context, req gen.StopProjectEnvironmentRequestObject,
) (gen.StopProjectEnvironmentResponseObject, error) {
	row, found, err := e.find(ctx, req.ID, req.EnvironmentID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	force := req.Body != nil && req.Body.Force != nil && *req.Body.Force
	state := model.EnvironmentStopped
	if !force {
		if state, err = e.stop(ctx, row, found); err != nil {
			return nil, err
		}
	}
	changed, err := e.store.Environments.Update(ctx, row.Project.ID, found.ID, map[string]any{"state": state})
	if err != nil {
		return nil, err
	}
	return gen.StopProjectEnvironment200JSONResponse(present.Environment(changed)), nil
}

// stop starts the job that stops an environment, and returns the state that the environment has after that.
func (e *Environments) stop(ctx context.Context, row model.ProjectRow, found model.Environment) (string, error) {
	job, err := e.store.Environments.StopJob(ctx, row.Project.ID, found.Name)
	if store.IsNotFound(err) {
		return model.EnvironmentStopped, nil
	}
	if err != nil {
		return "", err
	}
	allowed, err := e.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	if err != nil {
		return "", err
	}
	return e.engine.StopEnvironment(ctx, job, reqctx.Of(ctx).Actor.User.ID)
}
