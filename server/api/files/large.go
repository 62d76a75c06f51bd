package files

import (
	"context"
	"io"
	"mime"
	"net/http"
	"os"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/brand"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/lfs"
	"svc/store/model"
)

// lfsResponse is the response with the content of an LFS object. The repository only has a pointer to the object.
type lfsResponse struct {
	ctx     context.Context // a field, because the generated method has no context parameter
	file    file
	content *os.File
	object  model.LfsObject
}

// openLFSObject opens the LFS object that a file points to. It returns nil if the file is not an LFS pointer, or if the
// project has LFS switched off.
func (f *Files) openLFSObject(ctx context.Context, p model.Project, found file) (*lfsResponse, error) {
	pointer, ok := lfs.ReadPointer(found.small)
	if !ok || !p.LfsEnabled {
		return nil, nil
	}
	content, object, err := f.large.Open(ctx, p.ID, pointer.OID)
	if store.IsNotFound(err) {
		return nil, apierr.NotFound("LFS Object")
	}
	if err != nil {
		return nil, err
	}
	return &lfsResponse{ctx, found, content, object}, nil
}

// VisitGetProjectRepositoryFileRawResponse writes the response. A browser shows the content as text and does not run
// it.
func (a *lfsResponse) VisitGetProjectRepositoryFileRawResponse(w http.ResponseWriter) error {
	defer a.content.Close()
	h := w.Header()
	a.file.headers(h)
	brand.Set(h, "Content-Sha256", a.object.Oid)
	brand.Set(h, "Size", strconv.FormatInt(a.object.Size, 10))
	h.Set("Cache-Control", "no-cache, private")
	if notModified(a.ctx, w, `"`+a.object.Oid+`"`) {
		return nil
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": a.file.name()}))
	h.Set("Content-Length", strconv.FormatInt(a.object.Size, 10))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.WriteHeader(http.StatusOK)
	if reqctx.Of(a.ctx).Method == http.MethodHead {
		return nil
	}
	_, err := io.Copy(w, a.content)
	return err
}
