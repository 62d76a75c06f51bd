// Package respond sends files and other streams as responses, with the same treatment of ETags, HEAD requests and
// ranges everywhere.
package respond

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// The values of Cache-Control.
const (
	Revalidate = "max-age=0, private, must-revalidate" // the same as for JSON responses with an ETag
	NoCache    = "no-cache, private"
	Public     = "max-age=3600, public" // for content that never changes under its URL
)

// Unknown is the size of a stream that is produced while it is sent.
const Unknown = -1

// buffer is the number of bytes of a range that are held in memory.
const buffer = 128 << 10

// Download returns the response that downloads a stored file under a name. sha256 is the checksum of the file.
func Download(
	ctx context.Context, mediaType, name, sha256 string, size int64, open func(offset, length int64) (io.ReadCloser, error),
) Stream {
	return Stream{
		Context: ctx, Type: mediaType, Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": name}),
		CacheControl: NoCache, ETag: `"` + sha256 + `"`, Size: size, Open: open,
	}
}

// Stream is a response with the bytes of a file. Response types of an area embed it, and their Visit methods call Send.
type Stream struct {
	Context      context.Context // of the request; a field, because the generated Visit methods have no context
	Type         string          // for Content-Type
	Disposition  string          // for Content-Disposition; "" for none
	CacheControl string
	ETag         string // with quotes; "" for a file that still grows
	Size         int64  // in bytes, or Unknown
	Sandboxed    bool   // a browser may display the file, but must not run scripts in it

	// Write writes the whole file.
	Write func(to io.Writer) error
	// Open opens a range of the file. If it is set, it is used instead of Write, and callers can ask for ranges.
	Open func(offset, length int64) (io.ReadCloser, error)
}

// Bytes returns a function that writes data, for Stream.Write.
func Bytes(data []byte) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	}
}

// NotModified reports whether the client already has this version of the file.
func (s Stream) NotModified() bool { return s.ETag != "" && reqctx.Of(s.Context).Matches(s.ETag) }

// Send writes the response: 304 if the client already has the file, only headers for HEAD, or else the file or the
// requested range. If Send returns an error before the first byte, it has not written a response.
func (s Stream) Send(w http.ResponseWriter) error {
	switch {
	case s.NotModified():
		s.setVersion(w.Header())
		w.WriteHeader(http.StatusNotModified)
		return nil
	case s.Open != nil:
		return s.sendRange(w)
	case s.Size == Unknown:
		return s.sendUnknown(w)
	}
	s.setHeaders(w.Header(), s.Size)
	w.WriteHeader(http.StatusOK)
	if s.isHead() {
		return nil
	}
	return s.Write(w)
}

// sendRange sends the file or the range that the client asks for.
func (s Stream) sendRange(w http.ResponseWriter) error {
	h := w.Header()
	s.setVersion(h)
	asked := reqctx.Of(s.Context).Header
	wanted := asked.Get("Range")
	if tag := asked.Get("If-Range"); tag != "" && tag != s.ETag {
		wanted = "" // the client has a part of an older version
	}
	offset, length, partial, ok := ParseRange(wanted, s.Size)
	if !ok {
		return apierr.NoSuchRange(s.Size)
	}
	from := io.ReadCloser(http.NoBody)
	if !s.isHead() {
		var err error
		if from, err = s.Open(offset, length); err != nil {
			return err
		}
	}
	defer from.Close()
	s.setHeaders(h, length)
	h.Set("Accept-Ranges", "bytes")
	code := http.StatusOK
	if partial {
		code = http.StatusPartialContent
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", offset, offset+length-1, s.Size))
	}
	w.WriteHeader(code)
	_, err := io.CopyBuffer(struct{ io.Writer }{w}, io.LimitReader(from, length), make([]byte, buffer))
	return err
}

// sendUnknown sends a file without Content-Length. If it fails halfway, it breaks the connection, because the client
// could not see that the end is missing.
func (s Stream) sendUnknown(w http.ResponseWriter) error {
	out := &lateWriter{w: w, begin: func() { s.setHeaders(w.Header(), Unknown) }}
	if s.isHead() {
		out.start()
		return nil
	}
	err := s.Write(out)
	if err != nil && out.begun {
		panic(http.ErrAbortHandler)
	}
	return err
}

func (s Stream) isHead() bool { return reqctx.Of(s.Context).Method == http.MethodHead }

// setVersion sets the headers that a 304 has, too.
func (s Stream) setVersion(h http.Header) {
	h.Set("Cache-Control", s.CacheControl)
	if s.ETag != "" {
		h.Set("ETag", s.ETag)
	}
}

// setHeaders sets the headers of a response with the given number of bytes.
func (s Stream) setHeaders(h http.Header, length int64) {
	s.setVersion(h)
	h.Set("Content-Type", s.Type)
	if s.Disposition != "" {
		h.Set("Content-Disposition", s.Disposition)
	}
	if length != Unknown {
		h.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	if s.Sandboxed {
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	}
}

// lateWriter sends the status and headers with the first byte. Until then, the response can still become an error.
type lateWriter struct {
	w     http.ResponseWriter
	begin func()
	begun bool
}

// Write sends the headers before the first byte.
func (l *lateWriter) Write(p []byte) (int, error) {
	if !l.begun {
		l.start()
	}
	return l.w.Write(p)
}

func (l *lateWriter) start() {
	l.begun = true
	l.begin()
	l.w.WriteHeader(http.StatusOK)
}
