package alerthttp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/g/p/alerts/notify.json":                                  "{g/p legacy false}",
		"/g/h/p/alerts/notify.json":                                "{g/h/p legacy false}",
		"/g/p/prometheus/alerts/notify.json":                       "{g/p legacy-metrics true}",
		"/g/h/p/alerts/notify/any-name/0123456789abcdef.json":      "{g/h/p 0123456789abcdef false}",
		"/g/p/alerts/notify/any-name/legacy.json":                  "{g/p legacy false}",
		"/g/p/alerts/notify/0123456789abcdef.json":                 "",
		"/g/p/alerts/notify":                                       "",
		"/p/alerts/notify.json":                                    "",
		"/api/v4/projects/alerts/notify.json":                      "",
		"/g/p/prometheus/alerts/notify/name/0123456789abcdef.json": "",
		"/g//p/alerts/notify.json":                                 "",
		"/g/p\x00/alerts/notify.json":                              "",
	} {
		r := &http.Request{Method: http.MethodPost, URL: httptest.NewRequest(http.MethodPost, "/", nil).URL}
		r.URL.Path = path
		got := ""
		if p, ok := find(r); ok {
			got = fmt.Sprint(p)
		}
		if got != want || Match(r) != (want != "") {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
		r.Method = http.MethodGet
		if Match(r) {
			t.Errorf("GET %q is taken", path)
		}
	}
}
