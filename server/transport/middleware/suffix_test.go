package middleware

import (
	"testing"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

func TestAJSONSuffixIsDroppedWhereNoRouteHasIt(t *testing.T) {
	t.Parallel()
	e := server(t)
	e.Pre(Suffix(e))
	e.Any("/api/v3/*", func(echo.Context) error { return apierr.Gone("gone") })
	e.GET("/api/v4/texts/:name/raw", func(c echo.Context) error { return c.String(200, c.Param("name")) })
	const missing = `{"error":"404 Not Found"}`
	cases := []struct {
		name, method, path string
		status             int
		body               string
	}{
		{"plain", "GET", "/api/v4/open", 200, "getOpen"},
		{"suffix", "GET", "/api/v4/open.json", 200, "getOpen"},
		{"suffix with a query", "GET", "/api/v4/open.json?a=b.json", 200, "getOpen"},
		{"a route that has it", "GET", "/api/v4/export.json", 200, "getExport"},
		{"once only", "GET", "/api/v4/open.json.json", 404, missing},
		{"another suffix", "GET", "/api/v4/open.xml", 404, missing},
		{"nothing but the suffix", "GET", "/.json", 404, missing},
		{"an encoded slash before it", "GET", "/api/v4/texts/a%2Fb/raw.json", 200, "a%2Fb"},
		{"inside the path", "GET", "/api/v4/texts/a.json/raw", 200, "a.json"},
		{"another method, with a suffix", "POST", "/api/v4/open.json", 405, `{"error":"405 Not Allowed"}`},
		{"another method of a route that has it", "POST", "/api/v4/export.json", 405, `{"error":"405 Not Allowed"}`},
		{"version 3", "GET", "/api/v3/version", 410, `{"error":"gone"}`},
		{"version 3's user is version 4's", "GET", "/api/v3/user", 404, missing}, // this document has no /user
		{"but not to write", "POST", "/api/v3/user", 410, `{"error":"gone"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantAnswer(t, ask(e, c.method, c.path, ""), c.status, c.body)
		})
	}
}

func TestAnUnencodedSlashIsNoPartOfAParameter(t *testing.T) {
	t.Parallel()
	e := server(t, Exact(operations(t)))
	for path, want := range map[string]string{
		"/api/v4/things/7":              "getThing",
		"/api/v4/things/a%2Fb":          "getThing",
		"/api/v4/things/a/b":            "",
		"/api/v4/things/7/":             "",
		"/api/v4/things/a%2Fb/archive":  "getArchive",
		"/api/v4/things/a/b/archive":    "",
		"/api/v4/things/7/archive/more": "",
	} {
		status := 200
		if want == "" {
			status, want = 404, `{"error":"404 Not Found"}`
		}
		wantAnswer(t, ask(e, "GET", path, ""), status, want)
	}
}
