package contract

import (
	"html"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/transport/docs"
)

var (
	hrefs   = regexp.MustCompile(`\shref="([^"]*)"`)
	ids     = regexp.MustCompile(`\sid="([^"]*)"`)
	allDocs = sync.OnceValue(crawl)
)

// renderedPage is a page as a browser gets it.
type renderedPage struct {
	status int
	body   string
	ids    map[string]bool
}

// crawl opens the start page of the documentation and everything that it leads to.
func crawl() map[string]renderedPage {
	h := docs.New(docs.Options{Document: gen.SpecJSON, URL: "https://svc.example.com", WhoMay: access.WhoMay})
	pages := map[string]renderedPage{}
	for next := []string{docs.Root}; len(next) > 0; next = next[1:] {
		path := next[0]
		if _, ok := pages[path]; ok {
			continue
		}
		w := httptest.NewRecorder()
		if err := h.Serve(w, httptest.NewRequest("GET", path, nil)); err != nil {
			panic(err)
		}
		p := renderedPage{status: w.Code, body: w.Body.String(), ids: map[string]bool{}}
		for _, m := range ids.FindAllStringSubmatch(p.body, -1) {
			p.ids[html.UnescapeString(m[1])] = true
		}
		pages[path] = p
		for _, m := range hrefs.FindAllStringSubmatch(p.body, -1) {
			to, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			if strings.HasPrefix(to, docs.Root) && !strings.Contains(to, "/search?") {
				next = append(next, to)
			}
		}
	}
	return pages
}

// Every link between pages of the documentation leads to a page and an anchor that exist.
func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	t.Parallel()
	pages := allDocs()
	if len(pages) < 80 {
		t.Fatalf("only %d pages were found", len(pages))
	}
	for from, p := range pages {
		if p.status != 200 {
			t.Errorf("%s is answered %d", from, p.status)
		}
		for _, m := range hrefs.FindAllStringSubmatch(p.body, -1) {
			address := html.UnescapeString(m[1])
			to, anchor, _ := strings.Cut(address, "#")
			switch {
			case to == "":
				to = from
			case strings.HasPrefix(to, docs.Root+"/search?") || strings.HasPrefix(to, docs.Root+"/assets/"):
				continue
			case strings.HasSuffix(to, ".md") || !strings.HasPrefix(to, "/") && !strings.Contains(to, ":"):
				t.Errorf("%s links to %s, which was not made a link between pages", from, address)
				continue
			case !strings.HasPrefix(to, docs.Root):
				continue
			}
			if anchor != "" && !pages[to].ids[anchor] {
				t.Errorf("%s links to %s, but there is no such anchor", from, address)
			}
		}
	}
}

// Pages are small, have one heading and no anchor twice, and show every operation once.
func TestPagesOfTheDocumentationAreSound(t *testing.T) {
	t.Parallel()
	operations := map[string]int{}
	for path, p := range allDocs() {
		if strings.Contains(path, "/assets/") {
			continue
		}
		if len(p.body) >= maxDocument {
			t.Errorf("%s has %d bytes", path, len(p.body))
		}
		if n := strings.Count(p.body, "<h1"); n != 1 {
			t.Errorf("%s has %d headings", path, n)
		}
		if found := len(ids.FindAllString(p.body, -1)); found != len(p.ids) {
			t.Errorf("%s has %d anchors, but only %d different ones", path, found, len(p.ids))
		}
		if twice := regexp.MustCompile(`\sid="[a-z]+-1"`).FindString(p.body); twice != "" && strings.HasPrefix(path, docs.Root+"/api") {
			t.Errorf("%s has two headings of the same name:%s", path, twice)
		}
		for _, m := range regexp.MustCompile(`href="/-/explorer/([^"]+)"`).FindAllStringSubmatch(p.body, -1) {
			operations[m[1]]++
		}
	}
	for _, item := range readDocument(t).Paths {
		for _, raw := range item {
			if m := regexp.MustCompile(`"operationId":\s*"([^"]+)"`).FindSubmatch(raw); m != nil && operations[string(m[1])] != 1 {
				t.Errorf("%s is shown %d times", m[1], operations[string(m[1])])
			}
		}
	}
}

// A stranger finds operations and guides by a word.
func TestASearchFindsWhatAStrangerLooksFor(t *testing.T) {
	t.Parallel()
	h := docs.New(docs.Options{Document: gen.SpecJSON, URL: "https://svc.example.com", WhoMay: access.WhoMay})
	first := regexp.MustCompile(`<li><a href="(/-/docs/[^"]+)">([^<]*)</a> <code>`)
	for _, c := range []struct {
		query string
		top   int // how far down the page it may be
		want  string
	}{
		{"merge", 3, "#mergeprojectmergerequest"},
		{"rotate+token", 3, "rotate"},
		{"webfinger", 1, "#getwellknownwebfinger"},
		{"artifacts", 4, "artifact"},
		{"get+artifacts", 8, "/-/docs/ci#get-artifacts"},
		{"createProjectIssue", 1, "#createprojectissue"},
		{"/projects/{id}/issues", 3, "issue"},
		{"POST+/projects/{id}/issues", 2, "#createprojectissue"},
		{"backup", 2, "/-/docs/backup"},
		{"how+do+I+back+up", 4, "/-/docs/backup"},
		{"rate+limits", 3, "rate-limits"},
		{"smtp", 4, "/-/docs/"},
		{"commit_message", 10, "commit"},
		{"X-Error-Code+nonsenseword", 10, ""},
		{"keyset", 3, "/-/docs/pagination"},
		{"transfer+project", 2, "#transferproject"},
		{"fork", 2, "fork"},
		{"open+id+connect", 6, "oauth"},
	} {
		w := httptest.NewRecorder()
		if err := h.Serve(w, httptest.NewRequest("GET", "/-/docs/search?q="+c.query, nil)); err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, m := range first.FindAllStringSubmatch(w.Body.String(), -1) {
			paths = append(paths, html.UnescapeString(m[1]))
		}
		top := paths[:min(len(paths), c.top)]
		if !strings.Contains(strings.Join(top, "\n"), c.want) {
			t.Errorf("the search for %q finds\n%s\nfirst, not %s", c.query, strings.Join(paths[:min(len(paths), 10)], "\n"), c.want)
		}
	}
}
