package web

import (
	"crypto/ed25519"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"svc/store"
	"svc/tests/harness"

	"golang.org/x/crypto/ssh"
)

// openPage opens a page that must exist, and checks how many statements it takes, the session included. A page without rows and one
// with many must stay below the same limit.
func openPage(t *testing.T, h *harness.H, b *harness.Browser, path string, statements int64) harness.Page {
	t.Helper()
	page, n := counted(h, b, path)
	for try := 0; n > statements && try < 9; try++ { // background jobs, for example after a push, also make statements
		_, n = counted(h, b, path)
	}
	if n > statements {
		t.Errorf("%s takes %d statements, at most %d are allowed", path, n, statements)
	}
	if page.Status != 200 {
		t.Errorf("%s answers %d:\n%s", path, page.Status, page.Text())
	}
	return page
}

// counted opens a page, and returns how many statements were made meanwhile.
func counted(h *harness.H, b *harness.Browser, path string) (harness.Page, int64) {
	before := h.Store.Statements()
	page := b.Get(path)
	return page, h.Store.Statements() - before
}

// hidden checks that a page does not exist for a browser, in the same way as one that never existed.
func hidden(t *testing.T, b *harness.Browser, path string) {
	t.Helper()
	page, missing := b.Get(path), b.Get("/no-such-group/no-such-project")
	if page.Status != 404 || page.Text() != missing.Text() {
		t.Errorf("%s answers %d, not like a missing page:\n%s", path, page.Status, page.Text())
	}
}

// again sends a form of a page that the browser has left, with the token of its session.
func again(b *harness.Browser, action string, fields url.Values) harness.Page {
	if token, ok := b.Page.Fields("/users/sign_out"); ok {
		fields.Set("authenticity_token", token.Get("authenticity_token"))
	}
	return b.Post(action, fields)
}

// storePage is a page of rows that is large enough for every test.
var storePage = store.Page{Limit: 100}

// valueOf returns the value of the input of a page that has an attribute.
func valueOf(p harness.Page, attribute string) string {
	_, rest, _ := strings.Cut(p.Body, attribute)
	_, rest, _ = strings.Cut(rest, `value="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// actionOf returns the action of the first form of a page whose action begins with a prefix.
func actionOf(p harness.Page, prefix string) string {
	_, rest, _ := strings.Cut(p.Body, `action="`+prefix)
	rest, _, _ = strings.Cut(rest, `"`)
	return prefix + rest
}

// sshKey returns a new public key for SSH.
func sshKey(t *testing.T) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}

// formOf returns the fields of a form on a page, with one field changed.
func formOf(t *testing.T, page harness.Page, action, name, value string) url.Values {
	t.Helper()
	fields, ok := page.Fields(action)
	if !ok {
		t.Fatalf("%s has no form for %s", page.URL, action)
	}
	fields.Set(name, value)
	return fields
}
