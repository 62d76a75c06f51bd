package middleware

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/labstack/echo/v4"

	"svc/openapi/wire"
)

// maxTagged is the size up to which a response is buffered to compute its hash; a larger one is streamed without a tag.
const maxTagged = 4 << 20

// ETag adds a weak tag to JSON responses of reads, and answers 304 if the client already has the same body.
func ETag(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if op, ok := info(c).Matched.(*Operation); ok && op.Raw {
			return next(c)
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return next(c)
		}
		res := c.Response()
		buf := wire.TakeBuffer()
		w := &tagWriter{ResponseWriter: res.Writer, match: r.Header.Get("If-None-Match"), buf: buf}
		res.Writer = w
		defer func() {
			res.Writer = w.ResponseWriter
			wire.ReturnBuffer(buf)
		}()
		if err := next(c); err != nil {
			return err
		}
		w.finish(res)
		return nil
	}
}

// tagWriter buffers a successful JSON response until it is complete.
type tagWriter struct {
	http.ResponseWriter
	match   string
	buf     *bytes.Buffer
	holding bool
	status  int
}

func (w *tagWriter) WriteHeader(status int) {
	kept := w.Header().Get("ETag") == "" && w.Header().Get("Cache-Control") != "no-store" // a response that must not be stored needs no tag
	if status == http.StatusOK && kept && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		w.holding, w.status = true, status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *tagWriter) Write(b []byte) (int, error) {
	if !w.holding {
		return w.ResponseWriter.Write(b)
	}
	if w.buf.Len()+len(b) > maxTagged {
		w.release()
		return w.ResponseWriter.Write(b)
	}
	return w.buf.Write(b)
}

// Flush gives up the tag, because a streamed response cannot wait.
func (w *tagWriter) Flush() {
	w.release()
	if f, ok := w.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *tagWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *tagWriter) release() {
	if !w.holding {
		return
	}
	w.holding = false
	w.ResponseWriter.WriteHeader(w.status)
	w.ResponseWriter.Write(w.buf.Bytes()) //nolint:errcheck // the caller is gone
}

func (w *tagWriter) finish(res *echo.Response) {
	if !w.holding {
		return
	}
	w.holding = false
	h := w.Header()
	tag := `W/"` + strconv.FormatUint(xxhash.Sum64(w.buf.Bytes()), 36) + `"`
	h.Set("ETag", tag)
	h.Set("Cache-Control", "max-age=0, private, must-revalidate")
	if matches(w.match, tag) {
		h.Del("Content-Type")
		res.Status, res.Size = http.StatusNotModified, 0
		w.ResponseWriter.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(w.buf.Len()))
	w.ResponseWriter.WriteHeader(w.status)
	w.ResponseWriter.Write(w.buf.Bytes()) //nolint:errcheck // the caller is gone
}

// matches compares weakly, as RFC 9110 §13.1.2 requires for If-None-Match.
func matches(header, tag string) bool {
	if header == "" {
		return false
	}
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
