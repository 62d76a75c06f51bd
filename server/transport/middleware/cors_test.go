package middleware

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
)

// corsHeaders returns the CORS headers of a response.
func corsHeaders(h http.Header) map[string]string {
	out := map[string]string{}
	for name := range h {
		if rest, ok := strings.CutPrefix(name, "Access-Control-"); ok {
			out[rest] = h.Get(name)
		}
	}
	return out
}

func TestAnyOriginMayCallWithATokenAndOnlyOursWithTheCookie(t *testing.T) {
	t.Parallel()
	e := server(t, CORS("https://svc.example.com/base"))
	cases := []struct {
		name, method, path string
		headers            []string
		status             int
		want               map[string]string
	}{
		{"no origin", "GET", "/api/v4/open", nil, 200, map[string]string{}},
		{
			"another origin", "GET", "/api/v4/open",
			[]string{"Origin", "https://evil.example"},
			200,
			map[string]string{"Allow-Origin": "*", "Expose-Headers": corsExposed},
		},
		{
			"an origin that begins like ours", "GET", "/api/v4/open",
			[]string{"Origin", "https://svc.example.com.evil.example"},
			200,
			map[string]string{"Allow-Origin": "*", "Expose-Headers": corsExposed},
		},
		{
			"the same host without TLS", "GET", "/api/v4/open",
			[]string{"Origin", "http://svc.example.com"},
			200,
			map[string]string{"Allow-Origin": "*", "Expose-Headers": corsExposed},
		},
		{
			"our origin", "GET", "/api/v4/open",
			[]string{"Origin", "https://svc.example.com"},
			200,
			map[string]string{"Allow-Origin": "https://svc.example.com", "Allow-Credentials": "true", "Expose-Headers": corsExposed},
		},
		{
			"a preflight", "OPTIONS", "/api/v4/things/1",
			[]string{
				"Origin", "https://evil.example", "Access-Control-Request-Method", "PUT",
				"Access-Control-Request-Headers", "private-token, x-any",
			},
			204,
			map[string]string{
				"Allow-Origin": "*", "Allow-Methods": corsMethods, "Allow-Headers": "private-token, x-any",
				"Max-Age": "7200",
			},
		},
		{
			"a preflight of ours", "OPTIONS", "/api/v4/things/1",
			[]string{"Origin", "https://svc.example.com", "Access-Control-Request-Method", "PUT"},
			204,
			map[string]string{
				"Allow-Origin": "https://svc.example.com", "Allow-Credentials": "true", "Allow-Methods": corsMethods,
				"Max-Age": "7200",
			},
		},
		{
			"OPTIONS that is no preflight", "OPTIONS", "/api/v4/open",
			[]string{"Origin", "https://evil.example"},
			204,
			map[string]string{"Allow-Origin": "*", "Expose-Headers": corsExposed},
		},
		{
			"an error", "GET", "/api/v4/nowhere",
			[]string{"Origin", "https://evil.example"},
			404,
			map[string]string{"Allow-Origin": "*", "Expose-Headers": corsExposed},
		},
		{"what is not the API", "GET", "/-/health", []string{"Origin", "https://svc.example.com"}, 200, map[string]string{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rec := ask(e, c.method, c.path, "", c.headers...)
			if rec.Code != c.status {
				t.Errorf("status is %d, want %d", rec.Code, c.status)
			}
			if diff := cmp.Diff(c.want, corsHeaders(rec.Header())); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, name := range []string{
		"ETag", "Link", "X-Request-Id", "X-Next-Page", "X-Page", "X-Per-Page", "X-Prev-Page", "X-Total",
		"X-Total-Pages",
	} {
		if !strings.Contains(corsExposed, name) {
			t.Errorf("%s is not exposed", name)
		}
	}
}

func TestEveryAnswerHasTheSecurityHeaders(t *testing.T) {
	t.Parallel()
	e := server(t, Secure)
	e.GET("/cached", func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "max-age=60")
		return c.NoContent(http.StatusOK)
	})
	for path, cache := range map[string]string{"/api/v4/open": "no-cache", "/nowhere": "no-cache", "/cached": "max-age=60"} {
		h := ask(e, "GET", path, "").Header()
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN", "Vary": "Origin", "Cache-Control": cache,
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if runtime := h.Get("X-Runtime"); len(runtime) != len("0.000000") {
			t.Errorf("%s: X-Runtime is %q", path, runtime)
		}
	}
}

func TestOverlongURLsAndBodiesAreRefused(t *testing.T) {
	t.Parallel()
	e := server(t, Size(operations(t)))
	e.PUT("/api/v4/things/:id", func(c echo.Context) error { // reads the whole body
		var buf strings.Builder
		for b := make([]byte, 64); ; {
			n, err := c.Request().Body.Read(b)
			buf.Write(b[:n])
			if err != nil && err.Error() != "EOF" {
				return err
			}
			if err != nil {
				return c.String(http.StatusOK, buf.String())
			}
		}
	})
	long := "/api/v4/open?a=" + strings.Repeat("a", MaxURI)
	wantAnswer(t, ask(e, "GET", long, ""), 414, `{"message":"414 Request-URI Too Large"}`)
	wantAnswer(t, ask(e, "GET", long[:MaxURI], ""), 200, "getOpen")
	wantAnswer(t, ask(e, "GET", long[:MaxURI+1], ""), 414, `{"message":"414 Request-URI Too Large"}`)

	const large = `{"message":"413 Request Entity Too Large"}`
	wantAnswer(t, ask(e, "PUT", "/api/v4/things/1", strings.Repeat("a", 100)), 200, strings.Repeat("a", 100)) // x-max-body
	rec := ask(e, "PUT", "/api/v4/things/1", strings.Repeat("a", 101))
	wantAnswer(t, rec, 413, large)
	if rec.Header().Get("Connection") != "close" {
		t.Error("the rest of the body is waited for")
	}
	for size, want := range map[int]int{100: 200, 101: 413} { // a body of unknown length is measured while it is read
		r, err := http.NewRequest("PUT", "/api/v4/things/1", struct{ *strings.Reader }{strings.NewReader(strings.Repeat("a", size))})
		if err != nil {
			t.Fatal(err)
		}
		if rec := serve(e, r); rec.Code != want {
			t.Errorf("%d bytes in chunks are answered %d, want %d", size, rec.Code, want)
		}
	}
}
