package web

import (
	"strings"
	"testing"

	"svc/tests/harness"
)

// Everybody can read the guides and the reference, without JavaScript and without an account.
func TestAnybodyReadsTheDocumentation(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	for path, texts := range map[string][]string{
		"/-/docs":               {"Documentation", "First steps", "Reference of the API", "Operate"},
		"/-/docs/settings":      {"Settings", "SVC_LISTEN", "Addresses and URLs"},
		"/-/docs/abilities":     {"update_issue", "Further rule"},
		"/-/docs/api":           {"Reference of the API", "User accounts."},
		"/-/docs/api/metadata":  {"getVersion", "GET /version", "Who may call it", "curl", h.URL + "/api/v4/version", "Answer: 200"},
		"/-/docs/search":        {"Type a word"},
		"/-/docs/search?q=fork": {"Search for “fork”", "Fork"},
	} {
		page := b.Get(path)
		for _, text := range texts {
			checkPage(t, page, 200, strings.SplitN(path, "?", 2)[0], text)
		}
		if strings.Contains(page.Body, "<!--") || strings.Contains(page.Body, ".md\"") {
			t.Errorf("%s shows comments or links to files", path)
		}
	}
	if page := b.Get("/-/docs/api/metadata"); !strings.Contains(page.Body, `href="/-/explorer/getVersion"`) ||
		!strings.Contains(page.Body, `<a href="/-/docs/api/metadata" aria-current="page">`) ||
		!strings.Contains(page.Body, `<li><a href="/-/docs/api">Reference</a></li>`) {
		t.Error("the page does not lead to the explorer, or does not say where it is")
	}
}

// A page is sent again only if it has changed.
func TestAPageOfTheDocumentationIsKept(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.Browser()
	first := b.Get("/-/docs/tokens")
	tag := first.Header.Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) || len(tag) < 10 {
		t.Fatalf("the tag is %q", tag)
	}
	if again := b.Send("GET", "/-/docs/tokens", "", "If-None-Match", tag); again.Status != 304 || again.Body != "" {
		t.Errorf("%d, %d bytes", again.Status, len(again.Body))
	}
	if other := b.Send("GET", "/-/docs/errors", "", "If-None-Match", tag); other.Status != 200 {
		t.Errorf("another page is answered %d", other.Status)
	}
	if head := h.Anonymous().Send("HEAD", "/-/docs/tokens", ""); head.Status != 200 || head.Header.Get("ETag") != tag || head.Body != "" {
		t.Errorf("HEAD is answered %d %v", head.Status, head.Header)
	}
	style := between(first.Body, `<link rel="stylesheet" href="/-/docs/assets/`, `"`)
	if asset := b.Get("/-/docs/assets/" + style); asset.Status != 200 ||
		asset.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("the style sheet is answered %d %v", asset.Status, asset.Header)
	}
}

// addressIn returns the first address in the source of a page that begins with a prefix.
func addressIn(t *testing.T, text, prefix string) string {
	t.Helper()
	if !strings.Contains(text, prefix) {
		t.Fatalf("no address begins with %q in %s", prefix, text)
	}
	return prefix + between(text, prefix, `"`)
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)
	return found
}

// Addresses of files, with a slash at the end, and of operations lead to their pages.
func TestOtherAddressesOfTheDocumentationLeadToIt(t *testing.T) {
	t.Parallel()
	b := harness.New(t).Browser()
	b.NoRedirects()
	for from, to := range map[string]string{
		"/-/docs/":                   "/-/docs",
		"/-/docs/settings.md":        "/-/docs/settings",
		"/-/docs/settings/":          "/-/docs/settings",
		"/-/docs/api/users.md":       "/-/docs/api/users",
		"/-/docs/api/README.md":      "/-/docs/api",
		"/-/docs/api/":               "/-/docs/api",
		"/-/docs/operations/getUser": "/-/docs/api/users#getuser",
		"/-/docs/operations/GETUSER": "/-/docs/api/users#getuser",
		"/-/docs/settings.md?x=1":    "/-/docs/settings?x=1",
	} {
		if page := b.Get(from); page.Status != 301 || page.Header.Get("Location") != to {
			t.Errorf("%s leads to %d %s, want %s", from, page.Status, page.Header.Get("Location"), to)
		}
	}
}

// A page that does not exist is a 404 that helps to go on.
func TestAMissingPageOfTheDocumentationHelps(t *testing.T) {
	t.Parallel()
	b := harness.New(t).Browser()
	for _, path := range []string{
		"/-/docs/setting-up-backups", "/-/docs/api/nothing", "/-/docs/../../go.mod", "/-/docs/%2e%2e/%2e%2e/go.mod",
		"/-/docs/nothing.md", "/-/docs/nothing/", "/-/docs/operations/nothing", "/-/docs/assets/0/docs.css", "/-/docs/api/%00",
	} {
		page := b.Get(path)
		checkPage(t, page, 404, "", "Page not found")
		if _, ok := page.Fields("/-/docs/search"); !ok {
			t.Errorf("%s has no search", path)
		}
	}
	checkPage(t, b.Get("/-/docs/setting-up-backups"), 404, "", "Back up and restore")
}

// What a visitor types is text, never part of the page.
func TestASearchShowsWhatWasTypedAsText(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b, anyone := h.Browser(), h.Anonymous() // the browser complains about words such as onfocus=, even in a text
	for _, query := range []string{
		"%3Cscript%3Ealert(1)%3C/script%3E", "%22%20autofocus%20onfocus=alert(1)%20x=%22", "%3Cimg%20src=x%20onerror=alert(1)%3E",
	} {
		page := anyone.Send("GET", "/-/docs/search?q="+query, "")
		if page.Status != 200 || strings.Contains(page.Body, "<script>") || strings.Contains(page.Body, "<img") ||
			strings.Contains(page.Body, `" autofocus`) {
			t.Errorf("%s is shown as %s", query, page.Body)
		}
	}
	missing := b.Get("/-/docs/%3Cscript%3Ealert(1)%3C%2Fscript%3E")
	if missing.Status != 404 || strings.Contains(missing.Body, "<script>") {
		t.Errorf("%d %s", missing.Status, missing.Body)
	}
	for _, query := range []string{"%ff%fe", "%00", "%25", strings.Repeat("a", 9000), strings.Repeat("merge+", 1500), "+++", "🙂"} {
		if page := b.Get("/-/docs/search?q=" + query); page.Status != 200 {
			t.Errorf("%.20s is answered %d", query, page.Status)
		}
	}
}
