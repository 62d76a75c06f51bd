package packagehttp

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"svc/server/domain/packages"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

var pypiSeparators = regexp.MustCompile(`[-_.]+`)

// pypiNormalize returns the name by which pip finds a package: names that differ in case and separators are the same.
func pypiNormalize(name string) string {
	return strings.ToLower(pypiSeparators.ReplaceAllString(name, "-"))
}

// pypi serves pip, twine and compatible clients.
// /api/v4/projects/{id}/packages/pypi, /api/v4/groups/{id}/-/packages/pypi
func (h *Handler) pypi(c *call) error {
	path := strings.Trim(strings.Join(c.rest, "/"), "/")
	if path == "" {
		if c.Request().Method != http.MethodPost || c.level != inProject {
			return apierr.NotAllowed("POST")
		}
		return h.pypiUpload(c)
	}
	if !c.reads() {
		return apierr.NotAllowed("GET, HEAD")
	}
	if path == "simple" {
		return h.pypiIndex(c)
	}
	if name, ok := strings.CutPrefix(path, "simple/"); ok {
		return h.pypiLinks(c, name)
	}
	if rest, ok := strings.CutPrefix(path, "files/"); ok {
		sum, file, _ := strings.Cut(rest, "/")
		return h.pypiFile(c, sum, file)
	}
	return apierr.NoRoute()
}

// pypiBase returns the URL of the index.
func pypiBase(c *call) string {
	at := "projects/" + url.PathEscape(c.ref)
	if c.level == inGroup {
		at = "groups/" + url.PathEscape(c.ref) + "/-"
	}
	return reqctx.Of(c.ctx()).BaseURL + prefix + at + "/packages/pypi"
}

// maxNames is the largest number of names in the index.
const maxNames = 10000

// pypiIndex links to all packages.
// GET …/packages/pypi/simple
func (h *Handler) pypiIndex(c *call) error {
	scope, err := h.scope(c)
	if err != nil {
		return err
	}
	names, err := h.Store.Packages.Names(c.ctx(), scope, model.PyPIPackage, maxNames)
	if err != nil {
		return err
	}
	links := make([]string, len(names))
	for i, name := range names {
		links[i] = pypiLink(pypiBase(c)+"/simple/"+name, "", name)
	}
	return pypiPage(c, "Links", links)
}

// pypiLinks links to the files of a package.
// GET …/packages/pypi/simple/{name}
func (h *Handler) pypiLinks(c *call, name string) error {
	scope, err := h.scope(c)
	if err != nil {
		return err
	}
	rows, err := h.Store.Packages.ListByName(c.ctx(), scope, model.PyPIPackage, pypiNormalize(name), maxVersions)
	if err != nil {
		return err
	}
	var ids []int64
	for _, row := range rows {
		if row.Status == model.PackageDefault || row.Status == model.PackageDeprecated {
			ids = append(ids, row.ID)
		}
	}
	if len(ids) == 0 {
		return apierr.NotFound("")
	}
	files, err := h.Store.PackageFiles.OfPackages(c.ctx(), ids)
	if err != nil {
		return err
	}
	links := make([]string, len(files))
	for i, file := range files {
		var kept pypiFileMetadata
		if err := json.Unmarshal([]byte(file.Metadata), &kept); err != nil {
			return err
		}
		address := pypiBase(c) + "/files/" + file.FileSHA256 + "/" + url.PathEscape(file.FileName) + "#sha256=" + file.FileSHA256
		links[i] = pypiLink(address, kept.RequiresPython, file.FileName)
	}
	return pypiPage(c, "Links for "+rows[0].Name, links)
}

// pypiLink returns a link of a page.
func pypiLink(address, requiresPython, text string) string {
	attribute := ""
	if requiresPython != "" {
		attribute = ` data-requires-python="` + html.EscapeString(requiresPython) + `"`
	}
	return `<a href="` + html.EscapeString(address) + `"` + attribute + `>` + html.EscapeString(text) + "</a><br>\n"
}

// pypiPage sends a page with links, as PEP 503 describes it.
func pypiPage(c *call, title string, links []string) error {
	title = html.EscapeString(title)
	text := "<!DOCTYPE html>\n<html>\n<head>\n<title>" + title + "</title>\n</head>\n<body>\n<h1>" + title + "</h1>\n" +
		strings.Join(links, "") + "</body>\n</html>\n"
	return c.Blob(http.StatusOK, "text/html; charset=utf-8", []byte(text))
}

// pypiFile sends a file.
// GET …/packages/pypi/files/{sha256}/{file_name}
func (h *Handler) pypiFile(c *call, sum, file string) error {
	scope, err := h.scope(c)
	if err != nil {
		return err
	}
	row, found, err := h.Store.PackageFiles.Find(c.ctx(), scope, store.PackageFileQuery{
		Type: model.PyPIPackage, FileName: file, SHA256: sum,
	})
	if err != nil {
		return err
	}
	return h.send(c, packages.Published{Package: row, File: found}, octets, file)
}
