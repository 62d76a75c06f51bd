package repositories

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"svc/gen"
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
	return encodedBlob{taggedResponse{ctx, `W/"` + blob.ID + `"`}, blob}, nil
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
	return rawBlob{taggedResponse{ctx, `"` + blob.ID + `"`}, blob}, nil
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

// encodedBlob writes a blob as JSON, without holding it whole in memory.
type encodedBlob struct {
	taggedResponse
	blob git.Blob
}

// VisitGetProjectRepositoryBlobResponse writes the blob.
func (b encodedBlob) VisitGetProjectRepositoryBlobResponse(w http.ResponseWriter) error {
	if matchesETag(b.ctx, b.tag) {
		return writeNotModified(w, b.tag)
	}
	before := fmt.Sprintf(`{"size":%d,"encoding":"base64","content":"`, b.blob.Size)
	after := `","sha":"` + b.blob.ID + "\"}\n"
	w.Header().Set("Content-Type", "application/json")
	return b.write(w, int64(len(before)+len(after))+(b.blob.Size+2)/3*4, func(to io.Writer) error {
		if _, err := io.WriteString(to, before); err != nil {
			return err
		}
		encoder := base64.NewEncoder(base64.StdEncoding, to)
		if err := b.blob.Write(b.ctx, encoder); err != nil {
			return err
		}
		if err := encoder.Close(); err != nil {
			return err
		}
		_, err := io.WriteString(to, after)
		return err
	})
}

// rawBlob writes the bytes of a blob, with headers that keep browsers from running them.
type rawBlob struct {
	taggedResponse
	blob git.Blob
}

// VisitGetProjectRepositoryBlobRawResponse writes the bytes.
func (b rawBlob) VisitGetProjectRepositoryBlobRawResponse(w http.ResponseWriter) error {
	if matchesETag(b.ctx, b.tag) {
		return writeNotModified(w, b.tag)
	}
	w.Header().Set("Content-Type", "text/plain")
	w.Header().Set("Content-Disposition", "inline")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return b.write(w, b.blob.Size, func(to io.Writer) error { return b.blob.Write(b.ctx, to) })
}

// taggedResponse is a response that depends on object ids only. Its ETag is made from them.
type taggedResponse struct {
	ctx context.Context //nolint:containedctx // a Visit method has none
	tag string
}

// write writes a body of the given size. If the write fails halfway, it breaks the connection, so that the client does
// not take a part for the whole.
func (a taggedResponse) write(w http.ResponseWriter, size int64, body func(io.Writer) error) error {
	h := w.Header()
	h.Set("ETag", a.tag)
	h.Set("Cache-Control", cacheControl)
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	w.WriteHeader(http.StatusOK)
	if isHead(a.ctx) {
		return nil
	}
	if err := body(w); err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}
