package runners

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// find returns a runner that the caller can see or, with manage set, may manage. Everybody can see instance runners.
func (r *Runners) find(ctx context.Context, id int64, manage bool) (row model.Runner, manages bool, err error) {
	row, sees, manages, err := r.findWithAccess(ctx, id)
	switch {
	case err != nil:
		return row, false, err
	case manage && !manages, !manage && !sees && row.RunnerType != model.InstanceRunner:
		return row, false, apierr.Forbidden("No access granted")
	}
	return row, manages, nil
}

// findWithAccess returns a runner. sees says whether it works for one of the caller's projects or groups; manages says
// whether the caller may manage it.
func (r *Runners) findWithAccess(ctx context.Context, id int64) (row model.Runner, sees, manages bool, err error) {
	actor, err := access.Allow(ctx, access.ReadRunner)
	if err != nil {
		return row, false, false, err
	}
	if row, err = r.store.Runners.Get(ctx, id); err != nil || actor.User.Admin || row.RunnerType == model.InstanceRunner {
		return row, actor.User.Admin, actor.User.Admin, err
	}
	sees, manages, err = r.store.Runners.Manages(ctx, row, actor.User.ID)
	return row, sees, manages, err
}

// findVisible returns a runner that works for one of the caller's projects or groups.
func (r *Runners) findVisible(ctx context.Context, id int64) (model.Runner, error) {
	row, sees, _, err := r.findWithAccess(ctx, id)
	if err == nil && !sees {
		err = apierr.Forbidden("No access granted")
	}
	return row, err
}

// detail presents a runner with its group and the projects that the caller can see. Only callers who manage the runner
// see its maintenance note.
func (r *Runners) detail(ctx context.Context, row model.Runner, manages bool) (gen.RunnerDetail, error) {
	ids, err := r.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return gen.RunnerDetail{}, err
	}
	reader := access.Reader(ctx)
	projects, err := r.store.Runners.ProjectsWithRoles(ctx, ids, reader)
	if err != nil {
		return gen.RunnerDetail{}, err
	}
	var seen []model.Project
	for _, p := range projects {
		if access.SeesProject(p, reader) {
			seen = append(seen, p.Project)
		}
	}
	var group *model.Namespace
	if row.GroupID != nil {
		found, _, err := r.store.Namespaces.GetGroup(ctx, *row.GroupID, "", reader)
		if err != nil {
			return gen.RunnerDetail{}, err
		}
		group = &found
	}
	if !manages {
		row.MaintenanceNote = nil
	}
	return r.show.RunnerDetail(row, seen, group, time.Now()), nil
}

// GetRunner shows a runner.
// GET /runners/{id}
func (r *Runners) GetRunner(ctx context.Context, req gen.GetRunnerRequestObject) (gen.GetRunnerResponseObject, error) {
	row, manages, err := r.find(ctx, req.ID, false)
	if err != nil {
		return nil, err
	}
	shown, err := r.detail(ctx, row, manages)
	if err != nil {
		return nil, err
	}
	return gen.GetRunner200JSONResponse(shown), nil
}

// UpdateRunner changes a runner.
// PUT /runners/{id}
func (r *Runners) UpdateRunner(ctx context.Context, req gen.UpdateRunnerRequestObject) (gen.UpdateRunnerResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	before := row
	set, err := changes(&row, *req.Body)
	if err != nil {
		return nil, err
	}
	projects, err := r.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	err = events.AuditedAll(ctx, r.store, func(ctx context.Context) ([]events.Change, error) {
		in, err := r.place(ctx, row.GroupID, projects)
		if err == nil {
			err = r.store.Runners.Update(ctx, row.ID, set)
		}
		return events.Differences(before, row, runnerChange(ctx, in, before, "ci_runner_updated", "")), err
	})
	if err != nil {
		return nil, err
	}
	shown, err := r.detail(ctx, row, true)
	if err != nil {
		return nil, err
	}
	return gen.UpdateRunner200JSONResponse(shown), nil
}

// activeAndPaused refuses a body that has both names of the same flag.
func activeAndPaused() error { return apierr.BadParameter("active, paused are mutually exclusive") }

