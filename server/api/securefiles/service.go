// Package securefiles implements the API operations on secure files of projects.
package securefiles

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"svc/gen"
	"svc/server/domain/securefile"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store"
	"svc/store/model"
)

// SecureFiles implements the operations on secure files.
type SecureFiles struct {
	store  *store.Store
	access *access.Access
	files  *securefile.Service
	pages  pagination.MaxOffset
}

// New returns the operations on secure files.
func New(st *store.Store, a *access.Access, files *securefile.Service, pages pagination.MaxOffset) *SecureFiles {
	return &SecureFiles{store: st, access: a, files: files, pages: pages}
}

// find finds a secure file of a project and requires the ability in that project.
func (s *SecureFiles) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.SecureFile, error) {
	row, err := s.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.SecureFile{}, err
	}
	found, err := s.store.SecureFiles.Get(ctx, row.Project.ID, id)
	return row, found, apierr.OrNotFound(err)
}

// ListProjectSecureFiles lists the secure files of a project.
// GET /projects/{id}/secure_files
func (s *SecureFiles) ListProjectSecureFiles(
	ctx context.Context, req gen.ListProjectSecureFilesRequestObject,
) (gen.ListProjectSecureFilesResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadSecureFile)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "SecureFile", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.SecureFiles.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectSecureFiles200JSONResponse{
		Body: present.All(rows, present.SecureFile), Headers: gen.ListProjectSecureFiles200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectSecureFile shows a secure file without its contents.
// GET /projects/{id}/secure_files/{secure_file_id}
func (s *SecureFiles) GetProjectSecureFile(
	ctx context.Context, req gen.GetProjectSecureFileRequestObject,
) (gen.GetProjectSecureFileResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.SecureFileID, access.ReadSecureFile)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectSecureFile200JSONResponse(present.SecureFile(found)), nil
}

// CreateProjectSecureFile creates a secure file.
// POST /projects/{id}/secure_files
func (s *SecureFiles) CreateProjectSecureFile(
	ctx context.Context, req gen.CreateProjectSecureFileRequestObject,
) (gen.CreateProjectSecureFileResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.AdminSecureFile)
	if err != nil {
		return nil, err
	}
	made, err := s.files.Create(ctx, row.Project, req.Body.Name, req.Body.File, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectSecureFile201JSONResponse(present.SecureFile(made)), nil
}

// DeleteProjectSecureFile deletes a secure file.
// DELETE /projects/{id}/secure_files/{secure_file_id}
func (s *SecureFiles) DeleteProjectSecureFile(
	ctx context.Context, req gen.DeleteProjectSecureFileRequestObject,
) (gen.DeleteProjectSecureFileResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.SecureFileID, access.AdminSecureFile)
	if err != nil {
		return nil, err
	}
	if err := s.files.Delete(ctx, row.Project, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectSecureFile204Response{}, nil
}

// fileResponse is the response with the contents of a file.
type fileResponse struct{ respond.Stream }

// VisitGetProjectSecureFileDownloadResponse sends the contents.
func (f *fileResponse) VisitGetProjectSecureFileDownloadResponse(w http.ResponseWriter) error {
	return f.Send(w)
}

// GetProjectSecureFileDownload sends the contents of a secure file.
// GET /projects/{id}/secure_files/{secure_file_id}/download
func (s *SecureFiles) GetProjectSecureFileDownload(
	ctx context.Context, req gen.GetProjectSecureFileDownloadRequestObject,
) (gen.GetProjectSecureFileDownloadResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.SecureFileID, access.ReadSecureFile)
	if err != nil {
		return nil, err
	}
	data, err := s.files.Contents(ctx, found)
	if err != nil {
		return nil, err
	}
	return &fileResponse{respond.Stream{
		Context: ctx, Type: "application/octet-stream", Disposition: respond.Attachment(found.Name),
		CacheControl: respond.Revalidate, ETag: `"` + found.Checksum + `"`, Size: int64(len(data)),
		Open: func(offset, length int64) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data[offset : offset+length])), nil
		},
	}}, nil
}
