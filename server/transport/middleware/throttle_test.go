package middleware

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/server/platform/reqctx"
	"svc/server/transport/middleware/limit"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
)

// day is a window whose end falls into a test once in a million runs.
const day = 24 * time.Hour

// asUser replaces authentication: the header User is the id of the caller.
func asUser(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if id, err := strconv.ParseInt(c.Request().Header.Get("User"), 10, 64); err == nil {
			actor := &reqctx.Actor{}
			actor.User.ID = id
			info(c).Actor = actor
		}
		return next(c)
	}
}

func throttled(t testing.TB, unauthenticated, authenticated int) *echo.Echo {
	t.Helper()
	throttles := Throttles{
		Limiter:         limit.New(storetest.New(t)),
		Unauthenticated: limit.Fixed(limit.Rule{Name: "throttle_unauthenticated_api", Max: unauthenticated, Window: day}),
		Authenticated:   limit.Fixed(limit.Rule{Name: "throttle_authenticated_api", Max: authenticated, Window: day}),
	}
	return server(t, throttles.Addresses, asUser, throttles.Users)
}

func rateHeaders(h http.Header) map[string]string {
	out := map[string]string{}
	for name := range h {
		if strings.HasPrefix(name, "Ratelimit-") || name == "Retry-After" {
			out[name] = h.Get(name)
		}
	}
	return out
}

func TestAThrottleTellsWhatIsLeftAndThenToRetryLater(t *testing.T) {
	t.Parallel()
	e := throttled(t, 2880, 0) // two per minute
	reset := time.Now().UTC().Truncate(day).Add(day)
	want := map[string]string{
		"Ratelimit-Limit": "2", "Ratelimit-Name": "throttle_unauthenticated_api", "Ratelimit-Observed": "1", "Ratelimit-Remaining": "2879",
		"Ratelimit-Reset": strconv.FormatInt(reset.Unix(), 10),
	}
	rec := ask(e, "GET", "/api/v4/open", "")
	wantAnswer(t, rec, 200, "getOpen")
	if diff := cmp.Diff(want, rateHeaders(rec.Header())); diff != "" {
		t.Errorf("headers:\n%s", diff)
	}
}

func TestOverTheThrottleTheAnswerIs429InPlainText(t *testing.T) {
	t.Parallel()
	e := throttled(t, 3, 0)
	for range 3 {
		wantAnswer(t, ask(e, "GET", "/api/v4/open", ""), 200, "getOpen")
	}
	reset := time.Now().UTC().Truncate(day).Add(day)
	rec := ask(e, "GET", "/api/v4/open", "")
	wantAnswer(t, rec, 429, "Retry later")
	if got := rec.Header().Get("Content-Type"); !strings.HasPrefix(got, "text/plain") {
		t.Errorf("Content-Type is %s", got)
	}
	h := rateHeaders(rec.Header())
	after, err := strconv.ParseInt(h["Retry-After"], 10, 64)
	if left := int64(time.Until(reset).Seconds()); err != nil || after < left || after > left+2 {
		t.Errorf("Retry-After is %s, %d seconds are left", h["Retry-After"], left)
	}
	delete(h, "Retry-After")
	want := map[string]string{
		"Ratelimit-Limit": "0", "Ratelimit-Name": "throttle_unauthenticated_api", "Ratelimit-Observed": "4", "Ratelimit-Remaining": "0",
		"Ratelimit-Reset": strconv.FormatInt(reset.Unix(), 10), "Ratelimit-Resettime": reset.Format(http.TimeFormat),
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Errorf("headers:\n%s", diff)
	}
}

func TestCallersAreThrottledByAddressOrByUser(t *testing.T) {
	t.Parallel()
	e := throttled(t, 1, 2)
	from := func(address string, headers ...string) int {
		r := httptest.NewRequest("GET", "/api/v4/open", nil)
		r.RemoteAddr = address
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		return serve(e, r).Code
	}
	steps := []struct {
		name string
		got  int
		want int
	}{
		{"an address", from("192.0.2.1:1"), 200},
		{"the same address, another port", from("192.0.2.1:2"), 429},
		{"another address", from("192.0.2.2:1"), 200},
		{"a user from that address", from("192.0.2.1:1", "PRIVATE-TOKEN", "x", "User", "7"), 200},
		{"the user from elsewhere", from("192.0.2.9:1", "PRIVATE-TOKEN", "x", "User", "7"), 200},
		{"the user once more", from("192.0.2.3:1", "PRIVATE-TOKEN", "x", "User", "7"), 429},
		{"another user", from("192.0.2.1:1", "PRIVATE-TOKEN", "x", "User", "8"), 200},
	}
	for _, s := range steps {
		if s.got != s.want {
			t.Errorf("%s: %d, want %d", s.name, s.got, s.want)
		}
	}
	for range 3 { // probes and pages are not throttled
		wantAnswer(t, ask(e, "GET", "/-/health", ""), 200, "getHealth")
	}
}

func TestThrottlesThatAreOffSayNothing(t *testing.T) {
	t.Parallel()
	e := throttled(t, 0, 0)
	for _, headers := range [][]string{nil, {"User", "7"}} {
		rec := ask(e, "GET", "/api/v4/open", "", headers...)
		wantAnswer(t, rec, 200, "getOpen")
		if got := rateHeaders(rec.Header()); len(got) != 0 {
			t.Errorf("headers are %v", got)
		}
	}
}

func TestAnOperationHoldsEachCallerToItsLimitByTheThingItNames(t *testing.T) {
	t.Parallel()
	ops := operations(t)
	for _, op := range ops.byRoute {
		op.operation().Limit.Window = day // instead of a minute, which may end in between
	}
	e := server(t, asUser, OperationLimit(ops, limit.New(storetest.New(t)), func() limit.Sizes { return limit.Sizes{"archive": 5} }, nil))
	const path = "/api/v4/things/a%2Fb/archive"
	archive := func(path string, headers ...string) *httptest.ResponseRecorder {
		return ask(e, "GET", path, "", headers...)
	}
	for range 5 {
		wantAnswer(t, archive(path, "User", "7"), 200, "getArchive")
	}
	over := archive("/api/v4/things/A%2FB/archive", "User", "7") // paths are case-insensitive
	wantAnswer(t, over, 429, `{"message":{"error":"This archive has been requested too many times. Try again later."}}`)
	if got := over.Header(); got.Get("Retry-After") == "" || got.Get("RateLimit-Name") != "archive" ||
		got.Get("RateLimit-Remaining") != "0" {
		t.Errorf("headers are %v", got)
	}
	wantAnswer(t, archive("/api/v4/things/other/archive", "User", "7"), 200, "getArchive")
	wantAnswer(t, archive(path, "User", "8"), 200, "getArchive")
	wantAnswer(t, archive(path), 200, "getArchive") // anonymous callers count by address
	for range 10 {
		wantAnswer(t, ask(e, "GET", "/api/v4/open", "", "User", "7"), 200, "getOpen")
	}
}
