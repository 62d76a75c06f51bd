package packagehttp

import (
	"encoding/json"
	"io"
	"net/http"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// maxTagBody is the largest size of a body that names a version.
const maxTagBody = 1 << 10

// npmTags lists, sets and removes the dist-tags of a package.
// GET …/packages/npm/-/package/{name}/dist-tags
// PUT, DELETE …/packages/npm/-/package/{name}/dist-tags/{tag}
func (h *Handler) npmTags(c *call, name, tag string) error {
	switch {
	case tag == "" && c.reads():
		rows, _, err := h.npmVersions(c, name)
		if err != nil {
			return err
		}
		tags, err := h.npmTagsOf(c, rows)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, tags)
	case tag == "":
		return apierr.NotAllowed("GET, HEAD")
	case c.level != inProject:
		return apierr.NoRoute()
	}
	switch c.Request().Method {
	case http.MethodPut:
		return h.npmSetTag(c, name, tag)
	case http.MethodDelete:
		return h.npmDeleteTag(c, name, tag)
	}
	return apierr.NotAllowed("PUT, DELETE")
}

// npmSetTag makes a tag name a version. The body is the version as a JSON text.
func (h *Handler) npmSetTag(c *call, name, tag string) error {
	by, err := h.publisher(c)
	if err != nil {
		return err
	}
	if err := h.Packages.CheckPush(c.ctx(), by, model.NPMPackage, name); err != nil {
		return err
	}
	if !npmTag.MatchString(tag) || len(tag) > 255 {
		return apierr.BadParameter("tag is invalid")
	}
	body := h.body(c)
	text, err := io.ReadAll(io.LimitReader(body, maxTagBody))
	if err != nil {
		return body.orIncomplete(err)
	}
	var version string
	if json.Unmarshal(text, &version) != nil || version == "" {
		return apierr.Malformed("The body must be a version as a JSON text")
	}
	row, err := h.Store.Packages.GetVersion(c.ctx(), by.Project.Project.ID, model.NPMPackage, name, version)
	if err != nil {
		return err
	}
	if err := h.Store.Packages.SetTag(c.ctx(), row, tag); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// npmDeleteTag removes a tag.
func (h *Handler) npmDeleteTag(c *call, name, tag string) error {
	row, err := h.project(c, access.DestroyPackage)
	if err != nil {
		return err
	}
	err = h.Store.Packages.DeleteTag(c.ctx(), model.Package{
		ProjectID: row.Project.ID, PackageType: model.NPMPackage, Name: name,
	}, tag)
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