// changes returns the columns that a body changes, and sets them in the row.
func changes(row *model.Runner, b gen.RunnerUpdate) (map[string]any, error) {
	set := map[string]any{}
	flag := func(column string, given *bool, into *bool) {
		if given != nil {
			set[column], *into = *given, *given
		}
	}
	if b.Active != nil && b.Paused != nil {
		return nil, activeAndPaused()
	}
	if b.Active != nil {
		paused := !*b.Active
		b.Paused = &paused
	}
	flag("paused", b.Paused, &row.Paused)
	flag("locked", b.Locked, &row.Locked)
	flag("run_untagged", b.RunUntagged, &row.RunUntagged)
	if b.Description.IsSet() {
		row.Description = b.Description.Ptr()
		set["description"] = row.Description
	}
	if b.MaintenanceNote.IsSet() {
		row.MaintenanceNote = b.MaintenanceNote.Ptr()
		set["maintenance_note"] = row.MaintenanceNote
	}
	if b.MaximumTimeout.IsSet() {
		row.MaximumTimeout = b.MaximumTimeout.Ptr()
		set["maximum_timeout"] = row.MaximumTimeout
	}
	if b.AccessLevel != nil {
		row.AccessLevel = string(*b.AccessLevel)
		set["access_level"] = row.AccessLevel
	}
	if b.TagList != nil {
		tags, err := tagList(*b.TagList)
		if err != nil {
			return nil, err
		}
		text, _ := json.Marshal(tags) // strings can always be marshaled
		row.Tags = string(text)
		set["tags"] = row.Tags
	}
	if len(set) == 0 {
		return nil, apierr.BadParameter("description, active, paused, tag_list, run_untagged, locked, access_level, " +
			"maximum_timeout, maintenance_note are missing, at least one parameter must be provided")
	}
	var tags []string
	if err := json.Unmarshal([]byte(row.Tags), &tags); err != nil {
		return nil, err
	}
	return set, checkRunner(*row, tags)
}

