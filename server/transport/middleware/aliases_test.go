package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
)

func TestAliasesBecomeTheAddressesOfTheDocument(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"/api/v4/groups/7/-/search":                   "/api/v4/groups/7/search",
		"/api/v4/projects/acme%2Fweb/-/search":        "/api/v4/projects/acme%2Fweb/search",
		"/api/v4/projects/7/-/search/x":               "/api/v4/projects/7/-/search/x",
		"/acme/web/-/search":                          "/acme/web/-/search",
		"/api/v4/templates/svc_ci_ymls":               "/api/v4/templates/gitlab_ci_ymls",
		"/api/v4/projects/7/templates/svc_ci_ymls/Go": "/api/v4/projects/7/templates/gitlab_ci_ymls/Go",
	} {
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, from, nil), httptest.NewRecorder())
		if err := Aliases(func(echo.Context) error { return nil })(c); err != nil || c.Request().URL.EscapedPath() != want {
			t.Errorf("%s becomes %s, want %s (%v)", from, c.Request().URL.EscapedPath(), want, err)
		}
	}
}
