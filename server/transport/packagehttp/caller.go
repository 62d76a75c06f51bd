package packagehttp

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// jobUsers are the usernames of running jobs: our name, and the name that clients know.
var jobUsers = []string{"svc-ci-token", "gitlab-ci-token"}

// caller is a user, a deploy token, or nobody.
type caller struct {
	actor  *reqctx.Actor
	deploy *model.DeployToken
}

func (c caller) anonymous() bool { return c.actor == nil && c.deploy == nil }

// identify finds the caller of a request: by the headers of tokens, by a bearer token or by Basic authentication. A wrong
// credential is refused; the caller never becomes anonymous instead.
func (h *Handler) identify(r *http.Request) (caller, error) {
	ctx, query := r.Context(), r.URL.Query()
	if token := either(r.Header.Get("Private-Token"), query.Get("private_token")); token != "" {
		return user(h.Auth.Bearer(ctx, token))
	}
	if token := either(r.Header.Get("Job-Token"), query.Get("job_token")); token != "" {
		return user(h.Auth.Job(ctx, token))
	}
	if token := r.Header.Get("Deploy-Token"); token != "" {
		return h.deployToken(ctx, "", token)
	}
	if login, password, ok := r.BasicAuth(); ok {
		return h.basic(ctx, login, password)
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case scheme == "":
		return caller{}, nil
	case !strings.EqualFold(scheme, "Bearer"):
		return caller{}, apierr.Unauthorized()
	}
	return h.bearer(ctx, strings.TrimSpace(token))
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

func user(actor *reqctx.Actor, err error) (caller, error) { return caller{actor: actor}, err }

// bearer identifies a token of any kind.
func (h *Handler) bearer(ctx context.Context, token string) (caller, error) {
	if strings.HasPrefix(token, secret.DeployTokenPrefix) {
		return h.deployToken(ctx, "", token)
	}
	found, err := user(h.Auth.Bearer(ctx, token))
	if isUnknown(err) {
		return user(h.Auth.Job(ctx, token))
	}
	return found, err
}

// basic identifies a token that is sent as a password. Job tokens need the username of jobs and deploy tokens their own;
// access tokens work with any username. Passwords of accounts are not accepted.
func (h *Handler) basic(ctx context.Context, login, password string) (caller, error) {
	if slices.Contains(jobUsers, login) {
		if found, err := user(h.Auth.Job(ctx, password)); !isUnknown(err) {
			return found, err
		}
	}
	if strings.HasPrefix(password, secret.DeployTokenPrefix) && login != "" {
		return h.deployToken(ctx, login, password)
	}
	return user(h.Auth.Bearer(ctx, password))
}

func (h *Handler) deployToken(ctx context.Context, login, token string) (caller, error) {
	found, err := h.Access.DeployToken(ctx, login, token)
	if store.IsNotFound(err) {
		return caller{}, apierr.Unauthorized()
	}
	return caller{deploy: &found}, err
}

// isUnknown reports whether a credential is not a known token. It is false for a known token that is no longer valid.
func isUnknown(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusUnauthorized && e.Body.Error != "invalid_token"
}

var (
	readScopes  = []string{"api", "read_api"}
	writeScopes = []string{"api"}
)

// checkScope refuses a token of a user that has no scope for the ability.
func (c caller) checkScope(ability access.Ability) error {
	switch {
	case c.actor == nil:
		return nil
	case ability == access.ReadPackage:
		return access.CheckScope(c.actor, readScopes)
	}
	return access.CheckScope(c.actor, writeScopes)
}

// project returns the project of a request if the caller has an ability in it.
func (h *Handler) project(c *call, ability access.Ability) (model.ProjectRow, error) {
	return h.projectAt(c, c.ref, ability)
}

// projectAt is project for a project that the URL does not name.
func (h *Handler) projectAt(c *call, ref string, ability access.Ability) (model.ProjectRow, error) {
	if err := c.checkScope(ability); err != nil {
		return model.ProjectRow{}, err
	}
	find := h.Access.Project
	if c.deploy != nil {
		find = func(ctx context.Context, ref string, ability access.Ability) (model.ProjectRow, error) {
			return h.Access.ProjectForDeployToken(ctx, *c.deploy, ref, ability)
		}
	}
	row, err := find(c.ctx(), ref, ability)
	c.seen = err == nil
	return row, err
}

// group returns the group of a request, if the caller can see it.
func (h *Handler) group(c *call) (model.Namespace, error) {
	if c.deploy != nil {
		return h.Access.GroupForDeployToken(c.ctx(), *c.deploy, c.ref)
	}
	group, _, err := h.Access.Group(c.ctx(), c.ref, access.ReadGroupPackage)
	c.seen = err == nil
	return group, err
}

// scope returns the projects in which a client looks for a package.
func (h *Handler) scope(c *call) (store.PackageScope, error) {
	if c.level == inProject {
		row, err := h.project(c, access.ReadPackage)
		return store.PackageScope{ProjectID: &row.Project.ID}, err
	}
	if err := c.checkScope(access.ReadPackage); err != nil {
		return store.PackageScope{}, err
	}
	scope := access.PackageScope(c.ctx())
	if c.deploy != nil {
		if err := access.CheckPackageScope(*c.deploy, access.ReadPackage); err != nil {
			return scope, err
		}
		scope.DeployToken = c.deploy
	}
	if c.level != inGroup {
		return scope, nil
	}
	group, err := h.group(c)
	scope.GroupID = &group.ID
	return scope, err
}

// publisher returns the caller as the publisher of packages in the project of the request.
func (h *Handler) publisher(c *call) (packages.Publisher, error) {
	row, err := h.project(c, access.CreatePackage)
	return packages.Publisher{Project: row, DeployToken: c.deploy != nil}, err
}
