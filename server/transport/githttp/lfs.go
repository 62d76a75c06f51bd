package githttp

import (
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"svc/server/domain/repository/lfs"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// LFSOptions holds what Git LFS needs: the files, the store with the locks, and the tickets that the SSH server issues.
type LFSOptions struct {
	Files   *lfs.Store
	Store   *store.Store
	Tickets lfs.Tickets
}

// WithLFS also serves the large files of repositories.
func (h *Handler) WithLFS(l LFSOptions) *Handler {
	h.large = l
	return h
}

const (
	lfsMedia   = "application/vnd.git-lfs+json"
	lfsRequest = "git lfs"      // marks a request whose errors are written in the format of LFS
	lfsSeen    = "git lfs seen" // marks a request whose project the caller can see
	lfsAPI     = "info/lfs/"
	lfsFiles   = "svc-lfs/objects/"
	maxLFSBody = 1 << 20
	// lfsPause is how long a transfer may stand still.
	lfsPause = 2 * time.Minute
)

// isLFS reports whether the part of a URL after .git/ belongs to Git LFS.
func isLFS(rest string) bool {
	return strings.HasPrefix(rest, lfsAPI) || strings.HasPrefix(rest, lfsFiles)
}

// lfsCall is one request of an LFS client.
type lfsCall struct {
	echo.Context
	path string   // of the project
	args []string // the parameters of the URL
}

type lfsServe func(*Handler, lfsCall) (any, error)

// lfsRoutes maps paths and methods to handlers; a star stands for one segment.
var lfsRoutes = map[string]map[string]lfsServe{
	"info/lfs/objects/batch":  {http.MethodPost: (*Handler).lfsBatch},
	"info/lfs/verify":         {http.MethodPost: (*Handler).lfsVerify},
	"info/lfs/locks":          {http.MethodGet: (*Handler).lfsLocks, http.MethodPost: (*Handler).lfsLock},
	"info/lfs/locks/verify":   {http.MethodPost: (*Handler).lfsVerifyLocks},
	"info/lfs/locks/*/unlock": {http.MethodPost: (*Handler).lfsUnlock},
	"svc-lfs/objects/*":       {http.MethodGet: (*Handler).lfsDownload, http.MethodHead: (*Handler).lfsDownload},
	"svc-lfs/objects/*/*":     {http.MethodPut: (*Handler).lfsUpload},
}

// lfsRoute finds the handlers for a path, and the parameters in it.
func lfsRoute(rest string) (map[string]lfsServe, []string) {
	if exact := lfsRoutes[rest]; exact != nil {
		return exact, nil
	}
	segments := strings.Split(rest, "/")
	for pattern, methods := range lfsRoutes {
		wanted := strings.Split(pattern, "/")
		if len(wanted) != len(segments) {
			continue
		}
		var args []string
		fits := true
		for i, want := range wanted {
			if want == "*" {
				args = append(args, segments[i])
			} else {
				fits = fits && want == segments[i]
			}
		}
		if fits {
			return methods, args
		}
	}
	return nil, nil
}

// lfs answers a request of an LFS client.
func (h *Handler) lfs(c echo.Context, path, rest string) error {
	c.Set(lfsRequest, true)
	methods, args := lfsRoute(rest)
	serve := methods[c.Request().Method]
	switch {
	case methods == nil:
		return lfsPlain(c, http.StatusNotFound, notFound)
	case serve == nil:
		c.Response().Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(methods)), ", "))
		return lfsPlain(c, http.StatusMethodNotAllowed, "405 Method Not Allowed")
	}
	shown, err := serve(h, lfsCall{c, path, args})
	e, told := asError(err)
	switch {
	case c.Get(lfsSeen) == nil && isElsewhere(err):
		return h.lfsMoved(c, path, rest)
	case store.IsNotFound(err):
		return lfsPlain(c, http.StatusNotFound, notFound)
	case told && c.Get(lfsSeen) != nil: // a password would not help
		apierr.SetCode(c.Response().Header(), e.HeaderCode())
		return lfsPlain(c, e.Status, e.Error())
	case err != nil:
		return writeError(c, err)
	case c.Response().Committed:
		return nil
	}
	return lfsJSON(c, http.StatusOK, shown)
}

const notFound = "404 Not Found"

// isElsewhere reports whether a project has moved to another path; reads and writes get different errors for that.
func isElsewhere(err error) bool {
	moved, ok := asError(err)
	return ok && (moved.Status == http.StatusMovedPermanently || moved.Status == http.StatusMethodNotAllowed)
}

// lfsMoved redirects a request with a former path of a project to the current path, like moved, and keeps the method.
func (h *Handler) lfsMoved(c echo.Context, old, rest string) error {
	path, err := h.access.NewPath(c.Request().Context(), old)
	if err != nil {
		return writeError(c, err)
	}
	to := reqctx.Of(c.Request().Context()).BaseURL + "/" + path + ".git/" + rest
	if q := c.Request().URL.RawQuery; q != "" {
		to += "?" + q
	}
	return c.Redirect(http.StatusPermanentRedirect, to)
}

// largeProject finds the project of a request, by the rules of clone and push.
func (h *Handler) largeProject(c lfsCall, service git.Service, operation string) (model.ProjectRow, *reqctx.Actor, error) {
	row, actor, err := h.project(c, c.path, service)
	reqctx.Of(c.Request().Context()).Operation = operation
	if err != nil {
		return row, actor, err
	}
	c.Set(lfsSeen, true)
	switch {
	case !row.Project.LfsEnabled:
		return row, actor, &apierr.Error{Status: http.StatusNotFound, Body: apierr.Body{Message: "Git LFS is not enabled for this project"}}
	case service == git.ReceivePack && row.Project.RepositoryReadOnly:
		return row, actor, apierr.Forbidden("The repository is temporarily read-only. Please try again later.")
	}
	return row, actor, nil
}

// lfsRead reads a JSON body.
func lfsRead(c lfsCall, into any) error {
	r := c.Request()
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		(media != lfsMedia && media != "application/json") {
		return apierr.UnsupportedMedia(r.Header.Get("Content-Type"))
	}
	_ = http.NewResponseController(c.Response().Writer).SetReadDeadline(time.Now().Add(lfsPause)) // not every connection has deadlines
	data, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxLFSBody))
	if err != nil {
		return asTooLarge(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return apierr.Unprocessable("The body is not a valid Git LFS request")
	}
	return nil
}

func lfsJSON(c echo.Context, status int, shown any) error {
	h := c.Response().Header()
	h.Set("Content-Type", lfsMedia)
	h.Set("Cache-Control", "no-store") // actions contain the caller's credential
	apierr.SetCode(h, apierr.CodeOf(status))
	c.Response().WriteHeader(status)
	encoder := json.NewEncoder(c.Response())
	encoder.SetEscapeHTML(false)
	return encoder.Encode(shown)
}

// lfsFailure is an error in the format of LFS.
type lfsFailure struct {
	Code             int    `json:"code,omitempty"` // status of one object
	Message          string `json:"message"`
	DocumentationURL string `json:"documentation_url,omitempty"`
	RequestID        string `json:"request_id,omitempty"`
}

func lfsPlain(c echo.Context, status int, text string) error {
	apierr.SetCode(c.Response().Header(), apierr.CodeOf(status))
	if status == http.StatusUnauthorized {
		c.Response().Header().Set("LFS-Authenticate", `Basic realm="Git LFS"`)
	}
	info := reqctx.Of(c.Request().Context())
	return lfsJSON(c, status, lfsFailure{Message: text, DocumentationURL: info.BaseURL + "/-/docs", RequestID: info.ID})
}
