// Package githttp serves git's smart HTTP protocol at /{path}.git: clone, fetch and push, and large files by Git LFS.
//
//	githttp.go       routing, clone, fetch and push
//	caller.go        the caller behind a password or token
//	fetched.go       counts fetches
//	body.go          limits of speed and size for what a client sends
//	side.go          repositories of wikis and snippets
//	lfs.go           routing and errors of Git LFS
//	lfs_batch.go     the batch API: where a client downloads and uploads objects
//	lfs_transfer.go  downloads and uploads
//	lfs_lock.go      file locks
//	lfs_ticket.go    credentials that the SSH server issues for Git LFS
package githttp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// Handler serves the repositories.
type Handler struct {
	auth   *access.Authenticator
	access *access.Access
	repos  *git.Repositories
	push   *push.Pusher
	large  LFSOptions
	sides  *lifecycle.SideRepositories
	floor  push.MinSpeed
	guess  func(ctx context.Context) error
	counts *store.Store // counts fetches; nil counts nothing
	logger *slog.Logger // set with counts
}

// New returns a handler without Git LFS, wikis and snippets.
func New(auth *access.Authenticator, a *access.Access, repos *git.Repositories, p *push.Pusher) *Handler {
	return &Handler{auth: auth, access: a, repos: repos, push: p}
}

// maxTransfer is how long one clone or push may take.
const maxTransfer = time.Hour

// Route serves the requests of git clients and passes all others on to the router. The path of a project has any number
// of groups, so a route for it would catch the paths of other routes.
func Route(serve echo.HandlerFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if isGit(c.Request()) {
				return serve(c)
			}
			return next(c)
		}
	}
}

// isGit reports whether a request comes from a git client, with .git in the path or without.
func isGit(r *http.Request) bool {
	_, rest, ok := split(r.URL.Path)
	switch {
	case ok && isLFS(rest):
		return true
	case ok && (rest == "info/refs" || rest == string(git.UploadPack) || rest == string(git.ReceivePack)):
		return true
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/info/refs"):
		return strings.HasPrefix(r.URL.Query().Get("service"), "git-")
	}
	return false
}

// Serve answers a request of a git client.
func (h *Handler) Serve(c echo.Context) error {
	if err := h.resolveAlias(c.Request()); err != nil {
		return writeError(c, err)
	}
	if project, rest, ok := split(c.Request().URL.Path); ok && isLFS(rest) {
		return h.lfs(c, project, rest)
	}
	if !h.access.AllowsGit("http") && !h.fromJob(c.Request()) {
		return writeError(c, apierr.Forbidden("Git access over HTTP is not allowed"))
	}
	switch c.Request().Method {
	case http.MethodGet:
		return h.get(c)
	case http.MethodPost:
		return h.post(c)
	}
	return apierr.NotAllowed("GET, POST")
}

// resolveAlias replaces the alias of a project in the path of a request by the path of the project.
func (h *Handler) resolveAlias(r *http.Request) error {
	name, rest, ok := split(r.URL.Path)
	if !ok || strings.Contains(name, "/") || strings.HasSuffix(name, wikiEnding) {
		return nil
	}
	path, err := h.access.AliasPath(r.Context(), name)
	if err == nil {
		r.URL.Path, r.URL.RawPath = "/"+path+".git/"+rest, ""
	}
	return err
}

// split splits the path of a URL at the repository: the part before .git is the path of the project.
func split(path string) (project, rest string, ok bool) {
	project, rest, ok = strings.Cut(strings.TrimPrefix(path, "/"), ".git/")
	// A path that the database cannot store belongs to no project.
	return project, rest, ok && project != "" && utf8.ValidString(project) && !strings.ContainsRune(project, 0)
}

func (h *Handler) get(c echo.Context) error {
	project, rest, ok := split(c.Request().URL.Path)
	service := git.Service(c.QueryParam("service"))
	if !ok || rest != "info/refs" || (service != git.UploadPack && service != git.ReceivePack) {
		return h.redirect(c)
	}
	row, _, err := h.project(c, project, service)
	if isMoved(err) {
		return h.moved(c, project)
	}
	var repo git.Repo
	if err != nil {
		repo, err = h.wikiOrSnippetRepository(c, project, service, err)
		if err != nil {
			return writeError(c, err)
		}
	} else if repo, err = h.push.Repo(row.Project); err != nil {
		return err
	}
	head(c, "application/x-"+string(service)+"-advertisement")
	if service == git.ReceivePack {
		return repo.AdvertiseReceive(c.Response(), true)
	}
	return repo.Advertise(c.Request().Context(), c.Request().Header.Get("Git-Protocol"), c.Response())
}

// redirect redirects a client that left out .git.
func (h *Handler) redirect(c echo.Context) error {
	u := *c.Request().URL
	project, ok := strings.CutSuffix(strings.TrimPrefix(u.Path, "/"), "/info/refs")
	if !ok || u.Query().Get("service") == "" || !strings.Contains(project, "/") || strings.HasSuffix(project, ".git") {
		return apierr.NoRoute()
	}
	to := reqctx.Of(c.Request().Context()).BaseURL + strings.TrimSuffix(u.EscapedPath(), "/info/refs") + ".git/info/refs?" + u.RawQuery
	return c.Redirect(http.StatusMovedPermanently, to)
}

