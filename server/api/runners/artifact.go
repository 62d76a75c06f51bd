package runners

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/gen"
	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
	"svc/store"
	"svc/store/model"
)

// CreateJobArtifact stores an artifact that a job uploads.
// POST /jobs/{id}/artifacts
func (r *Runners) CreateJobArtifact(
	ctx context.Context, req gen.CreateJobArtifactRequestObject,
) (gen.CreateJobArtifactResponseObject, error) {
	j, err := r.runningJob(ctx, req.ID, req.Params.JOBTOKEN)
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
	if u.ExpireAt, err = r.expiry(req.Params.ExpireIn); err != nil {
		return nil, err
	}
	file, err := filePart(req.Body)
	if err != nil {
		return nil, err
	}
	u.Filename = filename(file.FileName())
	var from io.Reader = file
	if u.FileType == "dotenv" {
		if from, err = checkDotenv(file, u.FileFormat); err != nil {
			return nil, err
		}
	}
	_, err = r.Files.Put(ctx, j, u, from)
	switch {
	case errors.Is(err, artifacts.ErrTooLarge):
		return nil, apierr.TooLarge()
	case errors.Is(err, artifacts.ErrTaken):
		return nil, apierr.BadRequest("another artifact of the same type already exists")
	case store.IsNotFound(err):
		return nil, apierr.Forbidden()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, apierr.BadParameter("The multipart body is incomplete")
	case err != nil:
		return nil, err
	}
	return gen.CreateJobArtifact201JSONResponse(201), nil
}

// filePart returns the file of a multipart upload.
func filePart(body *multipart.Reader) (*multipart.Part, error) {
	for body != nil {
		part, err := body.NextPart()
		if err != nil {
			break
		}
		if part.FormName() == "file" {
			return part, nil
		}
	}
	return nil, apierr.BadParameter("file is missing")
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

// expiry returns the time at which an artifact expires, or nil for never.
func (r *Runners) expiry(given *string) (*time.Time, error) {
	after := r.Expire
	if given != nil && *given != "" {
		if *given == "never" {
			return nil, nil
		}
		var ok bool
		if after, ok = syntax.ParseDuration(*given); !ok {
			return nil, apierr.BadParameter("expire_in is invalid")
		}
	}
	if after == 0 {
		return nil, nil
	}
	at := time.Now().UTC().Add(after).Truncate(time.Microsecond)
	return &at, nil
}

// maxPackedDotenv is larger than any valid report.
const maxPackedDotenv = 64 << 10

// checkDotenv refuses a report that cannot be parsed: later jobs would silently miss its variables.
func checkDotenv(file io.Reader, format string) (io.Reader, error) {
	packed, err := io.ReadAll(io.LimitReader(file, maxPackedDotenv+1))
	if err != nil {
		return nil, apierr.BadParameter("The multipart body is incomplete")
	}
	if len(packed) > maxPackedDotenv {
		return nil, apierr.TooLarge()
	}
	text := packed
	if format == "gzip" {
		unpacked, err := gzip.NewReader(bytes.NewReader(packed))
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(unpacked, variables.MaxDotenv+1))
		}
		if err != nil {
			return nil, apierr.BadRequest("dotenv artifact is not gzip")
		}
	}
	if _, err := variables.ParseDotenv(text); err != nil {
		return nil, apierr.BadRequest(err.Error())
	}
	return bytes.NewReader(packed), nil
}

// GetJobArtifacts sends the artifacts archive of a job to the job itself or to a job that depends on it.
// GET /jobs/{id}/artifacts
func (r *Runners) GetJobArtifacts(ctx context.Context, req gen.GetJobArtifactsRequestObject) (gen.GetJobArtifactsResponseObject, error) {
	j, err := r.jobByToken(ctx, req.Params.JOBTOKEN, req.Params.Token)
	if err != nil {
		return nil, err
	}
	if !runs(j) {
		return nil, notRunning(j)
	}
	if j.ID != req.ID {
		reaches, err := r.Queue.GetsArtifactsOf(ctx, j, req.ID)
		if err != nil {
			return nil, err
		}
		if !reaches {
			return nil, apierr.Forbidden()
		}
	}
	a, err := r.Files.Get(ctx, req.ID, model.ArchiveArtifact)
	if store.IsNotFound(err) {
		return nil, apierr.NotFound("")
	}
	if err != nil {
		return nil, err
	}
	offset, length, partial, ok := respond.ParseRange(reqctx.Of(ctx).Header.Get("Range"), a.Size)
	if !ok {
		return gen.GetJobArtifacts416Response{}, nil
	}
	from, err := r.Files.Open(ctx, a, offset, length)
	if err != nil {
		return nil, err
	}
	return download{from, a, offset, length, partial}, nil
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
