package uploads

import (
	"context"
	"io"
	"mime"
	"net/http"

	"svc/server/domain/upload"
	"svc/server/platform/respond"
	"svc/store/model"
)

// fileResponse is the response of every operation that sends a file.
type fileResponse struct{ respond.Stream }

// send returns the response with a file. Only files that cannot contain scripts are shown in the browser.
func (u *Uploads) send(ctx context.Context, found model.Upload) *fileResponse {
	media, inline := upload.ContentType(found.Filename)
	disposition := "attachment"
	if inline {
		disposition = "inline"
	}
	return &fileResponse{respond.Stream{
		Context: ctx, Type: media, Disposition: mime.FormatMediaType(disposition, map[string]string{"filename": found.Filename}),
		CacheControl: respond.Revalidate, ETag: `"` + found.SHA256 + `"`, Size: found.Size,
		Sandboxed: media != "application/pdf", // browsers show no PDF file in a sandbox
		Open:      func(offset, length int64) (io.ReadCloser, error) { return u.uploads.Open(ctx, found, offset, length) },
	}}
}

// VisitGetProjectUploadResponse sends the file.
func (f *fileResponse) VisitGetProjectUploadResponse(w http.ResponseWriter) error { return f.Send(w) }

// VisitGetProjectUploadBySecretResponse sends the file.
func (f *fileResponse) VisitGetProjectUploadBySecretResponse(w http.ResponseWriter) error {
	return f.Send(w)
}

// VisitGetGroupUploadResponse sends the file.
func (f *fileResponse) VisitGetGroupUploadResponse(w http.ResponseWriter) error { return f.Send(w) }

// VisitGetGroupUploadBySecretResponse sends the file.
func (f *fileResponse) VisitGetGroupUploadBySecretResponse(w http.ResponseWriter) error {
	return f.Send(w)
}

// VisitGetUploadOfProjectResponse sends the file.
func (f *fileResponse) VisitGetUploadOfProjectResponse(w http.ResponseWriter) error { return f.Send(w) }

// VisitGetUploadOfGroupResponse sends the file.
func (f *fileResponse) VisitGetUploadOfGroupResponse(w http.ResponseWriter) error { return f.Send(w) }
