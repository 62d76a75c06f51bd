// Package web tests the pages as a browser sees them, over HTTP.
package web

import (
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// checkPage checks the status, the path and a text of a page. An empty path matches any.
func checkPage(t *testing.T, p harness.Page, status int, path, text string) {
	t.Helper()
	if p.Status != status || (path != "" && p.URL.Path != path) || !strings.Contains(p.Text(), text) {
		t.Errorf("the page is %d %s, want %d %s with %q:\n%s", p.Status, p.URL, status, path, text, p.Text())
	}
}

// id returns a user's id as text.
func id(u model.User) string { return strconv.FormatInt(u.ID, 10) }
