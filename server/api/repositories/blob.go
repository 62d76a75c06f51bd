package repositories

import (
	"context"
	"io"

	"svc/gen"
	"svc/server/platform/respond"
	"svc/store/git"
)

// largeBlob is the size in bytes above which downloads of blobs are rate limited.
const largeBlob = 10 << 20

// GetProjectRepositoryBlob shows a blob, with its content in base64.
// GET /projects/{id}/repository/blobs/{sha}
func (r *Repositories) GetProjectRepositoryBlob(
	ctx context.Context, req gen.GetProjectRepositoryBlobRequestObject,
) (gen.GetProjectRepositoryBlobResponseObject, error) {
	blob, err := r.blob(ctx, req.ID, req.Sha)
	if err != nil {
		return nil, err
	}
	return newEncodedBlob(ctx, blob), nil
}

// GetProjectRepositoryBlobRaw downloads the bytes of a blob.
// GET /projects/{id}/repository/blobs/{sha}/raw
func (r *Repositories) GetProjectRepositoryBlobRaw(
	ctx context.Context, req gen.GetProjectRepositoryBlobRawRequestObject,
) (gen.GetProjectRepositoryBlobRawResponseObject, error) {
	blob, err := r.blob(ctx, req.ID, req.Sha)
	if err != nil {
		return nil, err
	}
	return rawBlob{respond.Stream{
		Context: ctx, Type: "text/plain", Disposition: "inline", CacheControl: respond.Revalidate, ETag: `"` + blob.ID + `"`,
		Size: blob.Size, Sandboxed: true, Write: func(to io.Writer) error { return blob.Write(ctx, to) },
	}}, nil
}

func (r *Repositories) blob(ctx context.Context, ref, sha string) (git.Blob, error) {
	project, repo, err := r.read(ctx, ref)
	if err != nil {
		return git.Blob{}, err
	}
	blob, err := repo.Blob(ctx, sha)
	if err != nil {
		return git.Blob{}, orNotFound(err, "Blob")
	}
	if blob.Size > largeBlob {
		err = r.large(ctx, project.ID)
	}
	return blob, err
}
