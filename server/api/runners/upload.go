package runners

import (
	"context"
	"path"
	"strings"
	"unicode/utf8"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/artifacts"
	"svc/server/platform/formdata"
	"svc/store/model"
)

// UploadJobArtifacts stores an artifact that a job uploads.
// POST /jobs/{id}/artifacts
func (r *Runners) UploadJobArtifacts(
	ctx context.Context, req gen.UploadJobArtifactsRequestObject,
) (gen.UploadJobArtifactsResponseObject, error) {
	job, err := r.runners.RunningJob(ctx, req.ID, req.Params.JOBTOKEN)
	if err != nil {
		return nil, err
	}
	u := artifacts.Upload{FileType: model.ArchiveArtifact, FileFormat: "zip"}
	if req.Params.ArtifactType != nil {
		u.FileType = string(*req.Params.ArtifactType)
	}
	if req.Params.ArtifactFormat != nil {
		u.FileFormat = string(*req.Params.ArtifactFormat)
	}
	if u.ExpireAt, err = r.runners.Expiry(ctx, wire.Value(req.Params.ExpireIn)); err != nil {
		return nil, err
	}
	file, err := formdata.File(req.Body)
	if err != nil {
		return nil, err
	}
	u.Filename = filename(file.FileName())
	if err := r.runners.Upload(ctx, job, u, file); err != nil {
		return nil, err
	}
	return gen.UploadJobArtifacts201JSONResponse(201), nil
}

// filename returns the last part of a path, or a default if that cannot be shown.
func filename(given string) string {
	name := path.Base(strings.ReplaceAll(given, `\`, "/"))
	if name == "." || name == "/" || len(name) > 255 || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "artifacts.zip"
	}
	return name
}
