package packagehttp

import (
	"bufio"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"

	"golang.org/x/mod/semver"
)

// npmDocument is what npm publishes, without the tarball.
type npmDocument struct {
	Name     string                     `json:"name"`
	Tags     map[string]string          `json:"dist-tags"`
	Versions map[string]json.RawMessage `json:"versions"`
}

// npmDist describes the tarball of a version.
type npmDist struct {
	Integrity string `json:"integrity,omitempty"`
	Shasum    string `json:"shasum"`
	Tarball   string `json:"tarball"`
}

// npmPublish publishes a version, or deprecates versions if the document has no tarball.
// PUT /api/v4/projects/{id}/packages/npm/{name}
func (h *Handler) npmPublish(c *call, name string) error {
	if c.level != inProject {
		return apierr.NotAllowed("GET, HEAD")
	}
	by, err := h.publisher(c)
	if err != nil {
		return err
	}
	if err := h.Packages.CheckPush(c.ctx(), by, model.NPMPackage, name); err != nil {
		return err
	}
	upload, err := h.npmRead(c)
	if err != nil {
		return err
	}
	if err := h.npmStore(c, by, name, upload); err != nil {
		if upload.file != nil {
			err = errors.Join(err, h.Packages.Discard(c.ctx(), *upload.file))
		}
		return err
	}
	return c.JSON(http.StatusOK, map[string]bool{"success": true})
}

// npmUpload is a document and the tarball that came with it.
type npmUpload struct {
	document  npmDocument
	file      *model.PackageFile // nil if there is no tarball
	integrity string             // of the tarball
}

// npmRead reads the body, and stores the tarball that is in it.
func (h *Handler) npmRead(c *call) (npmUpload, error) {
	var upload npmUpload
	body := h.body(c)
	s := npmSplitter{in: bufio.NewReaderSize(body, 64<<10), receive: func(text io.Reader) error {
		sum := sha512.New()
		tarball := io.TeeReader(base64.NewDecoder(base64.StdEncoding, text), sum)
		file, err := h.Packages.Receive(c.ctx(), model.NPMPackage, tarball, packages.Checksums{})
		upload.file, upload.integrity = &file, "sha512-"+base64.StdEncoding.EncodeToString(sum.Sum(nil))
		return err
	}}
	text, err := s.split()
	if err == nil && json.Unmarshal(text, &upload.document) != nil {
		err = errNPMSyntax
	}
	if err == nil {
		return upload, nil
	}
	if upload.file != nil {
		err = errors.Join(err, h.Packages.Discard(c.ctx(), *upload.file))
	}
	return upload, body.orIncomplete(npmRefusal(err))
}

// npmRefusal turns a mistake in the body into a 400.
func npmRefusal(err error) error {
	var corrupt base64.CorruptInputError
	var refused *apierr.Error
	switch {
	case errors.As(err, &refused) && refused.Error() == packages.ErrTooLarge().Error():
		return apierr.Refused("File is too large.")
	case errors.Is(err, errNPMTooLarge), errors.Is(err, errNPMSeveral):
		return apierr.BadRequest(firstError(err).Error())
	case errors.Is(err, errNPMSyntax), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &corrupt):
		return apierr.Malformed("The body is not a valid npm package")
	}
	return err
}

// firstError returns the first of joined errors.
func firstError(err error) error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()[0]
	}
	return err
}

// npmStore stores what was read.
func (h *Handler) npmStore(c *call, by packages.Publisher, name string, upload npmUpload) error {
	if upload.document.Name != name {
		return apierr.Refused("The name of the package is not that of the address.")
	}
	if upload.file == nil {
		return h.npmDeprecate(c, by, name, upload.document)
	}
	if len(upload.document.Versions) != 1 {
		return apierr.Refused("Version is empty.")
	}
	for version, text := range upload.document.Versions {
		add, err := npmAdd(name, version, text, upload)
		if err != nil {
			return err
		}
		_, err = h.Packages.Add(c.ctx(), by, add, *upload.file)
		return packages.Duplicate(err, &apierr.Error{
			Status: http.StatusForbidden, Body: apierr.Body{Message: "Package already exists."},
		})
	}
	return nil
}

