package packagehttp

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// generic serves a file of a generic package.
// GET, PUT /api/v4/projects/{id}/packages/generic/{package_name}/{package_version}/{file_name}
func (h *Handler) generic(c *call) error {
	if len(c.rest) < 3 {
		return apierr.NoRoute()
	}
	name, version, file := c.rest[0], c.rest[1], strings.Split(strings.Join(c.rest[2:], "/"), "/")
	switch c.Request().Method {
	case http.MethodGet, http.MethodHead:
		return h.downloadGeneric(c, name, version, file)
	case http.MethodPut:
		return h.uploadGeneric(c, name, version, file)
	}
	return apierr.NotAllowed("GET, HEAD, PUT")
}

func (h *Handler) downloadGeneric(c *call, name, version string, file []string) error {
	row, err := h.project(c, access.ReadPackage)
	if err != nil {
		return err
	}
	if err := packages.CheckGeneric(name, version, file); err != nil {
		return err
	}
	found, err := h.Packages.Find(
		c.ctx(), row.Project.ID, model.GenericPackage, name, version, packages.FileName(file),
	)
	if err != nil {
		return err
	}
	return h.send(c, found, octets, file[len(file)-1])
}

func (h *Handler) uploadGeneric(c *call, name, version string, file []string) error {
	by, err := h.publisher(c)
	if err != nil {
		return err
	}
	status, selected := c.QueryParam("status"), c.QueryParam("select")
	switch {
	case status != "" && status != model.PackageDefault && status != model.PackageHidden:
		return apierr.BadParameter("status does not have a valid value")
	case selected != "" && selected != "package_file":
		return apierr.BadParameter("select does not have a valid value")
	}
	if err := packages.CheckGeneric(name, version, file); err != nil {
		return err
	}
	if err := h.Packages.CheckPush(c.ctx(), by, model.GenericPackage, name); err != nil {
		return err
	}
	header := c.Request().Header
	received, err := h.receive(c, model.GenericPackage, packages.Checksums{
		MD5: header.Get("X-Checksum-Md5"), SHA1: header.Get("X-Checksum-Sha1"), SHA256: header.Get("X-Checksum-Sha256"),
	})
	if err != nil {
		return err
	}
	received.FileName = packages.FileName(file)
	made, err := h.Packages.Add(c.ctx(), by, packages.Upload{
		Type: model.GenericPackage, Name: name, Version: version, Status: status,
	}, received)
	if err != nil {
		return err
	}
	if selected == "" {
		return c.JSON(http.StatusCreated, map[string]string{"message": "201 Created"})
	}
	return c.JSON(http.StatusOK, genericFile(c, by.Project.Project.ID, name, version, file, made.File))
}

// storedFile is a file of a generic package, as the document describes it (GenericPackageFile).
type storedFile struct {
	ID                    int64     `json:"id"`
	PackageID             int64     `json:"package_id"`
	CreatedAt             wire.Time `json:"created_at"`
	UpdatedAt             wire.Time `json:"updated_at"`
	Size                  int64     `json:"size"`
	FileStore             int64     `json:"file_store"`
	FileMD5               string    `json:"file_md5"`
	FileSHA1              string    `json:"file_sha1"`
	FileName              string    `json:"file_name"`
	File                  fileURL   `json:"file"`
	FileSHA256            string    `json:"file_sha256"`
	VerificationRetryAt   *string   `json:"verification_retry_at"`
	VerifiedAt            *string   `json:"verified_at"`
	VerificationFailure   *string   `json:"verification_failure"`
	VerificationRetries   *int64    `json:"verification_retry_count"`
	VerificationChecksum  *string   `json:"verification_checksum"`
	VerificationState     int64     `json:"verification_state"`
	VerificationStartedAt *string   `json:"verification_started_at"`
	Status                string    `json:"status"`
	NewFilePath           *string   `json:"new_file_path"`
}

type fileURL struct {
	URL string `json:"url"`
}

func genericFile(c *call, projectID int64, name, version string, path []string, f model.PackageFile) storedFile {
	address := reqctx.Of(c.ctx()).BaseURL + prefix + "projects/" + strconv.FormatInt(projectID, 10) + "/packages/generic/" +
		name + "/" + version
	for _, part := range path {
		address += "/" + url.PathEscape(part)
	}
	return storedFile{
		ID: f.ID, PackageID: f.PackageID, CreatedAt: wire.NewTime(f.CreatedAt), UpdatedAt: wire.NewTime(f.UpdatedAt),
		Size: f.Size, FileStore: 1, FileMD5: f.FileMD5, FileSHA1: f.FileSHA1, FileName: f.FileName,
		File: fileURL{address}, FileSHA256: f.FileSHA256, Status: model.PackageDefault,
	}
}
