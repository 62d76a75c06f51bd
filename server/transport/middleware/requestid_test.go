package middleware

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"

	"svc/server/platform/reqctx"

	"github.com/labstack/echo/v4"
)

func TestTheCallersAddressIsTheNearestThatIsNoTrustedProxy(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	cases := []struct {
		name, remote string
		forwarded    []string
		want         string
	}{
		{"no proxy", "203.0.113.9:1234", nil, "203.0.113.9"},
		{"no proxy, IPv6", "[2001:db8::1]:1234", nil, "2001:db8::1"},
		{"IPv4 in IPv6", "[::ffff:203.0.113.9]:1234", nil, "203.0.113.9"},
		{"who is no proxy is not believed", "203.0.113.9:1234", []string{"198.51.100.1"}, "203.0.113.9"},
		{"not even about a proxy", "203.0.113.9:1234", []string{"10.0.0.1"}, "203.0.113.9"},
		{"one proxy", "10.0.0.1:1234", []string{"198.51.100.1"}, "198.51.100.1"},
		{"an IPv6 proxy", "[fd00::1]:1234", []string{"2001:db8::7"}, "2001:db8::7"},
		{"two proxies", "10.0.0.1:1234", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"what the caller wrote before is not believed", "10.0.0.1:1234", []string{"127.0.0.1, 198.51.100.1"}, "198.51.100.1"},
		{"nor a proxy of ours that the caller names", "10.0.0.1:1234", []string{"10.0.0.9, 198.51.100.1"}, "198.51.100.1"},
		{"several headers are one list", "10.0.0.1:1234", []string{"127.0.0.1", "198.51.100.1", "10.0.0.2"}, "198.51.100.1"},
		{"IPv4 in IPv6 behind a proxy", "10.0.0.1:1234", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"proxies only", "10.0.0.1:1234", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"no header", "10.0.0.1:1234", nil, "10.0.0.1"},
		{"nonsense", "10.0.0.1:1234", []string{"nonsense"}, "10.0.0.1"},
		{"nonsense ends the list", "10.0.0.1:1234", []string{"198.51.100.1, nonsense, 10.0.0.2"}, "10.0.0.2"},
		{"empty", "10.0.0.1:1234", []string{""}, "10.0.0.1"},
		{"commas", "10.0.0.1:1234", []string{",,,"}, "10.0.0.1"},
		{"spaces", "10.0.0.1:1234", []string{"  198.51.100.1  "}, "198.51.100.1"},
		{"a name in place of an address", "10.0.0.1:1234", []string{"localhost"}, "10.0.0.1"},
		{"very long", "10.0.0.1:1234", []string{strings.Repeat("198.51.100.1,", 10000) + "198.51.100.2"}, "198.51.100.2"},
		{"no address at all", "@", nil, "invalid IP"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := clientIP(c.remote, http.Header{"X-Forwarded-For": c.forwarded}, proxies).String(); got != c.want {
				t.Errorf("address is %s, want %s", got, c.want)
			}
		})
	}
}

func TestOnlyAHarmlessIDIsTakenFromTheCaller(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"01HF5ZK3": true, "5b2d-4b5e_a.b": true, strings.Repeat("a", 128): true,
		"": false, strings.Repeat("a", 129): false, "a b": false, "a\nb": false, "a\x00": false, "ä": false,
		"<script>": false, `a"b`: false, "a/b": false,
	} {
		if got := goodID(id); got != want {
			t.Errorf("%q is taken: %v, want %v", id, got, want)
		}
	}
}

func TestEveryRequestHasAnIDAndItsPlaceInTheContext(t *testing.T) {
	t.Parallel()
	e := echo.New()
	e.Use(Begin("https://svc.example.com", nil))
	var seen *reqctx.Info
	e.GET("/x", func(c echo.Context) error {
		seen = reqctx.Of(c.Request().Context())
		return c.NoContent(http.StatusOK)
	})
	rec := ask(e, "GET", "/x?a=b", "")
	made := rec.Header().Get("X-Request-Id")
	if !regexp.MustCompile(`\A[0-9a-z]{26}\z`).MatchString(made) || seen.ID != made {
		t.Errorf("id is %q, in the context %q", made, seen.ID)
	}
	if seen.BaseURL != "https://svc.example.com" || seen.URL.RequestURI() != "/x?a=b" || seen.Start.IsZero() ||
		seen.IP.String() != "192.0.2.1" {
		t.Errorf("context has %+v", seen)
	}
	if got := ask(e, "GET", "/x", "", "X-Request-Id", "from-the-runner").Header().Get("X-Request-Id"); got != "from-the-runner" {
		t.Errorf("the caller's id came back as %q", got)
	}
	if got := ask(e, "GET", "/x", "", "X-Request-Id", "a b").Header().Get("X-Request-Id"); got == "a b" {
		t.Error("a bad id came back")
	}
}

func TestIDsAreNeverRepeated(t *testing.T) {
	t.Parallel()
	made, other := newIDs(), newIDs()
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for i := range 8 {
		from := made
		if i%2 == 1 {
			from = other
		}
		wg.Go(func() {
			for range 1000 {
				id := from.next()
				mu.Lock()
				if seen[id] {
					t.Errorf("%s was made twice", id)
				}
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestAPanicBecomesAnErrorOfThatRequestOnly(t *testing.T) {
	t.Parallel()
	e := server(t, Recover)
	e.GET("/panic", func(echo.Context) error { panic("the database's password is 1234") })
	rec := ask(e, "GET", "/panic", "", "X-Request-Id", "the-id")
	wantAnswer(t, rec, 500, `{"message":"500 Internal Server Error","request_id":"the-id"}`)
	wantAnswer(t, ask(e, "GET", "/api/v4/open", ""), 200, "getOpen")

	e.GET("/abort", func(echo.Context) error { panic(http.ErrAbortHandler) })
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // what net/http looks for
			t.Errorf("recovered %v: net/http must end the connection", p)
		}
	}()
	e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/abort", nil))
}
