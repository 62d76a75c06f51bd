// Package packagehttp speaks the protocols of package managers, below /api/v4/projects/{id}/packages,
// /api/v4/groups/{id}/-/packages and /api/v4/packages.
//
//	packagehttp.go  routing
//	caller.go       the caller behind a token, and what they may do
//	errors.go       errors, and the challenges that clients need
//	transfer.go     uploads and downloads of files
//	generic.go      generic packages
//	npm.go          npm: routing and tarballs
//	npm_publish.go  npm: publishing and deprecating versions
//	npm_split.go    npm: reads a published document and passes its tarball on
//	npm_metadata.go npm: what clients learn about a package
//	npm_tags.go     npm: dist-tags
//	goproxy.go      modules for Go
//	pypi.go         PyPI: the simple index, and downloads
//	pypi_upload.go  PyPI: uploads
//	maven.go        Maven
package packagehttp

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/server/domain/packages"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// Handler serves package managers.
type Handler struct {
	Dependencies
}

// Dependencies are what a Handler needs.
type Dependencies struct {
	Auth     *access.Authenticator
	Access   *access.Access
	Store    *store.Store
	Packages *packages.Service
	MinSpeed push.MinSpeed // of clients that upload
	// Repository opens the repository of a project.
	Repository func(model.Project) (git.Repo, error)
}

// New returns a Handler.
func New(d Dependencies) *Handler { return &Handler{d} }

// level is where a package registry is: in a project, in all projects of a group, or in all projects.
type level string

const (
	inProject  level = "project"
	inGroup    level = "group"
	inInstance level = "instance"
)

// place is what the URL of a request names.
type place struct {
	level  level
	ref    string // the id or full path of the project or group
	format string
	rest   []string // the segments after the format, decoded
}

// serve answers a request of one format.
type serve func(*Handler, *call) error

// formats has the handlers, and the levels at which clients reach them.
var formats = map[string]struct {
	serve  serve
	levels []level
}{
	"generic": {(*Handler).generic, []level{inProject}},
	"npm":     {(*Handler).npm, []level{inProject, inGroup, inInstance}},
	"go":      {(*Handler).goProxy, []level{inProject}},
	"pypi":    {(*Handler).pypi, []level{inProject, inGroup}},
	"maven":   {(*Handler).maven, []level{inProject, inGroup, inInstance}},
}

const prefix = "/api/v4/"

// find returns what a URL names, and false if it does not belong to a package registry.
func find(u *url.URL) (place, bool) {
	path, ok := strings.CutPrefix(u.EscapedPath(), prefix)
	if !ok {
		return place{}, false
	}
	parts := strings.Split(path, "/")
	var p place
	switch {
	case len(parts) > 3 && parts[0] == "projects" && parts[2] == "packages":
		p = place{level: inProject, ref: parts[1], format: parts[3], rest: parts[4:]}
	case len(parts) > 4 && parts[0] == "groups" && parts[2] == "-" && parts[3] == "packages":
		p = place{level: inGroup, ref: parts[1], format: parts[4], rest: parts[5:]}
	case len(parts) > 1 && parts[0] == "packages":
		p = place{level: inInstance, format: parts[1], rest: parts[2:]}
	}
	return p, slices.Contains(formats[p.format].levels, p.level)
}

// decode replaces the escapes in the segments of a place. It returns false for text that no name has.
func (p place) decode() (place, bool) {
	var err error
	if p.ref, err = url.PathUnescape(p.ref); err != nil || !isText(p.ref) {
		return p, false
	}
	decoded := make([]string, len(p.rest))
	for i, part := range p.rest {
		if decoded[i], err = url.PathUnescape(part); err != nil || !isText(decoded[i]) {
			return p, false
		}
	}
	p.rest = decoded
	return p, true
}

// isText reports whether the database can store a text.
func isText(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// Route serves the requests of package managers and passes all others on to the router. Names of packages contain
// slashes, encoded or not, so routes could not tell their parts apart.
func Route(handle echo.HandlerFunc) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if _, ok := find(c.Request().URL); ok {
				return handle(c)
			}
			return next(c)
		}
	}
}

// call is one request of a package manager.
type call struct {
	echo.Context
	place
	caller
	refused bool // the credential is wrong
	seen    bool // the caller can see the project or group
}

func (c *call) ctx() context.Context { return c.Request().Context() }

// reads reports whether the request only reads.
func (c *call) reads() bool {
	return c.Request().Method == http.MethodGet || c.Request().Method == http.MethodHead
}

// Serve answers a request of a package manager.
func (h *Handler) Serve(c echo.Context) error {
	found, _ := find(c.Request().URL)
	named, ok := found.decode()
	if !ok {
		return apierr.NoRoute()
	}
	request := &call{Context: c, place: named}
	info := reqctx.Of(c.Request().Context())
	info.Operation = named.format + "_package"
	var err error
	if request.caller, err = h.identify(c.Request()); err != nil {
		request.refused = true
		return request.explain(err)
	}
	info.Actor = request.actor
	return request.explain(formats[named.format].serve(h, request))
}
