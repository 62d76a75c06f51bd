package packagehttp

import (
	"io"
	"net/http"
	"regexp"
	"strings"

	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// mavenPart is a segment of a path.
var mavenPart = regexp.MustCompile(`^[A-Za-z0-9_+-][A-Za-z0-9._+-]*$`)

// mavenFile is what a path names.
type mavenFile struct {
	name     string // group and artifact, such as com/acme/lib
	version  string // empty for the list of versions of an artifact
	file     string // without the ending of a checksum
	checksum string // sha1, md5, sha256 or sha512; empty for the file itself
}

// findMaven reads a path: group, artifact, version and file. The list of versions has no version, unless it is that of a
// snapshot.
func findMaven(parts []string) (mavenFile, bool) {
	last := len(parts) - 1
	if last < 2 || len(strings.Join(parts, "/")) > 1024 {
		return mavenFile{}, false
	}
	for _, part := range parts {
		if len(part) > 255 || !mavenPart.MatchString(part) {
			return mavenFile{}, false
		}
	}
	f := mavenFile{file: parts[last]}
	for _, ending := range []string{"sha1", "md5", "sha256", "sha512"} {
		if file, ok := strings.CutSuffix(f.file, "."+ending); ok {
			f.file, f.checksum = file, ending
			break
		}
	}
	if f.file == packages.MavenList && !strings.HasSuffix(parts[last-1], "-SNAPSHOT") {
		f.name = strings.Join(parts[:last], "/")
		return f, true
	}
	f.name, f.version = strings.Join(parts[:last-1], "/"), parts[last-1]
	return f, last > 2
}

// maven serves Maven, Gradle and compatible clients.
// /api/v4/projects/{id}/packages/maven, /api/v4/groups/{id}/-/packages/maven, /api/v4/packages/maven
func (h *Handler) maven(c *call) error {
	path, ok := findMaven(c.rest)
	switch {
	case !ok && c.Request().Method == http.MethodPut:
		return apierr.BadParameter("path is invalid")
	case !ok:
		return apierr.NotFound("")
	case c.reads():
		return h.mavenDownload(c, path)
	case c.Request().Method == http.MethodPut && c.level == inProject && path.checksum != "":
		return h.mavenCompare(c, path)
	case c.Request().Method == http.MethodPut && c.level == inProject:
		return h.mavenUpload(c, path)
	}
	return apierr.NotAllowed("GET, HEAD, PUT")
}

// mavenUpload stores a file.
func (h *Handler) mavenUpload(c *call, path mavenFile) error {
	by, err := h.publisher(c)
	if err != nil {
		return err
	}
	if err := h.Packages.CheckPush(c.ctx(), by, model.MavenPackage, path.name); err != nil {
		return err
	}
	received, err := h.receive(c, model.MavenPackage, packages.Checksums{})
	if err != nil {
		return err
	}
	received.FileName = path.file
	_, err = h.Packages.Add(c.ctx(), by, packages.Upload{
		Type: model.MavenPackage, Name: path.name, Version: path.version,
	}, received)
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}

// maxChecksum is the largest size of a file with a checksum.
const maxChecksum = 1 << 10

// mavenCompare compares a checksum that a client uploads with that of the file that it belongs to. The checksum is not
// stored: the service computes it.
func (h *Handler) mavenCompare(c *call, path mavenFile) error {
	by, err := h.publisher(c)
	if err != nil {
		return err
	}
	body := h.body(c)
	text, err := io.ReadAll(io.LimitReader(body, maxChecksum))
	if err != nil {
		return body.orIncomplete(err)
	}
	found, err := h.Packages.Find(
		c.ctx(), by.Project.Project.ID, model.MavenPackage, path.name, path.version, path.file,
	)
	if err != nil {
		return err
	}
	given, _, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if want := path.sum(found.File); want != "" && !strings.EqualFold(given, want) {
		return apierr.Conflict("409 Conflict")
	}
	return c.NoContent(http.StatusNoContent)
}

// sum returns the checksum of a file that a path names; empty if the service does not compute it.
func (f mavenFile) sum(file model.PackageFile) string {
	return map[string]string{"sha1": file.FileSHA1, "md5": file.FileMD5, "sha256": file.FileSHA256}[f.checksum]
}

// mavenDownload sends a file or its checksum.
func (h *Handler) mavenDownload(c *call, path mavenFile) error {
	found, err := h.mavenFind(c, path)
	if err != nil {
		return err
	}
	if path.checksum != "" {
		sum := path.sum(found.File)
		if sum == "" {
			return apierr.NotFound("")
		}
		return c.Blob(http.StatusOK, plainText, []byte(sum))
	}
	header := c.Response().Header()
	header.Set("X-Checksum-Sha1", found.File.FileSHA1)
	header.Set("X-Checksum-Md5", found.File.FileMD5)
	kind := octets
	if strings.HasSuffix(path.file, ".xml") || strings.HasSuffix(path.file, ".pom") {
		kind = "text/xml"
	}
	return h.send(c, found, kind, path.file)
}

// mavenFind finds the newest file. In the whole instance, the name of the package is the path of its project.
func (h *Handler) mavenFind(c *call, path mavenFile) (packages.Published, error) {
	if c.level != inGroup {
		ref := c.ref
		if c.level == inInstance {
			ref = path.name
		}
		row, err := h.projectAt(c, ref, access.ReadPackage)
		if err != nil {
			return packages.Published{}, err
		}
		return h.Packages.Find(c.ctx(), row.Project.ID, model.MavenPackage, path.name, path.version, path.file)
	}
	scope, err := h.scope(c)
	if err != nil {
		return packages.Published{}, err
	}
	row, file, err := h.Store.PackageFiles.Find(c.ctx(), scope, store.PackageFileQuery{
		Type: model.MavenPackage, SearchName: path.name, Version: &path.version, FileName: path.file,
	})
	return packages.Published{Package: row, File: file}, err
}
