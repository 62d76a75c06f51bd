package repositories

import (
	"context"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store/git"
)

// formats are the file name suffixes of archives in URLs.
var formats = map[string]git.Format{
	"tar.gz": git.TarGz, "tar": git.Tar, "zip": git.Zip,
	"tar.bz2": git.TarBz, "tbz": git.TarBz, "tbz2": git.TarBz, "tb2": git.TarBz, "bz2": git.TarBz,
}

// GetProjectRepositoryArchive downloads the files of a commit as a tar.gz archive.
// GET /projects/{id}/repository/archive
func (r *Repositories) GetProjectRepositoryArchive(
	ctx context.Context, req gen.GetProjectRepositoryArchiveRequestObject,
) (gen.GetProjectRepositoryArchiveResponseObject, error) {
	return r.archive(ctx, req.ID, git.TarGz, wire.Value(req.Params.Sha), wire.Value(req.Params.Path))
}

// GetProjectRepositoryArchiveFormat downloads the files of a commit as an archive in the given format.
// GET /projects/{id}/repository/archive.{format}
func (r *Repositories) GetProjectRepositoryArchiveFormat(
	ctx context.Context, req gen.GetProjectRepositoryArchiveFormatRequestObject,
) (gen.GetProjectRepositoryArchiveFormatResponseObject, error) {
	format, known := formats[req.Format]
	if !known {
		return nil, apierr.NoRoute()
	}
	return r.archive(ctx, req.ID, format, wire.Value(req.Params.Sha), wire.Value(req.Params.Path))
}

func (r *Repositories) archive(ctx context.Context, id string, format git.Format, ref, path string) (archiveResponse, error) {
	project, repo, err := r.read(ctx, id)
	if err != nil {
		return archiveResponse{}, err
	}
	if embedded(ctx) {
		return archiveResponse{}, apierr.NotAcceptable()
	}
	commit, err := repo.Resolve(ctx, ref)
	if err != nil {
		return archiveResponse{}, orNotFound(err, "File")
	}
	clean, ok := git.CleanPath(path)
	if !ok {
		return archiveResponse{}, apierr.NotFound("File")
	}
	if clean != "" {
		if _, err := repo.TreeAt(ctx, commit, clean); err != nil {
			return archiveResponse{}, orNotFound(err, "File")
		}
	}
	if ref == "" || ref == "HEAD" {
		ref, _ = repo.Head()
	}
	a := git.Archive{Commit: commit, Path: clean, Format: format, Stem: respond.ArchiveStem(project.Path, ref, commit, clean)}
	return archiveResponse{respond.Archive{Context: ctx, Repo: repo, Of: a}}, nil
}

// embedded reports whether a web page loads the archive as a subresource, for example as an image.
func embedded(ctx context.Context) bool {
	h := reqctx.Of(ctx).Header
	if h == nil {
		return false
	}
	switch h.Get("Sec-Fetch-Mode") {
	case "no-cors", "websocket":
		return true
	}
	return strings.HasPrefix(h.Get("Accept"), "image/")
}
