package docs

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

const document = `{
  "tags": [{"name": "bees", "x-displayName": "Bees", "description": "Bees of a hive."}],
  "paths": {"/hives/{id}/bees": {"get": {
    "tags": ["bees"], "operationId": "listHiveBees", "summary": "List the bees of a hive.", "security": [{}], "x-ability": "read_bee",
    "responses": {"200": {"description": "The bees."}}}}}}`

func get(t *testing.T, h *Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	if err := h.Serve(w, httptest.NewRequest("GET", path, nil)); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTheReferenceIsRenderedFromTheDocument(t *testing.T) {
	t.Parallel()
	h := New(Options{Document: []byte(document), URL: "https://svc.test", Style: "/style.css", Icon: "/icon.svg"})
	page := get(t, h, "/-/docs/api/bees")
	for _, want := range []string{
		`<h2 id="listhivebees">`, `href="/-/explorer/listHiveBees"`, `curl 'https://svc.test/api/v4/hives/{id}/bees'`,
		`<a href="/-/docs/api/bees" aria-current="page">Bees</a>`, `href="/style.css"`,
	} {
		if page.Code != 200 || !strings.Contains(strings.ReplaceAll(page.Body.String(), " --globoff", ""), want) {
			t.Errorf("%d: there is no %s in %s", page.Code, want, page.Body)
		}
	}
	if again := get(t, h, "/-/docs/api/bees"); again.Body.String() != page.Body.String() {
		t.Error("the page changes")
	}
	for _, query := range []string{"bee", "bees", "hive bees", "listHiveBees", "list hive", "/hives/", "how do i list bees"} {
		found := get(t, h, "/-/docs/search?q="+strings.ReplaceAll(query, " ", "+")).Body.String()
		_, first, _ := strings.Cut(found, `<ol class="results">`)
		if !strings.HasPrefix(strings.TrimSpace(first), `<li><a href="/-/docs/api/bees#listhivebees">`) {
			t.Errorf("%s is not found first: %.300s", query, first)
		}
	}
}

func TestTheConfigurationOfTheSmallGoClientIsServed(t *testing.T) {
	t.Parallel()
	file := get(t, New(Options{Document: []byte(document)}), "/-/docs/go-client.yaml")
	if file.Code != 200 || file.Header().Get("Content-Type") != "application/yaml" ||
		!strings.Contains(file.Body.String(), "client.tmpl: |") {
		t.Errorf("%d: %v, %.200s", file.Code, file.Header(), file.Body)
	}
}

func TestTheSchemaOfFixturesIsServed(t *testing.T) {
	t.Parallel()
	given := Options{Document: []byte(document), Fixtures: []byte(`{"title":"Fixtures of svc"}`)}
	file := get(t, New(given), "/-/docs/fixtures.schema.json")
	if file.Code != 200 || file.Header().Get("Content-Type") != "application/schema+json" ||
		!strings.Contains(file.Body.String(), `"Fixtures of svc"`) {
		t.Errorf("%d: %v, %.200s", file.Code, file.Header(), file.Body)
	}
}

func TestPagesThatDoNotExistAreNotKept(t *testing.T) {
	t.Parallel()
	h := New(Options{Document: []byte(document)})
	for _, path := range []string{"/-/docs/x", "/-/docs/search?q=x", "/-/docs/api/x"} {
		get(t, h, path)
	}
	if len(h.pages) != 0 {
		t.Errorf("%d pages are kept", len(h.pages))
	}
}

func TestABrokenDocumentIsAnError(t *testing.T) {
	t.Parallel()
	if err := New(Options{Document: []byte("[]")}).Serve(httptest.NewRecorder(), httptest.NewRequest("GET", "/-/docs", nil)); err == nil {
		t.Error("there is no error")
	}
}

func TestWordsAreComparedInOneForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"mergeProjectMergeRequest": {"merge", "project", "merge", "request"},
		"Access tokens, policies!": {"access", "token", "policy"},
		"X-Error-Code commit_ids":  {"x", "error", "code", "commit", "id"},
		"/projects/{id}/OAuth2":    {"project", "id", "oauth2"},
		"":                         nil,
	} {
		if got := words(text); !slices.Equal(got, want) {
			t.Errorf("%q has the words %v, want %v", text, got, want)
		}
	}
}

func TestLinksLeadToPages(t *testing.T) {
	t.Parallel()
	c, err := newContent(Options{Document: []byte(document)})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []struct{ folder, address, want string }{
		{"", "settings.md#sites", "/-/docs/settings#sites"},
		{"", "api/bees.md#listhivebees", "/-/docs/api/bees#listhivebees"},
		{"", "api/", "/-/docs/api"},
		{"", "../README.md", "/-/docs"},
		{"", "../SECURITY.md", ""},
		{"", "nothing.md", ""},
		{"", "#here", "#here"},
		{"", "https://example.com/a.md#b", "https://example.com/a.md#b"},
		{"api", "../tokens.md", "/-/docs/tokens"},
		{"api", "bees.md", "/-/docs/api/bees"},
		{"api", "README.md", "/-/docs/api"},
		{"api", "../../README.md", "/-/docs"},
		{"api", "/-/explorer/x", "/-/explorer/x"},
	} {
		if got := c.linksFrom(l.folder)(l.address); got != l.want {
			t.Errorf("%s in %q leads to %q, want %q", l.address, l.folder, got, l.want)
		}
	}
}

func TestAnExcerptShowsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("nothing here ", 40) + "but a needle is " + strings.Repeat("in the hay ", 40)
	got := excerpt(long, []string{"needle"})
	if !strings.Contains(got, "needle") || !strings.HasPrefix(got, "… ") || !strings.HasSuffix(got, " …") || len(got) > maxExcerpt+10 {
		t.Errorf("the excerpt is %q", got)
	}
}
