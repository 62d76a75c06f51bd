package runners

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store/model"
)

// GetJobArtifacts sends the artifacts archive of a job to the job itself or to a job that depends on it.
// GET /jobs/{id}/artifacts
func (r *Runners) GetJobArtifacts(
	ctx context.Context, req gen.GetJobArtifactsRequestObject,
) (gen.GetJobArtifactsResponseObject, error) {
	a, err := r.runners.FindArchive(ctx, req.ID, req.Params.JOBTOKEN, req.Params.Token)
	if err != nil {
		return nil, err
	}
	offset, length, partial, ok := respond.ParseRange(reqctx.Of(ctx).Header.Get("Range"), a.Size)
	if !ok {
		return noSuchRange{}, nil
	}
	from, err := r.files.Open(ctx, a, offset, length)
	if err != nil {
		return nil, err
	}
	return download{from, a, offset, length, partial}, nil
}

// noSuchRange is the response if the artifact does not have the requested range.
type noSuchRange struct{ gen.GetJobArtifacts416Response }

// VisitGetJobArtifactsResponse sends the status.
func (r noSuchRange) VisitGetJobArtifactsResponse(w http.ResponseWriter) error {
	apierr.SetCode(w.Header(), apierr.RangeUnsatisfiable)
	return r.GetJobArtifacts416Response.VisitGetJobArtifactsResponse(w)
}

// download is an artifact as a response.
type download struct {
	from           io.ReadCloser
	file           model.JobArtifact
	offset, length int64
	partial        bool
}

// VisitGetJobArtifactsResponse sends the artifact, or the requested range.
func (d download) VisitGetJobArtifactsResponse(w http.ResponseWriter) error {
	defer d.from.Close()
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Length", strconv.FormatInt(d.length, 10))
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": d.file.Filename}))
	h.Set("Accept-Ranges", "bytes")
	code := http.StatusOK
	if d.partial {
		code = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", d.offset, d.offset+d.length-1, d.file.Size))
	}
	w.WriteHeader(code)
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, d.from, make([]byte, 256<<10))
	return err
}
