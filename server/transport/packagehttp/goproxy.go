package packagehttp

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc/server/domain/packages/gomodule"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store/model"

	"golang.org/x/mod/module"
)

const plainText = "text/plain; charset=utf-8"

// goProxy serves the modules of a repository with the protocol of Go proxies.
// GET /api/v4/projects/{id}/packages/go/{module}/@v/list, …/@v/{version}.info, .mod, .zip, …/@latest
func (h *Handler) goProxy(c *call) error {
	if !c.reads() {
		return apierr.NotAllowed("GET, HEAD")
	}
	found, file, err := h.goModule(c)
	if err != nil {
		return err
	}
	version, kind := file, ""
	if at := strings.LastIndexByte(file, '.'); at > 0 {
		version, kind = file[:at], file[at+1:]
	}
	switch {
	case file == "list":
		return h.goList(c, found)
	case file == "":
		latest, err := found.Latest(c.ctx())
		return h.goInfo(c, latest, err)
	case kind == "info":
		v, err := h.goVersion(c, found, version)
		return h.goInfo(c, v, err)
	case kind == "mod":
		v, err := h.goExact(c, found, version)
		if err != nil {
			return goRefusal(err)
		}
		return c.Blob(http.StatusOK, plainText, v.GoMod)
	case kind == "zip":
		return h.goZip(c, found, version)
	}
	return apierr.NotFound("")
}

// goModule returns the module of a URL, and the file that the client wants of it: the part after @v, or nothing for
// @latest.
func (h *Handler) goModule(c *call) (gomodule.Module, string, error) {
	path := strings.Join(c.rest, "/")
	name, file, listed := strings.Cut(path, "/@v/")
	if !listed {
		latest := false
		if name, latest = strings.CutSuffix(path, "/@latest"); !latest {
			return gomodule.Module{}, "", apierr.NotFound("")
		}
	}
	name, err := module.UnescapePath(name)
	if err != nil || strings.Contains(file, "/") {
		return gomodule.Module{}, "", apierr.NotFound("")
	}
	row, err := h.project(c, access.ReadPackage)
	if err != nil {
		return gomodule.Module{}, "", err
	}
	if c.deploy == nil && !row.ReadsCode() || row.Project.RepositoryAccessLevel == model.FeatureDisabled {
		return gomodule.Module{}, "", apierr.Forbidden()
	}
	base, err := url.Parse(reqctx.Of(c.ctx()).BaseURL)
	if err != nil {
		return gomodule.Module{}, "", err
	}
	repo, err := h.Repository(row.Project)
	if err != nil {
		return gomodule.Module{}, "", err
	}
	found, err := gomodule.Open(repo, base.Hostname()+"/"+row.Project.FullPath, name)
	return found, file, goRefusal(err)
}

// goRefusal turns a missing module or version into a 404, after which Go asks the next proxy.
func goRefusal(err error) error {
	switch {
	case errors.Is(err, gomodule.ErrTooLarge):
		return apierr.Unprocessable(gomodule.ErrTooLarge.Error())
	case errors.Is(err, gomodule.ErrNotFound):
		return apierr.NotFound("")
	}
	return err
}

// goVersion returns a version that a client names.
func (h *Handler) goVersion(c *call, m gomodule.Module, escaped string) (gomodule.Version, error) {
	version, err := module.UnescapeVersion(escaped)
	if err != nil || version == "" {
		return gomodule.Version{}, gomodule.ErrNotFound
	}
	return m.Find(c.ctx(), version)
}

// goExact returns a version that a client names completely, and not by a branch or a commit.
func (h *Handler) goExact(c *call, m gomodule.Module, escaped string) (gomodule.Version, error) {
	v, err := h.goVersion(c, m, escaped)
	if err != nil {
		return v, err
	}
	if name, err := module.EscapeVersion(v.Name); err != nil || name != escaped {
		return v, gomodule.ErrNotFound
	}
	return v, nil
}

// goList lists the versions that have tags, one in each line.
func (h *Handler) goList(c *call, m gomodule.Module) error {
	versions, err := m.Versions()
	if err != nil {
		return goRefusal(err)
	}
	text := strings.Join(versions, "\n")
	if text != "" {
		text += "\n"
	}
	return c.Blob(http.StatusOK, plainText, []byte(text))
}

// goInfo describes a version.
func (h *Handler) goInfo(c *call, v gomodule.Version, err error) error {
	if err != nil {
		return goRefusal(err)
	}
	return c.JSON(http.StatusOK, struct {
		Version string
		Time    time.Time
	}{v.Name, v.Time})
}

// goZip sends the files of a version.
func (h *Handler) goZip(c *call, m gomodule.Module, escaped string) error {
	v, err := h.goExact(c, m, escaped)
	if err != nil {
		return goRefusal(err)
	}
	files, err := m.Files(c.ctx(), v)
	if err != nil {
		return goRefusal(err)
	}
	return respond.Stream{
		Context: c.ctx(), Type: "application/zip", CacheControl: respond.NoCache, Size: respond.Unknown,
		Write: files.Write,
	}.Send(c.Response())
}
