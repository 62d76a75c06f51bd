// Package download sends files of jobs: all of them, or the part that is asked for.
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

// File is a file on its way to a caller.
type File struct {
	Type        string // for Content-Type
	Disposition string // for Content-Disposition
	Size        int64
	Tag         string // names the bytes, in quotes; "" for a file that still grows
	Shown       bool   // a browser may show it, but must not run it
	Open        func(offset, length int64) (io.ReadCloser, error)
}

// buffer is how much is in memory of a file that is sent.
const buffer = 128 << 10

// Send answers with the file, or with the part that the caller asks for. Nothing is sent if it cannot be opened.
func (f File) Send(ctx context.Context, w http.ResponseWriter) error {
	info := reqctx.Of(ctx)
	h := w.Header()
	h.Set("Cache-Control", "no-cache, private")
	if f.Tag != "" {
		h.Set("ETag", f.Tag)
		if info.Matches(f.Tag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	wanted := info.Header.Get("Range")
	if tag := info.Header.Get("If-Range"); tag != "" && tag != f.Tag {
		wanted = "" // the caller has a part of another file
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
	if f.Shown {
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

// open opens the part; who asks for the headers alone gets no bytes.
func (f File) open(method string, offset, length int64) (io.ReadCloser, error) {
	if method == http.MethodHead {
		return http.NoBody, nil
	}
	return f.Open(offset, length)
}
