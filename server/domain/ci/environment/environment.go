// Package environment creates, changes, stops and deletes the environments of projects, and the deployments that other
// programs than jobs make. Package engine updates environments when their jobs succeed.
//
//	environment.go  create, change, stop and delete environments
//	cleanup.go      stop and delete many environments
//	deploy.go       deployments without jobs
//	approve.go      approvals of deployments, and who may deploy
package environment

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/ci/engine"
	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Service creates, changes, stops and deletes environments.
type Service struct {
	store  *store.Store
	engine *engine.Engine
	pusher *push.Pusher
}

// New returns a Service.
func New(st *store.Store, e *engine.Engine, pusher *push.Pusher) *Service {
	return &Service{store: st, engine: e, pusher: pusher}
}

// Settings are the settings of a new environment.
type Settings struct {
	Name        string
	Tier        string // empty: guessed from the name
	ExternalURL *string
	Description *string
}

// Create creates an environment of a project.
func (s *Service) Create(ctx context.Context, projectID int64, given Settings) (model.Environment, error) {
	made := engine.NewEnvironment(projectID, given.Name, given.Tier)
	made.ExternalURL, made.Description = given.ExternalURL, given.Description
	if err := errors.Join(checkName(made.Name), checkURL(made.ExternalURL)); err != nil {
		return made, err
	}
	err := s.store.Environments.Create(ctx, &made)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("name", "has already been taken")
	}
	return made, err
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
	if address == nil || *address == "" || engine.IsWebURL(*address) {
		return nil
	}
	return apierr.Invalid("external_url", "must be a valid URL")
}

// Change describes what to change in an environment. Fields that are nil or not set stay as they are.
type Change struct {
	ExternalURL wire.Optional[string]
	Description wire.Optional[string]
	Tier        *string
}

// Apply changes an environment and returns it.
func (s *Service) Apply(ctx context.Context, found model.Environment, c Change) (model.Environment, error) {
	set := map[string]any{}
	if c.ExternalURL.IsSet() {
		if err := checkURL(c.ExternalURL.Ptr()); err != nil {
			return found, err
		}
		set["external_url"] = c.ExternalURL.Ptr()
	}
	if c.Description.IsSet() {
		set["description"] = c.Description.Ptr()
	}
	if c.Tier != nil {
		set["tier"] = *c.Tier
	}
	return s.store.Environments.Update(ctx, found.ProjectID, found.ID, set)
}

// StopAs stops an environment on behalf of a user, and returns it. Unless it is forced, it starts the job that stops the
// environment, and refuses users who may not run that job. Users who may not deploy to a protected environment are refused,
// too. The project is as the user sees it.
func (s *Service) StopAs(
	ctx context.Context, row model.ProjectRow, found model.Environment, force bool, userID int64,
) (model.Environment, error) {
	if err := s.checkDeploy(ctx, found, userID); err != nil {
		return found, err
	}
	state := model.EnvironmentStopped
	if !force {
		job, err := s.stopJob(ctx, row, found)
		if err == nil && job != nil {
			state, err = s.engine.StopEnvironment(ctx, *job, userID)
		}
		if err != nil {
			return found, err
		}
	}
	return s.store.Environments.Update(ctx, found.ProjectID, found.ID, map[string]any{"state": state})
}

// stopJob returns the job that stops an environment, or nil if there is none. It refuses callers who may not run it.
func (s *Service) stopJob(ctx context.Context, row model.ProjectRow, found model.Environment) (*model.Job, error) {
	job, err := s.store.Environments.StopJob(ctx, row.Project.ID, found.Name)
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	allowed, err := s.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return &job, err
}

// Delete deletes a stopped environment on behalf of the caller, who must be allowed to deploy to a protected one. If
// unmodifiedSince is not nil, an environment that was changed after that time is refused.
func (s *Service) Delete(ctx context.Context, found model.Environment, unmodifiedSince *time.Time) error {
	if err := s.checkDeploy(ctx, found, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return err
	}
	deleted, err := s.store.Environments.Delete(ctx, found, unmodifiedSince)
	if err == nil && !deleted {
		err = apierr.Forbidden()
	}
	return err
}
