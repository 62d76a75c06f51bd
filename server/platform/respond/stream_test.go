package respond

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"svc/server/platform/reqctx"
)

// request returns the context of a request with the given headers, as name and value in turn.
func request(method string, headers ...string) context.Context {
	info := &reqctx.Info{Method: method, Header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		info.Header.Set(headers[i], headers[i+1])
	}
	return reqctx.With(context.Background(), info)
}

const text = "0123456789"

// files are a stream of each kind with the same content.
func files() map[string]Stream {
	whole := Stream{Type: "text/plain", CacheControl: NoCache, ETag: `"a"`, Size: int64(len(text)), Write: Bytes([]byte(text))}
	ranges, unknown := whole, whole
	ranges.Open = func(offset, length int64) (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(strings.NewReader(text), offset, length)), nil
	}
	unknown.Size = Unknown
	return map[string]Stream{"whole": whole, "ranges": ranges, "unknown": unknown}
}

func send(t *testing.T, s Stream, method string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	s.Context = request(method, headers...)
	w := httptest.NewRecorder()
	if err := s.Send(w); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAFileIsSentUnlessTheClientHasItOrAsksForHeadersOnly(t *testing.T) {
	t.Parallel()
	for name, s := range files() {
		whole := send(t, s, "GET", "If-None-Match", `"b"`)
		if whole.Code != 200 || whole.Body.String() != text || whole.Header().Get("ETag") != `"a"` {
			t.Errorf("%s: GET gives %d %q %v", name, whole.Code, whole.Body, whole.Header())
		}
		head := send(t, s, "HEAD")
		if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != whole.Header().Get("Content-Length") {
			t.Errorf("%s: HEAD gives %d %q %v", name, head.Code, head.Body, head.Header())
		}
		for _, match := range []string{`"a"`, `"x", W/"a"`, "*"} {
			known := send(t, s, "GET", "If-None-Match", match)
			if known.Code != 304 || known.Body.Len() != 0 || len(known.Header()) != 2 {
				t.Errorf("%s: %s gives %d %q %v", name, match, known.Code, known.Body, known.Header())
			}
		}
	}
}

func TestARangeIsSentOnlyOfTheVersionThatTheClientHas(t *testing.T) {
	t.Parallel()
	s := files()["ranges"]
	part := send(t, s, "GET", "Range", "bytes=2-4", "If-Range", `"a"`)
	if part.Code != 206 || part.Body.String() != "234" || part.Header().Get("Content-Range") != "bytes 2-4/10" {
		t.Errorf("got %d %q %v", part.Code, part.Body, part.Header())
	}
	other := send(t, s, "GET", "Range", "bytes=2-4", "If-Range", `"b"`)
	if other.Code != 200 || other.Body.String() != text {
		t.Errorf("another version: got %d %q", other.Code, other.Body)
	}
	s.Context = request("GET", "Range", "bytes=10-")
	if err := s.Send(httptest.NewRecorder()); err == nil {
		t.Error("a range after the end must be refused")
	}
}

func TestAStreamOfUnknownSizeFailsBeforeItsFirstByteOrBreaksTheConnection(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	s := files()["unknown"]
	s.Context = request("GET")
	s.Write = func(io.Writer) error { return failed }
	w := httptest.NewRecorder()
	if err := s.Send(w); !errors.Is(err, failed) || len(w.Header()) != 0 {
		t.Errorf("got %v, %v", err, w.Header())
	}
	s.Write = func(to io.Writer) error {
		_, _ = io.WriteString(to, "0")
		return failed
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // a sentinel that net/http compares, too
			t.Errorf("the connection is not broken: %v", p)
		}
	}()
	_ = s.Send(httptest.NewRecorder())
}
