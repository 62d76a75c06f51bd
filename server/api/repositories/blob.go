package repositories

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"

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

// encodedBlob is the response with a blob as JSON. It does not hold the blob whole in memory.
type encodedBlob struct{ respond.Stream }

func newEncodedBlob(ctx context.Context, blob git.Blob) encodedBlob {
	before := fmt.Sprintf(`{"size":%d,"encoding":"base64","content":"`, blob.Size)
	after := `","sha":"` + blob.ID + "\"}\n"
	return encodedBlob{respond.Stream{
		Context: ctx, Type: "application/json", CacheControl: respond.Revalidate, ETag: `W/"` + blob.ID + `"`,
		Size: int64(len(before)+len(after)) + (blob.Size+2)/3*4,
		Write: func(to io.Writer) error {
			if _, err := io.WriteString(to, before); err != nil {
				return err
			}
			encoder := base64.NewEncoder(base64.StdEncoding, to)
			if err := blob.Write(ctx, encoder); err != nil {
				return err
			}
			if err := encoder.Close(); err != nil {
				return err
			}
			_, err := io.WriteString(to, after)
			return err
		},
	}}
}

// VisitGetProjectRepositoryBlobResponse writes the blob.
func (b encodedBlob) VisitGetProjectRepositoryBlobResponse(w http.ResponseWriter) error {
	return b.Send(w)
}

// rawBlob is the response with the bytes of a blob.
type rawBlob struct{ respond.Stream }

// VisitGetProjectRepositoryBlobRawResponse writes the bytes.
func (b rawBlob) VisitGetProjectRepositoryBlobRawResponse(w http.ResponseWriter) error {
	return b.Send(w)
}
