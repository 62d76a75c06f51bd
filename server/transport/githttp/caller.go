package githttp

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// jobUsers are the usernames of running jobs: our name, and the name that the official runner uses.
var jobUsers = []string{"svc-ci-token", "gitlab-ci-token"}

var (
	reads  = []string{"api", "read_api", "read_repository", "write_repository"}
	writes = []string{"api", "write_repository"}
)

// caller identifies the caller: by Basic authentication with a token or the account's own password, or by a bearer
// token. It returns nil for an anonymous caller.
func (h *Handler) caller(r *http.Request, service git.Service) (*reqctx.Actor, error) {
	login, password, ok := r.BasicAuth()
	if !ok {
		if token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); bearer {
			login, password, ok = "oauth2", token, true
		}
	}
	if !ok {
		if r.Header.Get("Authorization") != "" {
			return nil, apierr.Unauthorized()
		}
		return nil, nil
	}
	actor, err := h.identify(r.Context(), login, password)
	if err != nil {
		return nil, err
	}
	accepted := reads
	if service == git.ReceivePack {
		accepted = writes
	}
	if actor.Kind == reqctx.JobToken && service == git.ReceivePack {
		reqctx.Of(r.Context()).Actor = actor // so that the refusal does not treat the caller as anonymous
		return nil, apierr.Forbidden("Job tokens cannot push")
	}
	if actor.Kind == reqctx.Password {
		return actor, nil
	}
	return actor, access.CheckScope(actor, accepted)
}

// CheckRead returns an error unless the scopes of a caller suffice to read code.
func CheckRead(actor *reqctx.Actor) error { return access.CheckScope(actor, reads) }

// Readable finds the project at a path, if the caller may read its code. The caller is known by what git clients send:
// Basic authentication with a token, a deploy token or a password, or a bearer token.
func (h *Handler) Readable(r *http.Request, path string) (model.ProjectRow, error) {
	if row, known, err := h.deploy(r, path, git.UploadPack); known || err != nil {
		return row, err
	}
	actor, err := h.caller(r, git.UploadPack)
	if err != nil {
		return model.ProjectRow{}, err
	}
	reqctx.Of(r.Context()).Actor = actor
	return h.access.Project(r.Context(), path, access.ReadCode)
}

// deployed marks a request with a deploy token: it has no caller, but is not anonymous.
const deployed = "deploy token"

// deploy finds the project for a client with a deploy token, which only gives read access to repositories.
func (h *Handler) deploy(r *http.Request, path string, service git.Service) (model.ProjectRow, bool, error) {
	login, password, ok := r.BasicAuth()
	if !ok || login == "" || login == "oauth2" || slices.Contains(jobUsers, login) {
		return model.ProjectRow{}, false, nil
	}
	row, known, err := h.access.ProjectByDeployToken(r.Context(), login, password, path)
	if known && err == nil && service == git.ReceivePack {
		err = apierr.Forbidden("Deploy tokens cannot push")
	}
	return row, known, err
}

// WithPasswordLimit counts attempts with passwords: guess fails with the response for an address that has tried too often.
func (h *Handler) WithPasswordLimit(guess func(ctx context.Context) error) *Handler {
	h.guess = guess
	return h
}

// identify finds the caller. A job token needs the username of jobs. Other tokens work with any username, including
// that one.
func (h *Handler) identify(ctx context.Context, login, password string) (*reqctx.Actor, error) {
	job := slices.Contains(jobUsers, login)
	if job {
		if actor, err := h.auth.Job(ctx, password); !isUnknown(err) {
			return actor, err
		}
	}
	actor, err := h.auth.Bearer(ctx, password)
	if !isUnknown(err) || login == "" || job || access.IsToken(password) {
		return actor, err
	}
	if !h.access.AllowsPassword() {
		return nil, apierr.Unauthorized("Passwords are not accepted here: use a personal access token instead")
	}
	if h.guess != nil {
		if err := h.guess(ctx); err != nil {
			return nil, err
		}
	}
	return h.auth.Password(ctx, login, password)
}

// fromJob reports whether a request has the token of a running job. Jobs get code over HTTP even if people may not.
func (h *Handler) fromJob(r *http.Request) bool {
	login, password, ok := r.BasicAuth()
	if !ok || !slices.Contains(jobUsers, login) {
		return false
	}
	_, err := h.auth.Job(r.Context(), password)
	return err == nil
}

// isUnknown reports whether the credential is not a known token. It is false for a known token that is no longer valid.
func isUnknown(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusUnauthorized && e.Body.Error != "invalid_token"
}

// writeError writes an error the way git clients show it: as plain text, and as 401 so that the client asks for a password.
// A project that an anonymous caller cannot see is a 401 too, because a password may give access to it.
func writeError(c echo.Context, err error) error {
	var e *apierr.Error
	if !errors.As(err, &e) {
		return err
	}
	anonymous := reqctx.Of(c.Request().Context()).Actor == nil && c.Get(deployed) == nil
	if e.Status == http.StatusUnauthorized ||
		(anonymous && (e.Status == http.StatusNotFound || (e.Status == http.StatusForbidden && e.Body.Error == ""))) {
		c.Response().Header().Set("WWW-Authenticate", `Basic realm="Svc"`)
		apierr.SetCode(c.Response().Header(), deniedCode(c, e))
		text := "HTTP Basic: Access denied. Use a personal access token as the password."
		if errors.Is(err, access.ErrSecondFactor) {
			text = "HTTP Basic: Access denied. Two-factor authentication is on: use a personal access token as the password."
		}
		if errors.Is(err, access.ErrFactorRequired) {
			text = "HTTP Basic: Access denied. One of your groups requires two-factor authentication: turn it on, " +
				"and use a personal access token as the password."
		}
		return plain(c, http.StatusUnauthorized, text)
	}
	for name, value := range e.Header {
		c.Response().Header().Set(name, value)
	}
	apierr.SetCode(c.Response().Header(), e.HeaderCode())
	return plain(c, e.Status, e.Error())
}

// deniedCode returns the code of a 401. A client without a credential gets the same one for every repository, whether it
// exists or not.
func deniedCode(c echo.Context, e *apierr.Error) apierr.Code {
	switch code := e.HeaderCode(); {
	case c.Request().Header.Get("Authorization") == "":
		return apierr.TokenMissing
	case e.Status == http.StatusUnauthorized && code != apierr.TokenMissing:
		return code
	}
	return apierr.TokenInvalid
}

func plain(c echo.Context, status int, text string) error {
	apierr.SetCode(c.Response().Header(), apierr.CodeOf(status))
	if c.Get(lfsRequest) != nil {
		return lfsPlain(c, status, text)
	}
	return c.String(status, text+"\n")
}
