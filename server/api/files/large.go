package files

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/brand"
	"svc/store"
	"svc/store/lfs"
	"svc/store/model"
)

// lfsResponse is the response with the content of an LFS object. The repository only has a pointer to the object.
type lfsResponse struct {
	ctx     context.Context // a field, because the generated method has no context parameter
	file    file
	content io.ReadSeekCloser
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

// VisitGetProjectRepositoryFileRawResponse writes the response.
func (a *lfsResponse) VisitGetProjectRepositoryFileRawResponse(w http.ResponseWriter) error {
	defer a.content.Close()
	h := w.Header()
	a.file.headers(h)
	brand.Set(h, "Content-Sha256", a.object.Oid)
	brand.Set(h, "Size", strconv.FormatInt(a.object.Size, 10))
	stream := a.file.stream(a.ctx)
	stream.ETag, stream.Size = `"`+a.object.Oid+`"`, a.object.Size
	stream.Write = func(to io.Writer) error {
		_, err := io.Copy(to, a.content)
		return err
	}
	return stream.Send(w)
}
