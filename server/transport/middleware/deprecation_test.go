package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"svc/server/platform/apierr"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"
)

// aging is a document with something deprecated in each place.
const aging = `{"servers": [{"url": "/api/v4"}], "paths": {
	"/old": {"get": {"operationId": "listOld", "tags": ["things"], "security": [{}], "deprecated": true,
		"x-deprecated-since": "2026-01-02", "x-sunset": "2027-03-04"}},
	"/things": {
		"get": {"operationId": "listThings", "tags": ["things"], "security": [{}], "parameters": [
			{"name": "scope", "in": "query", "deprecated": true, "x-deprecated-since": "2026-01-03",
				"schema": {"type": "string", "enum": ["a"]}},
			{"name": "type", "in": "query", "schema": {"type": "string"}}]},
		"post": {"operationId": "createThing", "tags": ["things"], "security": [{}],
			"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {
				"active": {"type": "boolean", "deprecated": true, "x-deprecated-since": "2026-01-04"},
				"paused": {"type": "boolean"}}}}}}}}}}`

// agingServer answers like a list, or with 403 if the header Refuse is sent.
func agingServer(t *testing.T) *echo.Echo {
	t.Helper()
	ops, err := LoadOperations([]byte(aging))
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	e.HTTPErrorHandler = WriteError(quietLogger(), ops, nil)
	e.Use(Begin("https://svc.example.com", nil), Deprecation(ops), Fold(ops, time.Minute), Validate(ops), ETag)
	answer := func(c echo.Context) error {
		if c.Request().Header.Get("Refuse") != "" {
			return apierr.Forbidden()
		}
		c.Response().Header().Set("Link", `<https://svc.example.com/2>; rel="next"`)
		return c.JSON(http.StatusOK, []string{})
	}
	for key := range ops.byRoute {
		e.Add(key.method, key.path, answer)
	}
	return e
}

func TestWhatIsDeprecatedIsAnnouncedInHeaders(t *testing.T) {
	t.Parallel()
	e := agingServer(t)
	day := func(n int) string {
		return "@" + map[int]string{2: "1767312000", 3: "1767398400", 4: "1767484800"}[n]
	}
	const next, page = `<https://svc.example.com/2>; rel="next"`, "https://svc.example.com/-/docs/api/things#"
	about := func(id string) string { return "<" + page + id + `>; rel="deprecation"; type="text/html"` }
	const sunset = "Thu, 04 Mar 2027 00:00:00 GMT"
	for name, c := range map[string]struct {
		rec         *httptest.ResponseRecorder
		status      int
		deprecation string
		sunset      string
		links       []string
	}{
		"an ordinary request":          {ask(e, "GET", "/api/v4/things?type=a", ""), 200, "", "", []string{next}},
		"an operation":                 {ask(e, "GET", "/api/v4/old", ""), 200, day(2), sunset, []string{next, about("listold")}},
		"an operation that is refused": {ask(e, "GET", "/api/v4/old", "", "Refuse", "1"), 403, day(2), sunset, []string{about("listold")}},
		"a parameter":                  {ask(e, "GET", "/api/v4/things?scope=a", ""), 200, day(3), "", []string{next, about("listthings")}},
		"a wrong parameter":            {ask(e, "GET", "/api/v4/things?scope=x", ""), 400, day(3), "", []string{about("listthings")}},
		"a member": {
			ask(e, "POST", "/api/v4/things", `{"active": false}`, "Content-Type", "application/json"),
			200, day(4), "",
			[]string{next, about("creatething")},
		},
		"another member": {
			ask(e, "POST", "/api/v4/things", `{"paused": true}`, "Content-Type", "application/json"), 200, "", "", []string{next},
		},
	} {
		h := c.rec.Header()
		if c.rec.Code != c.status || h.Get("Deprecation") != c.deprecation || h.Get("Sunset") != c.sunset {
			t.Errorf("%s: %d, Deprecation %q, Sunset %q", name, c.rec.Code, h.Get("Deprecation"), h.Get("Sunset"))
		}
		if diff := cmp.Diff(c.links, h.Values("Link")); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestARepeatedReadOfSomethingDeprecatedSaysSoToo(t *testing.T) {
	t.Parallel()
	e := agingServer(t)
	tag := ask(e, "GET", "/api/v4/old", "").Header().Get("ETag")
	rec := ask(e, "GET", "/api/v4/old", "", "If-None-Match", tag)
	if rec.Code != http.StatusNotModified || rec.Header().Get("Deprecation") == "" {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
}

func TestADeprecationWithoutADayIsAMistakeInTheDocument(t *testing.T) {
	t.Parallel()
	ops, err := LoadOperations([]byte(`{"servers": [{"url": "/"}], "paths": {"/a": {"get": {"operationId": "a", "security": [{}],
		"deprecated": true}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if ops.Check() == nil {
		t.Error("no error")
	}
}
