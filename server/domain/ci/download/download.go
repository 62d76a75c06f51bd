// Package download sends the files of jobs over HTTP, whole or in part.
package download

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"svc/server/domain/ci/artifacts"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// File is a file that a caller downloads.
type File struct {
	Type        string // for Content-Type
	Disposition string // for Content-Disposition
	Size        int64
	ETag        string // the ETag, with quotes; "" for a file that still grows
	Sandboxed   bool   // a browser may display the file, but must not run scripts in it
	Open        func(offset, length int64) (io.ReadCloser, error)
}

// buffer is the number of bytes of a download that are held in memory.
const buffer = 128 << 10

// Send answers with the file, or with the range that the caller asks for. If the file cannot be opened, Send returns an
// error and writes no response.
func (f File) Send(ctx context.Context, w http.ResponseWriter) error {
	info := reqctx.Of(ctx)
	h := w.Header()
	h.Set("Cache-Control", "no-cache, private")
	if f.ETag != "" {
		h.Set("ETag", f.ETag)
		if info.Matches(f.ETag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	wanted := info.Header.Get("Range")
	if tag := info.Header.Get("If-Range"); tag != "" && tag != f.ETag {
		wanted = "" // the caller has a part of an older version
	}
	offset, length, partial, ok := artifacts.ParseRange(wanted, f.Size)
	if !ok {
		return apierr.NoSuchRange(f.Size)
	}
	from, err := f.open(info.Method, offset, length)
	if err != nil {
		return err
	}
	defer from.Close()
	h.Set("Content-Type", f.Type)
	h.Set("Content-Disposition", f.Disposition)
	h.Set("Content-Length", strconv.FormatInt(length, 10))
	h.Set("Accept-Ranges", "bytes")
	if f.Sandboxed {
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	}
	code := http.StatusOK
	if partial {
		code = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", offset, offset+length-1, f.Size))
	}
	w.WriteHeader(code)
	_, err = io.CopyBuffer(struct{ io.Writer }{w}, io.LimitReader(from, length), make([]byte, buffer))
	return err
}

// open opens a range of the file. For HEAD requests, it returns an empty reader.
func (f File) open(method string, offset, length int64) (io.ReadCloser, error) {
	if method == http.MethodHead {
		return http.NoBody, nil
	}
	return f.Open(offset, length)
}