// moved redirects a request with a former path of a project to the current path; git follows.
func (h *Handler) moved(c echo.Context, old string) error {
	path, err := h.access.NewPath(c.Request().Context(), old)
	if err != nil {
		return writeError(c, err)
	}
	return c.Redirect(
		http.StatusMovedPermanently,
		reqctx.Of(c.Request().Context()).BaseURL+"/"+path+".git/info/refs?"+c.Request().URL.RawQuery,
	)
}

func isMoved(err error) bool {
	var e *apierr.Error
	return errors.As(err, &e) && e.Status == http.StatusMovedPermanently
}

func (h *Handler) post(c echo.Context) error {
	project, rest, ok := split(c.Request().URL.Path)
	service := git.Service(rest)
	if !ok || (service != git.UploadPack && service != git.ReceivePack) {
		return apierr.NoRoute()
	}
	if c.Request().Header.Get("Content-Type") != "application/x-"+rest+"-request" {
		return apierr.UnsupportedMedia(c.Request().Header.Get("Content-Type"))
	}
	row, actor, err := h.project(c, project, service)
	var repo git.Repo
	aside := err != nil
	if aside {
		if repo, err = h.wikiOrSnippetRepository(c, project, service, err); err != nil {
			return writeError(c, err)
		}
	}
	extendDeadlines(c)
	in, err := h.body(c, service)
	if err != nil {
		return finishTransfer(c, err)
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), maxTransfer)
	defer cancel()
	head(c, "application/x-"+rest+"-result")
	if service == git.ReceivePack {
		return finishTransfer(c, h.push.Serve(ctx, row, actor, in, c.Response()))
	}
	if !aside {
		if repo, err = h.push.Repo(row.Project); err != nil {
			return err
		}
	}
	out := &packFinder{Writer: flusher{c.Response()}}
	err = repo.Upload(ctx, c.Request().Header.Get("Git-Protocol"), in, out)
	if err == nil && out.found && !aside {
		h.countFetch(c, row.Project)
	}
	return finishTransfer(c, err)
}

// extendDeadlines lets a transfer take longer than other requests.
func extendDeadlines(c echo.Context) {
	control := http.NewResponseController(c.Response().Writer)
	_ = control.SetReadDeadline(time.Now().Add(maxTransfer)) // not every connection has deadlines
	_ = control.SetWriteDeadline(time.Now().Add(maxTransfer))
	_ = control.EnableFullDuplex()
}

func head(c echo.Context, contentType string) {
	h := c.Response().Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
	h.Set("Expires", "Fri, 01 Jan 1980 00:00:00 GMT")
	h.Set("Pragma", "no-cache")
}

// flusher sends what git writes immediately.
type flusher struct{ *echo.Response }

// Write writes and flushes.
func (f flusher) Write(p []byte) (int, error) {
	n, err := f.Response.Write(p)
	if err != nil {
		return n, fmt.Errorf("the client disconnected: %w: %w", context.Canceled, err)
	}
	f.Flush()
	return n, nil
}

// project finds the project of a URL, if the caller may read it, or push to it.
func (h *Handler) project(c echo.Context, path string, service git.Service) (model.ProjectRow, *reqctx.Actor, error) {
	ticket, err := h.ticket(c)
	if err != nil {
		return model.ProjectRow{}, nil, err
	}
	var actor *reqctx.Actor
	if ticket != nil {
		actor, err = h.ticketUser(c, *ticket, service)
	} else {
		var row model.ProjectRow
		var known bool
		if row, known, err = h.deploy(c.Request(), path, service); known {
			c.Set(deployed, true)
		}
		if known || err != nil {
			return row, nil, err
		}
		actor, err = h.caller(c.Request(), service)
	}
	if err != nil {
		return model.ProjectRow{}, nil, err
	}
	info := reqctx.Of(c.Request().Context())
	info.Actor, info.Operation = actor, strings.ReplaceAll(string(service), "-", "_")
	find := func() (model.ProjectRow, error) {
		return h.access.Project(c.Request().Context(), path, access.ReadCode)
	}
	if actor != nil && actor.Kind == reqctx.DeployKey {
		row, err := h.access.ProjectByDeployKey(c.Request().Context(), actor, path, service == git.ReceivePack)
		return row, actor, err
	}
	if service == git.ReceivePack {
		find = func() (model.ProjectRow, error) { return h.push.FindPushable(c.Request().Context(), h.access, path) }
		if actor == nil {
			return model.ProjectRow{}, nil, apierr.Unauthorized()
		}
	}
	row, err := find()
	if err == nil && ticket != nil && row.Project.ID != ticket.ProjectID {
		return model.ProjectRow{}, nil, apierr.Unauthorized()
	}
	return row, actor, err
}
