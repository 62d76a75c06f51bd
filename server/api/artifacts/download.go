package artifacts

import (
	"context"
	"errors"
	"io"
	"mime"
	"path"
	"strings"

	files "svc/server/domain/ci/artifacts"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/model"
)

// downloadArchive returns the response that sends the artifacts archive of a job.
func (a *Artifacts) downloadArchive(ctx context.Context, row model.ProjectRow, job model.Job) (*fileResponse, error) {
	archive, err := a.files.ReadableArchive(ctx, row, job)
	if err != nil {
		return nil, err
	}
	return &fileResponse{respond.Stream{
		Context: ctx, Type: "application/zip", Disposition: contentDisposition("attachment", archive.Filename),
		CacheControl: respond.NoCache, ETag: `"` + archive.SHA256 + `"`, Size: archive.Size,
		Open: func(offset, length int64) (io.ReadCloser, error) { return a.files.Open(ctx, archive, offset, length) },
	}}, nil
}

// downloadEntry returns the response that sends one file from the artifacts archive of a job.
func (a *Artifacts) downloadEntry(
	ctx context.Context, row model.ProjectRow, job model.Job, name string,
) (*fileResponse, error) {
	archive, err := a.files.ReadableArchive(ctx, row, job)
	if err != nil {
		return nil, err
	}
	entry, err := a.files.Entry(ctx, archive, name)
	if err != nil {
		return nil, apiError(err)
	}
	return &fileResponse{respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8", Disposition: contentDisposition("inline", path.Base(name)),
		CacheControl: respond.NoCache, ETag: `"` + archive.SHA256 + "-" + entry.Checksum() + `"`, Size: entry.Size,
		Sandboxed: true,
		Open: func(offset, _ int64) (io.ReadCloser, error) {
			from, err := entry.Open(offset)
			return from, apiError(err)
		},
	}}, nil
}

// apiError turns an error of the archive into the API error that the contract describes.
func apiError(err error) error {
	switch {
	case errors.Is(err, files.ErrPath):
		return apierr.BadRequest()
	case errors.Is(err, files.ErrNoEntry):
		return apierr.NotFound("")
	}
	return err
}

// contentDisposition returns a Content-Disposition header for a file. It removes control characters from the name, and
// leaves the name out if no header can hold it.
func contentDisposition(what, name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, name)
	if header := mime.FormatMediaType(what, map[string]string{"filename": name}); header != "" {
		return header
	}
	return what
}
