package middleware

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

// minCompressed is the size from which a body is compressed. A smaller one fits into two packets anyway.
const minCompressed = 2 << 10

// compressedTypes are the kinds of bodies that become much smaller. Files of users are sent as they are.
var compressedTypes = map[string]bool{
	"application/json":       true,
	"application/yaml":       true,
	"application/javascript": true,
	"text/css":               true,
	"text/html":              true,
	"text/javascript":        true,
	"text/markdown":          true,
	"image/svg+xml":          true,
}

// encoder compresses one body. Reset begins the next one.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// encoders keeps the encoders of a coding for later bodies: a new one costs more than the compression of a list.
var encoders = map[string]*sync.Pool{
	"gzip": {New: func() any {
		e, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // the level is a constant
		}
		return e
	}},
	"zstd": {New: func() any {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options are constants
		}
		return e
	}},
}

// Compress sends JSON, pages and scripts compressed to clients that accept gzip or zstd.
func Compress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, res := c.Request(), c.Response()
		if r.Method == http.MethodHead {
			return next(c)
		}
		w := &compressWriter{ResponseWriter: res.Writer, coding: acceptedCoding(r.Header.Get(echo.HeaderAcceptEncoding))}
		res.Writer = w
		defer func() {
			res.Writer = w.ResponseWriter
			w.end()
		}()
		return next(c)
	}
}

// acceptedCoding returns the best coding that a client accepts: zstd, gzip or none.
func acceptedCoding(header string) string {
	best, weight := "", 0.0
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(part), ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "*" {
			name = "gzip"
		}
		if encoders[name] == nil {
			continue
		}
		q := 1.0
		if text, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q="); ok {
			var err error
			if q, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		if q > weight || q == weight && q > 0 && name == "zstd" {
			best, weight = name, q
		}
	}
	return best
}

// compressWriter decides with the first bytes of a body whether to compress it.
type compressWriter struct {
	http.ResponseWriter
	coding  string // empty if the client accepts none
	status  int
	held    []byte // the beginning of a body that may become large enough
	holding bool
	encoder encoder // nil for a body that is sent as it is
}

// WriteHeader waits with the header of a body that may be compressed.
func (w *compressWriter) WriteHeader(status int) {
	h := w.Header()
	kind, _, _ := strings.Cut(h.Get(echo.HeaderContentType), ";")
	tag := h.Get("ETag") // a strong one belongs to the exact bytes
	if !compressedTypes[kind] || h.Get(echo.HeaderContentEncoding) != "" || tag != "" && !strings.HasPrefix(tag, "W/") {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	size, err := strconv.Atoi(h.Get(echo.HeaderContentLength))
	hasBody := status >= http.StatusOK && status != http.StatusNoContent && status != http.StatusNotModified &&
		status != http.StatusPartialContent
	if w.coding == "" || !hasBody || err == nil && size < minCompressed {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.status, w.holding = status, true
}

// Write sends a part of the body.
func (w *compressWriter) Write(b []byte) (int, error) {
	switch {
	case w.encoder != nil:
		return w.encoder.Write(b)
	case !w.holding:
		return w.ResponseWriter.Write(b)
	case len(w.held)+len(b) < minCompressed:
		w.held = append(w.held, b...)
		return len(b), nil
	}
	w.compress()
	if len(w.held) > 0 {
		if _, err := w.encoder.Write(w.held); err != nil {
			return 0, err
		}
	}
	return w.encoder.Write(b)
}

// compress sends the header of a compressed body.
func (w *compressWriter) compress() {
	w.holding = false
	w.encoder, _ = encoders[w.coding].Get().(encoder)
	w.encoder.Reset(w.ResponseWriter)
	h := w.Header()
	h.Set(echo.HeaderContentEncoding, w.coding)
	h.Del(echo.HeaderContentLength)
	w.ResponseWriter.WriteHeader(w.status)
}

// release sends a body that is not compressed, as far as it is known.
func (w *compressWriter) release() {
	if !w.holding {
		return
	}
	w.holding = false
	w.ResponseWriter.WriteHeader(w.status)
	w.ResponseWriter.Write(w.held) //nolint:errcheck // the caller is gone
}

// Flush sends what is known now. The beginning of a stream is not compressed, because it may be short.
func (w *compressWriter) Flush() {
	w.release()
	if w.encoder != nil {
		w.encoder.Flush()
	}
	if f, ok := w.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *compressWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// end completes the body.
func (w *compressWriter) end() {
	w.release()
	if w.encoder == nil {
		return
	}
	w.encoder.Close()
	w.encoder.Reset(nil)
	encoders[w.coding].Put(w.encoder)
}
