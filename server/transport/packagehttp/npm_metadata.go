package packagehttp

import (
	"encoding/json"
	"net/http"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"

	"golang.org/x/mod/semver"
)

// maxVersions is the largest number of versions of a package that a client gets: the newest ones.
const maxVersions = 2000

// npmShown is what a client learns about a package.
type npmShown struct {
	Name     string                                `json:"name"`
	Tags     map[string]string                     `json:"dist-tags"`
	Versions map[string]map[string]json.RawMessage `json:"versions"`
}

// npmMetadata describes the versions of a package.
// GET …/packages/npm/{name}
func (h *Handler) npmMetadata(c *call, name string) error {
	rows, files, err := h.npmVersions(c, name)
	if err != nil {
		return err
	}
	shown := npmShown{Name: name, Versions: map[string]map[string]json.RawMessage{}}
	base := reqctx.Of(c.ctx()).BaseURL + prefix + "projects/"
	for _, row := range rows {
		file, ok := files[row.ID]
		if _, known := shown.Versions[*row.Version]; known || !ok {
			continue // a newer package of another project has the same version, or the file was deleted
		}
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(row.Metadata), &members); err != nil {
			return err
		}
		dist := npmDist{
			Shasum: file.FileSHA1,
			Tarball: base + strconv.FormatInt(row.ProjectID, 10) + "/packages/npm/" + name + "/-/" +
				npmScopeOf(name) + file.FileName,
		}
		if err := json.Unmarshal([]byte(file.Metadata), &dist); err != nil {
			return err
		}
		if members["dist"], err = json.Marshal(dist); err != nil {
			return err
		}
		shown.Versions[*row.Version] = members
	}
	if shown.Tags, err = h.npmTagsOf(c, rows); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, shown)
}

// npmScopeOf returns the scope of a name with its slash, or nothing.
func npmScopeOf(name string) string {
	for i := range name {
		if name[i] == '/' {
			return name[:i+1]
		}
	}
	return ""
}

// npmVersions returns the versions of a package that the caller can see, the newest first, and their files by package.
func (h *Handler) npmVersions(c *call, name string) ([]model.Package, map[int64]model.PackageFile, error) {
	scope, err := h.npmScope(c, name)
	if err != nil {
		return nil, nil, err
	}
	rows, err := h.Store.Packages.ListByName(c.ctx(), scope, model.NPMPackage, name, maxVersions)
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 {
		return nil, nil, apierr.NotFound("")
	}
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	files, err := h.Store.PackageFiles.OfPackages(c.ctx(), ids)
	byPackage := make(map[int64]model.PackageFile, len(files))
	for _, f := range files {
		byPackage[f.PackageID] = f
	}
	return rows, byPackage, err
}

// npmTagsOf returns the dist-tags of packages. Without the tag latest, it is the highest version.
func (h *Handler) npmTagsOf(c *call, rows []model.Package) (map[string]string, error) {
	ids, versions := make([]int64, len(rows)), make(map[int64]string, len(rows))
	highest := ""
	for i, row := range rows {
		ids[i], versions[row.ID] = row.ID, *row.Version
		if highest == "" || semver.Compare("v"+*row.Version, "v"+highest) > 0 {
			highest = *row.Version
		}
	}
	tags, err := h.Store.Packages.TagsOf(c.ctx(), ids)
	if err != nil {
		return nil, err
	}
	shown := map[string]string{}
	for _, tag := range tags {
		shown[tag.Name] = versions[tag.PackageID]
	}
	if shown["latest"] == "" {
		shown["latest"] = highest
	}
	return shown, nil
}
