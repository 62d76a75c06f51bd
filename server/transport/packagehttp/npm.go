package packagehttp

import (
	"net/http"
	"regexp"
	"strings"

	"svc/server/domain/packages"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// maxNPMName is the largest number of characters in the name of an npm package.
const maxNPMName = 214

var (
	npmName = regexp.MustCompile(`^(?:@[A-Za-z0-9][A-Za-z0-9._~-]*/)?[A-Za-z0-9][A-Za-z0-9._~-]*$`)
	npmTag  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]*$`)
)

// npm serves npm and compatible clients.
// /api/v4/projects/{id}/packages/npm, /api/v4/groups/{id}/-/packages/npm, /api/v4/packages/npm
func (h *Handler) npm(c *call) error {
	path := strings.Join(c.rest, "/")
	switch path {
	case "-/npm/v1/security/advisories/bulk", "-/npm/v1/security/audits/quick":
		return h.npmAudit(c)
	}
	if rest, ok := strings.CutPrefix(path, "-/package/"); ok {
		name, tag, found := strings.Cut(rest, "/dist-tags")
		if !found || tag != "" && tag[0] != '/' {
			return apierr.NoRoute()
		}
		return h.npmTags(c, name, strings.TrimPrefix(tag, "/"))
	}
	if name, file, ok := strings.Cut(path, "/-/"); ok {
		return h.npmTarball(c, name, file[strings.LastIndexByte(file, '/')+1:])
	}
	if !isNPMName(path) {
		return apierr.NoRoute()
	}
	switch c.Request().Method {
	case http.MethodGet, http.MethodHead:
		return h.npmMetadata(c, path)
	case http.MethodPut:
		return h.npmPublish(c, path)
	}
	return apierr.NotAllowed("GET, HEAD, PUT")
}

func isNPMName(name string) bool { return len(name) <= maxNPMName && npmName.MatchString(name) }

// npmAudit answers that there are no known vulnerabilities: the service knows of none.
func (h *Handler) npmAudit(c *call) error {
	if c.Request().Method != http.MethodPost {
		return apierr.NotAllowed("POST")
	}
	return c.JSON(http.StatusOK, []string{})
}

// npmScope returns the projects in which npm looks for a package. In the whole instance, the scope of the name must be
// the path of the top-level namespace.
func (h *Handler) npmScope(c *call, name string) (store.PackageScope, error) {
	if !isNPMName(name) {
		return store.PackageScope{}, apierr.NoRoute()
	}
	scope, err := h.scope(c)
	if err != nil || c.level != inInstance {
		return scope, err
	}
	top, _, scoped := strings.Cut(strings.TrimPrefix(name, "@"), "/")
	if !scoped {
		return scope, apierr.NotFound("")
	}
	scope.TopPath = top
	return scope, nil
}

// npmTarball sends the file of a version.
func (h *Handler) npmTarball(c *call, name, file string) error {
	if !c.reads() {
		return apierr.NotAllowed("GET, HEAD")
	}
	scope, err := h.npmScope(c, name)
	if err != nil {
		return err
	}
	row, found, err := h.Store.PackageFiles.Find(c.ctx(), scope, store.PackageFileQuery{
		Type: model.NPMPackage, SearchName: name, FileName: file,
	})
	if err != nil {
		return err
	}
	return h.send(c, packages.Published{Package: row, File: found}, octets, file)
}
