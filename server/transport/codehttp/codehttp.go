// Package codehttp serves the addresses of a project's code that tools follow: archives and files below the page of a
// project, and the page that tells the go command where a module is.
//
//	codehttp.go  routing, the caller and the project
//	archive.go   /{path}/-/archive/{ref}/{name}.{format}
//	raw.go       /{path}/-/raw/{ref}/{file}
//	goget.go     /{path}?go-get=1
//
// Besides, it redirects the address of a repository, which people open in a browser, to the page of the project.
package codehttp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"svc/server/domain/repository/lfs"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/githttp"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Limit counts a request for something of a project, and returns an error once there are too many.
type Limit func(ctx context.Context, projectID int64) error

// FileLimit counts a request for a file of a project.
type FileLimit func(ctx context.Context, projectID int64, path string) error

// Dependencies are what the handler needs.
type Dependencies struct {
	Auth     *access.Authenticator
	Access   *access.Access
	Store    *store.Store
	Repos    *git.Repositories
	Git      *githttp.Handler // knows the credentials that git clients send
	LFS      *lfs.Store
	Archives Limit
	Files    FileLimit
}

// Handler serves archives, files and the pages for the go command.
type Handler struct{ Dependencies }

// New returns the handler.
func New(d Dependencies) *Handler { return &Handler{d} }

// The parts of addresses that follow the path of a project.
const (
	archivePart = "/-/archive/"
	rawPart     = "/-/raw/"
	oldRawPart  = "/raw/"

	// belowProject separates the path of a project from what is below it. What follows is no path of a project: a file on
	// a page can have any name.
	belowProject = "/-/"
)

// Match reports whether a request is for this handler. Its addresses begin with the path of a project, which no route can
// distinguish from others.
func Match(r *http.Request) bool {
	path := r.URL.Path
	if r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/-/") ||
		!utf8.ValidString(path) || strings.ContainsRune(path, 0) {
		return false
	}
	_, _, found := split(path)
	return found || isGoGet(r) || isRepository(path)
}

// isRepository reports whether a path is the address of a repository, and not one of the addresses below it that git
// clients use.
func isRepository(path string) bool {
	project, found := strings.CutSuffix(path, ".git")
	return found && isProject(project) && !strings.HasSuffix(project, "/")
}

// split splits the path of an address into the path of a project, the part that names the kind of address, and is false
// for other addresses.
func split(path string) (project, kind string, found bool) {
	first := len(path)
	for _, part := range []string{archivePart, rawPart, oldRawPart} {
		if at := strings.Index(path, part); at > 0 && at < first {
			first, kind = at, part
		}
	}
	if kind == "" {
		return "", "", false
	}
	project = path[1:first]
	return project, kind, isProject(project)
}

// isProject reports whether a path can be that of a project, and not that of a page below one.
func isProject(path string) bool {
	return strings.Contains(strings.Trim(path, "/"), "/") && !strings.Contains(path, belowProject)
}

// Serve answers a request.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) error {
	if isGoGet(r) {
		return h.goGet(w, r)
	}
	project, kind, found := split(r.URL.Path)
	if !found { // whether the project exists or not, so that the answer does not say which projects exist
		page := url.URL{Path: strings.TrimSuffix(r.URL.Path, ".git")}
		http.Redirect(w, r, reqctx.Of(r.Context()).BaseURL+page.String(), http.StatusFound)
		return nil
	}
	rest := r.URL.Path[len("/")+len(project)+len(kind):]
	if kind == oldRawPart {
		return redirect(w, r, project, rawPart+rest)
	}
	row, err := h.project(r, project)
	if isMoved(err) {
		return h.moved(w, r, project, kind+rest)
	}
	if err != nil {
		return hide(w, err)
	}
	if kind == archivePart {
		return h.archive(w, r, row.Project, rest)
	}
	return h.raw(w, r, row.Project, rest)
}

// project finds a project whose code the caller may read. The caller is known by an access token, a job token, the
// session of a browser, or what git clients send.
func (h *Handler) project(r *http.Request, path string) (model.ProjectRow, error) {
	actor, found, err := h.caller(r)
	if err != nil {
		return model.ProjectRow{}, err
	}
	if !found {
		return h.Git.Readable(r, path)
	}
	reqctx.Of(r.Context()).Actor = actor
	return h.Access.Project(r.Context(), path, access.ReadCode)
}

// caller identifies a caller who does not send what git clients send, and reports whether there is one.
func (h *Handler) caller(r *http.Request) (actor *reqctx.Actor, found bool, err error) {
	ctx, query := r.Context(), r.URL.Query()
	token := query.Get("private_token")
	if token == "" {
		token = r.Header.Get("PRIVATE-TOKEN")
	}
	switch job := r.Header.Get("JOB-TOKEN"); {
	case token != "":
		actor, err = h.Auth.Bearer(ctx, token)
	case job != "":
		actor, err = h.Auth.Job(ctx, job)
	case r.Header.Get("Authorization") != "":
		return nil, false, nil
	default:
		return h.session(r)
	}
	if err == nil {
		err = githttp.CheckRead(actor)
	}
	return actor, true, err
}

// session identifies the user of a browser. A session that has ended makes the visitor anonymous.
func (h *Handler) session(r *http.Request) (*reqctx.Actor, bool, error) {
	cookies := r.CookiesNamed(reqctx.CookieName(reqctx.SessionCookie, reqctx.Of(r.Context()).BaseURL))
	if len(cookies) != 1 || cookies[0].Value == "" {
		return nil, false, nil
	}
	actor, err := h.Auth.Session(r.Context(), cookies[0].Value, "", true)
	if status(err) == http.StatusUnauthorized {
		return nil, false, nil
	}
	return actor, err == nil, err
}

// hide turns the refusal of a project into a 404: an address of code looks the same for a project that does not exist
// and one that the caller may not read. The refusal of a credential stays as it is.
func hide(w http.ResponseWriter, err error) error {
	var e *apierr.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Status == http.StatusForbidden && e.Body.Error == "": // otherwise the scope of a token is missing
		return apierr.NotFound("Project")
	case e.Status == http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Basic realm="Svc"`)
	}
	return err
}

// moved redirects a request with a former path of a project to the current path.
func (h *Handler) moved(w http.ResponseWriter, r *http.Request, old, rest string) error {
	path, err := h.Access.NewPath(r.Context(), old)
	if err != nil {
		return hide(w, err)
	}
	return redirect(w, r, path, rest)
}

// redirect redirects to an address of a project.
func redirect(w http.ResponseWriter, r *http.Request, project, rest string) error {
	to := url.URL{Path: "/" + project + rest, RawQuery: r.URL.RawQuery}
	http.Redirect(w, r, reqctx.Of(r.Context()).BaseURL+to.String(), http.StatusMovedPermanently)
	return nil
}

func isMoved(err error) bool { return status(err) == http.StatusMovedPermanently }

// status returns the status of an API error, or 0.
func status(err error) int {
	var e *apierr.Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// orNotFound turns a missing or malformed git name into a 404.
func orNotFound(err error, thing string) error {
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
		return apierr.NotFound(thing)
	}
	return err
}