// npmAdd returns the package that a version becomes.
func npmAdd(name, version string, text json.RawMessage, upload npmUpload) (packages.Upload, error) {
	var described struct {
		Name, Version string
		Dist          npmDist
	}
	if json.Unmarshal(text, &described) != nil || described.Name != name || described.Version != version {
		return packages.Upload{}, apierr.Refused("The version is not that of the package.")
	}
	plain, _, _ := strings.Cut(version, "+") // without the build
	if len(version) > 255 || !semver.IsValid("v"+version) || semver.Canonical("v"+version) != "v"+plain {
		return packages.Upload{}, apierr.Refused("Validation failed: Version is invalid")
	}
	if err := described.Dist.check(*upload.file, upload.integrity); err != nil {
		return packages.Upload{}, err
	}
	var tags []string
	for tag, named := range upload.document.Tags {
		if named != version || !npmTag.MatchString(tag) || len(tag) > 255 {
			return packages.Upload{}, apierr.Refused("Validation failed: Package tag is invalid")
		}
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	metadata, err := npmKeep(text)
	if err != nil {
		return packages.Upload{}, err
	}
	upload.file.FileName = name[strings.IndexByte(name, '/')+1:] + "-" + version + ".tgz"
	kept, err := json.Marshal(map[string]string{"integrity": upload.integrity})
	upload.file.Metadata = string(kept)
	return packages.Upload{
		Type: model.NPMPackage, Name: name, Version: version, Metadata: metadata, Tags: tags, NewPackage: true,
	}, err
}

// check compares the checksums that the client computed with those of the tarball that arrived.
func (d npmDist) check(file model.PackageFile, integrity string) error {
	if d.Shasum != "" && !strings.EqualFold(d.Shasum, file.FileSHA1) {
		return apierr.BadRequest("The SHA-1 checksum of the file is " + file.FileSHA1 + ", not the given one")
	}
	for given := range strings.FieldsSeq(d.Integrity) {
		if strings.HasPrefix(given, "sha512-") && given != integrity {
			return apierr.BadRequest("The SHA-512 checksum of the file is not the given one")
		}
	}
	return nil
}

// npmMembers are the members of package.json that clients need to install a version.
var npmMembers = []string{
	"name", "version", "description", "license", "dependencies", "devDependencies", "optionalDependencies", "bundleDependencies",
	"bundledDependencies", "peerDependencies", "peerDependenciesMeta", "bin", "directories", "engines", "os", "cpu", "libc",
	"deprecated", "_hasShrinkwrap", "hasInstallScript", "funding",
}

// maxNPMVersion is the largest size of the members of one version that are stored.
const maxNPMVersion = 256 << 10

// npmKeep returns the members of a version that are stored.
func npmKeep(text json.RawMessage) (string, error) {
	var all map[string]json.RawMessage
	if json.Unmarshal(text, &all) != nil {
		return "", apierr.Malformed("The body is not a valid npm package")
	}
	kept := map[string]json.RawMessage{}
	for _, name := range npmMembers {
		if value, ok := all[name]; ok {
			kept[name] = value
		}
	}
	out, err := json.Marshal(kept)
	if err == nil && len(out) > maxNPMVersion {
		err = apierr.BadRequest(errNPMTooLarge.Error())
	}
	return string(out), err
}

// npmDeprecate sets or removes the warning of versions. It needs the right to delete packages.
func (h *Handler) npmDeprecate(c *call, by packages.Publisher, name string, document npmDocument) error {
	if _, err := h.project(c, access.DestroyPackage); err != nil {
		return err
	}
	changes := map[string]string{}
	for version, text := range document.Versions {
		var described struct{ Deprecated *string }
		if json.Unmarshal(text, &described) != nil {
			return apierr.Malformed("The body is not a valid npm package")
		}
		if described.Deprecated != nil {
			changes[version] = *described.Deprecated
		}
	}
	if len(changes) == 0 {
		return apierr.Refused("Version is empty.")
	}
	return h.Packages.Deprecate(c.ctx(), by.Project.Project, model.NPMPackage, name, changes)
}
