package runners

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxTags        = 50
	maxTag         = 255
	maxDescription = 1024
	minTimeout     = 600
)

// runnerSettings are the settings of a new runner.
type runnerSettings struct {
	description, note *string
	paused, locked    *bool
	untagged          *bool
	tags              []string
	accessLevel       *gen.RunnerAccessLevel
	maximumTimeout    *int64
}

// runner returns the traits as a row.
func (t runnerSettings) runner() (model.Runner, error) {
	r := model.Runner{Description: t.description, MaintenanceNote: t.note, AccessLevel: "not_protected", MaximumTimeout: t.maximumTimeout}
	tags, err := tagList(t.tags)
	if err != nil {
		return r, err
	}
	r.RunUntagged = len(tags) == 0
	if t.untagged != nil {
		r.RunUntagged = *t.untagged
	}
	r.Paused, r.Locked = t.paused != nil && *t.paused, t.locked != nil && *t.locked
	if t.accessLevel != nil {
		r.AccessLevel = string(*t.accessLevel)
	}
	text, _ := json.Marshal(tags) // strings can always be marshaled
	r.Tags = string(text)
	return r, checkRunner(r, tags)
}

// checkRunner refuses a runner that could not run any job, and values out of bounds.
func checkRunner(r model.Runner, tags []string) error {
	switch {
	case len(tags) == 0 && !r.RunUntagged:
		return apierr.Invalid("tags_list", "can not be empty when runner is not allowed to pick untagged jobs")
	case r.Description != nil && len(*r.Description) > maxDescription:
		return apierr.Invalid("description", "is too long (maximum is 1024 characters)")
	case r.MaximumTimeout != nil && *r.MaximumTimeout < minTimeout:
		return apierr.Invalid("maximum_timeout", "needs to be at least 10 minutes")
	}
	return nil
}

// tagList returns the trimmed tags, sorted and without duplicates.
func tagList(given []string) ([]string, error) {
	tags := []string{}
	for _, tag := range given {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
		if len(tag) > maxTag {
			return nil, apierr.Invalid("tags", "is too long (maximum is 255 characters)")
		}
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	if len(tags) > maxTags {
		return nil, apierr.Invalid("tags_list", "Too many tags specified. Please limit the number of tags to 50")
	}
	return tags, nil
}

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
	t := runnerSettings{
		description: b.Description.Ptr(), note: b.MaintenanceNote.Ptr(), paused: b.Paused.Ptr(), locked: b.Locked.Ptr(),
		untagged:    b.RunUntagged.Ptr(),
		accessLevel: b.AccessLevel.Ptr(), maximumTimeout: b.MaximumTimeout.Ptr(),
	}
	if tags := b.TagList.Ptr(); tags != nil {
		t.tags = *tags
	}
	row := model.Runner{RunnerType: string(b.RunnerType)}
	projects, err := r.checkOwner(ctx, &row, b.GroupID.Ptr(), b.ProjectID.Ptr(), actor.User.Admin)
	if err != nil {
		return nil, err
	}
	made, err := t.runner()
	if err != nil {
		return nil, asSentence(err)
	}
	made.RunnerType, made.GroupID, made.CreatorID = row.RunnerType, row.GroupID, &actor.User.ID
	row = made
	token := secret.NewRunnerToken()
	row.Digest = secret.DigestText(token)
	err = r.audited(
		ctx, &row, projects, "ci_runner_registered", "Registered runner",
		func(ctx context.Context) error { return r.store.Runners.Create(ctx, &row, projects...) },
	)
	if err != nil {
		return nil, err
	}
	return gen.CreateCurrentUserRunner201JSONResponse(tokenOf(row, token)), nil
}

// checkOwner checks whether the caller may create a runner of that type there. It sets the group of the row, and returns the
// project.
func (r *Runners) checkOwner(ctx context.Context, row *model.Runner, groupID, projectID *int64, admin bool) ([]int64, error) {
	switch row.RunnerType {
	case model.GroupRunner:
		if groupID == nil {
			return nil, apierr.BadParameter("group_id is missing")
		}
		group, _, err := r.access.Group(ctx, number(*groupID), access.AdminGroupRunner)
		row.GroupID = &group.ID
		return nil, scopeRefusal(err)
	case model.ProjectRunner:
		if projectID == nil {
			return nil, apierr.BadParameter("project_id is missing")
		}
		project, err := r.access.Project(ctx, number(*projectID), access.CreateProjectRunner)
		return []int64{project.Project.ID}, scopeRefusal(err)
	}
	if !admin {
		return nil, noPermission()
	}
	return nil, nil
}

func noPermission() error { return apierr.Forbidden("Insufficient permissions") }