// DeleteRunner deletes a runner.
// DELETE /runners/{id}
func (r *Runners) DeleteRunner(ctx context.Context, req gen.DeleteRunnerRequestObject) (gen.DeleteRunnerResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	projects, err := r.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	if len(projects) > 1 {
		return nil, apierr.Forbidden("Runner associated with more than one project")
	}
	err = r.audited(ctx, &row, projects, "ci_runner_deleted", "Removed runner", func(ctx context.Context) error {
		return r.store.Runners.Delete(ctx, row.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteRunner204Response{}, nil
}

// ResetAuthenticationTokenRunner gives a runner a new token.
// POST /runners/{id}/reset_authentication_token
func (r *Runners) ResetAuthenticationTokenRunner(
	ctx context.Context, req gen.ResetAuthenticationTokenRunnerRequestObject,
) (gen.ResetAuthenticationTokenRunnerResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	token, err := r.reset(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.ResetAuthenticationTokenRunner201JSONResponse{Token: token, TokenExpiresAt: wire.TimePtr(row.TokenExpiresAt)}, nil
}

// CreateProjectRunner assigns a project runner to another project.
// POST /projects/{id}/runners
func (r *Runners) CreateProjectRunner(
	ctx context.Context, req gen.CreateProjectRunnerRequestObject,
) (gen.CreateProjectRunnerResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	row, _, err := r.find(ctx, req.Body.RunnerID, true)
	switch {
	case err != nil:
		return nil, err
	case row.RunnerType == model.InstanceRunner:
		return nil, apierr.Forbidden("Runner is an instance runner")
	case row.RunnerType == model.GroupRunner:
		return nil, apierr.Forbidden("Runner is a group runner")
	case row.Locked:
		return nil, apierr.Forbidden("Runner is locked")
	}
	err = events.Audited(ctx, r.store, func(ctx context.Context) (events.Change, error) {
		c := runnerChange(ctx, events.Project(project.Project), row, "ci_runner_assigned", "Assigned runner to project")
		return c, r.store.Runners.Assign(ctx, row.ID, project.Project.ID)
	})
	var already *store.ConflictError
	if errors.As(err, &already) {
		return nil, apierr.Invalid("runner_id", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRunner201JSONResponse(present.RunnerBasic(row, time.Now())), nil
}

// DeleteProjectRunner unassigns a runner from a project.
// DELETE /projects/{id}/runners/{runner_id}
func (r *Runners) DeleteProjectRunner(
	ctx context.Context, req gen.DeleteProjectRunnerRequestObject,
) (gen.DeleteProjectRunnerResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	ids, err := r.store.Runners.ProjectIDs(ctx, req.RunnerID)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		switch {
		case id != project.Project.ID:
			continue
		case len(ids) == 1:
			return nil, apierr.Forbidden("Only one project associated with the runner. Please remove the runner instead")
		case i == 0:
			return nil, apierr.Forbidden("You cannot unassign a runner from the owner project. Delete the runner instead")
		}
		err := events.Audited(ctx, r.store, func(ctx context.Context) (events.Change, error) {
			c := runnerChange(
				ctx, events.Project(project.Project), model.Runner{ID: req.RunnerID}, "ci_runner_unassigned",
				"Unassigned runner from project",
			)
			return c, r.store.Runners.Unassign(ctx, req.RunnerID, id, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		})
		if err != nil {
			return nil, err
		}
		return gen.DeleteProjectRunner204Response{}, nil
	}
	return nil, apierr.NotFound("Runner")
}

// ResetRegistrationTokenRunners replaces the registration token of the instance.
// POST /runners/reset_registration_token
func (r *Runners) ResetRegistrationTokenRunners(
	ctx context.Context, _ gen.ResetRegistrationTokenRunnersRequestObject,
) (gen.ResetRegistrationTokenRunnersResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminRunner); err != nil {
		return nil, err
	}
	reset, err := r.registration(ctx, model.RegistrationToken{})
	if err != nil {
		return nil, err
	}
	return gen.ResetRegistrationTokenRunners201JSONResponse(reset), nil
}

// ResetRegistrationTokenProjectRunners replaces the registration token of a project.
// POST /projects/{id}/runners/reset_registration_token
func (r *Runners) ResetRegistrationTokenProjectRunners(
	ctx context.Context, req gen.ResetRegistrationTokenProjectRunnersRequestObject,
) (gen.ResetRegistrationTokenProjectRunnersResponseObject, error) {
	project, err := r.access.Project(ctx, req.ID, access.AssignProjectRunner)
	if err != nil {
		return nil, err
	}
	reset, err := r.registration(ctx, model.RegistrationToken{ProjectID: &project.Project.ID})
	if err != nil {
		return nil, err
	}
	return gen.ResetRegistrationTokenProjectRunners201JSONResponse(reset), nil
}

// ResetRegistrationTokenGroupRunners replaces the registration token of a group.
// POST /groups/{id}/runners/reset_registration_token
func (r *Runners) ResetRegistrationTokenGroupRunners(
	ctx context.Context, req gen.ResetRegistrationTokenGroupRunnersRequestObject,
) (gen.ResetRegistrationTokenGroupRunnersResponseObject, error) {
	group, _, err := r.access.Group(ctx, req.ID, access.AdminGroupRunner)
	if err != nil {
		return nil, err
	}
	reset, err := r.registration(ctx, model.RegistrationToken{GroupID: &group.ID})
	if err != nil {
		return nil, err
	}
	return gen.ResetRegistrationTokenGroupRunners201JSONResponse(reset), nil
}

func (r *Runners) registration(ctx context.Context, t model.RegistrationToken) (gen.RunnerTokenReset, error) {
	token := secret.NewRegistrationToken()
	t.Digest = secret.DigestText(token)
	err := events.Audited(ctx, r.store, func(ctx context.Context) (events.Change, error) {
		var projects []int64
		if t.ProjectID != nil {
			projects = []int64{*t.ProjectID}
		}
		in, err := r.place(ctx, t.GroupID, projects)
		if err == nil {
			err = r.store.Runners.ResetRegistration(ctx, &t)
		}
		return events.Change{
			Type: "runner_registration_token_reset", Entity: in, Target: in.AsTarget(),
			Message: "Reset the registration token of runners",
		}, err
	})
	return gen.RunnerTokenReset{Token: token}, err
}
