package packagehttp

import (
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"

	"svc/server/domain/packages"
	"svc/server/platform/apierr"
	"svc/store/model"
)

var (
	pypiName    = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	pypiFileRE  = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._+!-]*$`)
	sha256Text  = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
	pypiVersion = regexp.MustCompile(`(?i)^v?(?:[0-9]+!)?[0-9]+(?:\.[0-9]+)*` + // epoch and release
		`(?:[-_.]?(?:a|b|c|rc|alpha|beta|pre|preview)[-_.]?[0-9]*)?` +
		`(?:-[0-9]+|[-_.]?(?:post|rev|r)[-_.]?[0-9]*)?` +
		`(?:[-_.]?dev[-_.]?[0-9]*)?` +
		`(?:\+[a-z0-9]+(?:[-_.][a-z0-9]+)*)?$`)
)

const (
	maxPyPIField       = 1 << 20 // bytes of one field of a form
	maxPyPIFields      = 8 << 20 // bytes of all fields
	maxPyPIDescription = 4000    // characters of a description that are stored
)

// pypiKept are the fields that are stored with a package.
var pypiKept = []string{
	"metadata_version", "summary", "keywords", "author_email", "description", "description_content_type", "requires_python",
}

// pypiFileMetadata is what is stored with a file.
type pypiFileMetadata struct {
	RequiresPython string `json:"requires_python,omitempty"`
}

// pypiForm is the form that twine sends.
type pypiForm struct {
	fields map[string]string
	file   *model.PackageFile // nil if there is none
	size   int
}

// pypiUpload stores a file of a package.
// POST /api/v4/projects/{id}/packages/pypi
func (h *Handler) pypiUpload(c *call) error {
	by, err := h.publisher(c)
	if err != nil {
		return err
	}
	form, err := h.pypiRead(c)
	if err == nil {
		err = h.pypiStore(c, by, form)
	}
	if err != nil {
		if form.file != nil {
			err = errors.Join(err, h.Packages.Discard(c.ctx(), *form.file))
		}
		return err
	}
	return c.JSON(http.StatusCreated, map[string]string{"message": "201 Created"})
}

// pypiRead reads the form, and stores the file that is in it.
func (h *Handler) pypiRead(c *call) (pypiForm, error) {
	form := pypiForm{fields: map[string]string{}}
	body := h.body(c)
	c.Request().Body = struct {
		io.Reader
		io.Closer
	}{body, c.Request().Body}
	parts, err := c.Request().MultipartReader()
	if err != nil {
		return form, err
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err == nil {
			err = h.pypiPart(c, &form, part)
		} else {
			err = errors.Join(apierr.Malformed("The multipart body is malformed"), err)
		}
		if err != nil {
			return form, body.orIncomplete(err)
		}
	}
}

// pypiPart reads one part of the form.
func (h *Handler) pypiPart(c *call, form *pypiForm, part *multipart.Part) error {
	if part.FormName() == "content" {
		if form.file != nil {
			return apierr.BadParameter("content is invalid")
		}
		file, err := h.Packages.Receive(c.ctx(), model.PyPIPackage, part, packages.Checksums{})
		file.FileName = part.FileName()
		form.file = &file
		return err
	}
	text, err := io.ReadAll(io.LimitReader(part, maxPyPIField+1))
	if err != nil {
		return errors.Join(apierr.Malformed("The multipart body is malformed"), err)
	}
	if form.size += len(text) + len(part.FormName()); len(text) > maxPyPIField || form.size > maxPyPIFields {
		return apierr.BadRequest("The description of the package is too large")
	}
	if _, twice := form.fields[part.FormName()]; !twice && isText(string(text)) {
		form.fields[part.FormName()] = string(text)
	}
	return nil
}

// pypiStore adds the file of a form to its package.
func (h *Handler) pypiStore(c *call, by packages.Publisher, form pypiForm) error {
	if err := form.check(); err != nil {
		return err
	}
	name := form.fields["name"]
	if err := h.Packages.CheckPush(c.ctx(), by, model.PyPIPackage, pypiNormalize(name)); err != nil {
		return err
	}
	kept := map[string]string{}
	for _, field := range pypiKept {
		if text := []rune(form.fields[field]); len(text) > 0 {
			kept[field] = string(text[:min(len(text), maxPyPIDescription)])
		}
	}
	metadata, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	ofFile, err := json.Marshal(pypiFileMetadata{form.fields["requires_python"]})
	if err != nil {
		return err
	}
	form.file.Metadata = string(ofFile)
	_, err = h.Packages.Add(c.ctx(), by, packages.Upload{
		Type: model.PyPIPackage, Name: name, SearchName: pypiNormalize(name), Version: form.fields["version"],
		Metadata: string(metadata), NewName: true,
	}, *form.file)
	return packages.Duplicate(err, apierr.Refused("Validation failed: File name has already been taken"))
}

// check returns what is wrong with a form.
func (f pypiForm) check() error {
	for _, name := range []string{"name", "version"} {
		if f.fields[name] == "" {
			return apierr.BadParameter(name + " is missing")
		}
	}
	if f.file == nil || f.file.Size == 0 {
		return apierr.BadParameter("content is missing")
	}
	for name, valid := range map[string]bool{
		"name":            pypiName.MatchString(f.fields["name"]),
		"version":         pypiVersion.MatchString(f.fields["version"]),
		"content":         pypiFileRE.MatchString(f.file.FileName),
		"requires_python": true,
	} {
		if text := f.fields[name]; !valid || len(text) > 255 || name == "content" && len(f.file.FileName) > 255 {
			return apierr.Refused("Validation failed: " + name + " is invalid")
		}
	}
	if sum := f.fields["sha256_digest"]; sum != "" && !sha256Text.MatchString(sum) {
		return apierr.BadParameter("sha256_digest is invalid")
	}
	return packages.Checksums{MD5: f.fields["md5_digest"], SHA256: f.fields["sha256_digest"]}.Check(*f.file)
}