// scopeRefusal gives the errors of a group or project the texts of this operation. A group or project that the caller
// cannot see is answered like one that does not exist.
func scopeRefusal(err error) error {
	var refused *apierr.Error
	switch {
	case store.IsNotFound(err):
		return apierr.BadRequest("Missing/invalid scope")
	case !errors.As(err, &refused):
		return err
	case refused.Status == http.StatusNotFound:
		return apierr.BadRequest("Missing/invalid scope")
	case refused.Status == http.StatusForbidden:
		return noPermission()
	}
	return err
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

func tokenOf(row model.Runner, token string) gen.RunnerToken {
	return gen.RunnerToken{ID: row.ID, Token: token, TokenExpiresAt: wire.TimePtr(row.TokenExpiresAt)}
}

// CreateRunner registers a runner with a registration token, which is the deprecated way.
// POST /runners
func (r *Runners) CreateRunner(ctx context.Context, req gen.CreateRunnerRequestObject) (gen.CreateRunnerResponseObject, error) {
	b := req.Body
	registration, err := r.store.Runners.Registration(ctx, secret.DigestText(b.Token))
	if store.IsNotFound(err) {
		return nil, apierr.Forbidden("Invalid token")
	}
	if err != nil {
		return nil, err
	}
	t := runnerSettings{
		description: b.Description.Ptr(), note: cmp.Or(b.MaintenanceNote.Ptr(), b.MaintainerNote.Ptr()),
		paused: b.Paused.Ptr(), locked: b.Locked.Ptr(),
		untagged: b.RunUntagged.Ptr(), accessLevel: b.AccessLevel.Ptr(), maximumTimeout: b.MaximumTimeout.Ptr(),
	}
	if active := b.Active.Ptr(); active != nil {
		if t.paused != nil {
			return nil, activeAndPaused()
		}
		paused := !*active
		t.paused = &paused
	}
	if tags := b.TagList.Ptr(); tags != nil {
		t.tags = *tags
	}
	row, err := t.runner()
	if err != nil {
		return nil, err
	}
	var projects []int64
	row.RunnerType, row.GroupID = model.InstanceRunner, registration.GroupID
	switch {
	case registration.GroupID != nil:
		row.RunnerType = model.GroupRunner
	case registration.ProjectID != nil:
		row.RunnerType, projects = model.ProjectRunner, []int64{*registration.ProjectID}
	}
	c := contact(ctx, b.Info)
	row.Name, row.Version, row.Revision, row.Platform, row.Architecture, row.IPAddress =
		c.Name, c.Version, c.Revision, c.Platform, c.Architecture, &c.IP
	token := secret.NewRegisteredRunnerToken()
	row.Digest = secret.DigestText(token)
	err = r.audited(
		ctx, &row, projects, "ci_runner_registered", "Registered runner",
		func(ctx context.Context) error { return r.store.Runners.Create(ctx, &row, projects...) },
	)
	if err != nil {
		return nil, err
	}
	return gen.CreateRunner201JSONResponse(tokenOf(row, token)), nil
}

// VerifyRunners reports whether a runner's token is valid.
// POST /runners/verify
func (r *Runners) VerifyRunners(ctx context.Context, req gen.VerifyRunnersRequestObject) (gen.VerifyRunnersResponseObject, error) {
	c, err := r.runnerByToken(ctx, req.Body.Token, req.Body.SystemID.Ptr(), req.Body.Info)
	if err != nil {
		return nil, err
	}
	return gen.VerifyRunners200JSONResponse(tokenOf(c.Runner, req.Body.Token)), nil
}

// DeleteRunners deletes the runner that owns a token.
// DELETE /runners
func (r *Runners) DeleteRunners(ctx context.Context, req gen.DeleteRunnersRequestObject) (gen.DeleteRunnersResponseObject, error) {
	c, err := r.runnerByToken(ctx, req.Body.Token, nil, nil)
	if err != nil {
		return nil, err
	}
	err = r.auditedExisting(ctx, &c.Runner, "ci_runner_deleted", "Removed runner", func(ctx context.Context) error {
		return r.store.Runners.Delete(ctx, c.Runner.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if store.IsNotFound(err) {
		err = apierr.Forbidden() // another caller has deleted it meanwhile, and its token with it
	}
	if err != nil {
		return nil, err
	}
	return gen.DeleteRunners204Response{}, nil
}

// DeleteRunnersManagers deletes a machine of the runner that owns a token.
// DELETE /runners/managers
func (r *Runners) DeleteRunnersManagers(
	ctx context.Context, req gen.DeleteRunnersManagersRequestObject,
) (gen.DeleteRunnersManagersResponseObject, error) {
	c, err := r.runnerByToken(ctx, req.Body.Token, nil, nil)
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := r.store.Runners.DeleteManager(ctx, c.Runner.ID, req.Body.SystemID, unmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteRunnersManagers204Response{}, nil
}

// ResetAuthenticationTokenRunners replaces the token of the runner that owns it.
// POST /runners/reset_authentication_token
func (r *Runners) ResetAuthenticationTokenRunners(
	ctx context.Context, req gen.ResetAuthenticationTokenRunnersRequestObject,
) (gen.ResetAuthenticationTokenRunnersResponseObject, error) {
	c, err := r.runnerByToken(ctx, req.Body.Token, nil, nil)
	if err != nil {
		return nil, err
	}
	token, err := r.reset(ctx, c.Runner)
	if err != nil {
		return nil, err
	}
	return gen.ResetAuthenticationTokenRunners201JSONResponse{Token: token, TokenExpiresAt: wire.TimePtr(c.Runner.TokenExpiresAt)}, nil
}

// reset gives a runner a new token of the same kind.
func (r *Runners) reset(ctx context.Context, row model.Runner) (string, error) {
	token := secret.NewRunnerToken()
	if row.CreatorID == nil {
		token = secret.NewRegisteredRunnerToken()
	}
	return token, r.auditedExisting(
		ctx, &row, "ci_runner_token_reset", "Reset the authentication token of a runner",
		func(ctx context.Context) error {
			return r.store.Runners.Update(ctx, row.ID, map[string]any{"digest": secret.DigestText(token)})
		},
	)
}

func number(id int64) string { return strconv.FormatInt(id, 10) }
