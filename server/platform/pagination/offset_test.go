package pagination

import (
	"context"
	"errors"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"

	"github.com/google/go-cmp/cmp"
)

const base = "https://svc.example.com"

func ptr[T any](v T) *T { return &v }

// asking returns the context of a request for a path with a query.
func asking(t testing.TB, uri string) context.Context {
	t.Helper()
	u, err := url.ParseRequestURI(uri)
	if err != nil {
		t.Fatal(err)
	}
	return reqctx.With(t.Context(), &reqctx.Info{BaseURL: base, URL: u})
}

func window(t testing.TB, uri string, number, size *int64) Window {
	t.Helper()
	w, err := MaxOffset(50000).Offset(asking(t, uri), Kind{Name: "Project"}, number, size)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAWindowIsReadFromPageAndSize(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name         string
		number, size *int64
		want         store.Page
		shown        string // X-Per-Page
	}{
		{"defaults", nil, nil, store.Page{Limit: 20}, "20"},
		{"second page", ptr[int64](2), nil, store.Page{Limit: 20, Offset: 20}, "20"},
		{"other size", ptr[int64](3), ptr[int64](7), store.Page{Limit: 7, Offset: 14}, "7"},
		{"the largest size", nil, ptr[int64](100), store.Page{Limit: 100}, "100"},
		{"a larger size is 100", ptr[int64](2), ptr[int64](101), store.Page{Limit: 100, Offset: 100}, "100"},
		{"the largest number is 100", nil, ptr[int64](math.MaxInt64), store.Page{Limit: 100}, "100"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := window(t, "/api/v4/projects", c.number, c.size)
			if diff := cmp.Diff(c.want, w.Page); diff != "" {
				t.Errorf("window differs:\n%s", diff)
			}
			if got := w.Headers(store.Total{Known: true}).XPerPage; got == nil || *got != c.shown {
				t.Errorf("X-Per-Page is %v, want %s", got, c.shown)
			}
		})
	}
}

// link returns one entry of the Link header for /api/v4/projects with per_page=20.
func link(rel, number string) string {
	return "<" + base + "/api/v4/projects?page=" + number + `&per_page=20>; rel="` + rel + `"`
}

func TestHeadersLeadFromPageToPage(t *testing.T) {
	t.Parallel()
	known := func(count int64, more bool) store.Total { return store.Total{Count: count, Known: true, More: more} }
	cases := []struct {
		name       string
		number     int64
		total      store.Total
		prev, next string
		count      *string
		pages      *string
		links      []string
	}{
		{
			"an empty list has one page", 1, known(0, false), "", "", ptr("0"), ptr("1"),
			[]string{link("first", "1"), link("last", "1")},
		},
		{
			"the only page, full", 1, known(20, false), "", "", ptr("20"), ptr("1"),
			[]string{link("first", "1"), link("last", "1")},
		},
		{
			"first of three", 1, known(45, true), "", "2", ptr("45"), ptr("3"),
			[]string{link("next", "2"), link("first", "1"), link("last", "3")},
		},
		{
			"second of three", 2, known(45, true), "1", "3", ptr("45"), ptr("3"),
			[]string{link("prev", "1"), link("next", "3"), link("first", "1"), link("last", "3")},
		},
		{
			"last of three", 3, known(45, false), "2", "", ptr("45"), ptr("3"),
			[]string{link("prev", "2"), link("first", "1"), link("last", "3")},
		},
		{
			"past the end", 9, known(45, false), "8", "", ptr("45"), ptr("3"),
			[]string{link("prev", "8"), link("first", "1"), link("last", "3")},
		},
		{
			"too many to count", 2,
			store.Total{Count: store.CountCap + 1, More: true},
			"1", "3", nil, nil,
			[]string{link("prev", "1"), link("next", "3"), link("first", "1")},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := Headers{
				Link: ptr(strings.Join(c.links, ", ")), XPage: ptr(strconv.FormatInt(c.number, 10)), XPerPage: ptr("20"),
				XPrevPage: &c.prev, XNextPage: &c.next, // sent even when empty
				XTotal: c.count, XTotalPages: c.pages,
			}
			got := window(t, "/api/v4/projects", &c.number, nil).Headers(c.total)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("headers differ:\n%s", diff)
			}
		})
	}
}

func TestLinksKeepTheRequestsParameters(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, uri, want string }{
		{"keys are sorted", "/api/v4/users?search=x&active=true&page=7", "/api/v4/users?active=true&page=1&per_page=20&search=x"},
		{"size as sent", "/api/v4/users?per_page=500", "/api/v4/users?page=1&per_page=500"},
		{"lists in their order", "/api/v4/jobs?scope[]=b&scope[]=a", "/api/v4/jobs?page=1&per_page=20&scope%5B%5D=b&scope%5B%5D=a"},
		{"an encoded path", "/api/v4/projects/a%2Fb/jobs", "/api/v4/projects/a%2Fb/jobs?page=1&per_page=20"},
		{"text is escaped", "/api/v4/users?search=a%20b%2Bc%26d%3E", "/api/v4/users?page=1&per_page=20&search=a+b%2Bc%26d%3E"},
		// RFC 8288 §3: a reader may split at commas and semicolons.
		{"commas and semicolons are escaped", "/api/v4/users?search=a,b%3Bc", "/api/v4/users?page=1&per_page=20&search=a%2Cb%3Bc"},
		{"a bare semicolon is kept", "/api/v4/users?search=a;b", "/api/v4/users?page=1&per_page=20&search=a%3Bb"},
		{
			"credentials are kept", "/api/v4/users?private_token=one&access_token=two&job_token=three&search=x&sudo=root",
			"/api/v4/users?access_token=two&job_token=three&page=1&per_page=20&private_token=one&search=x&sudo=root",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := *window(t, c.uri, nil, nil).Headers(store.Total{}).Link
			if diff := cmp.Diff("<"+base+c.want+`>; rel="first"`, got); diff != "" {
				t.Errorf("link differs:\n%s", diff)
			}
		})
	}
}

func TestOffsetsOverTheMaximumAreRefused(t *testing.T) {
	t.Parallel()
	const project = "Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project."
	const more = " Remaining records can be retrieved using keyset pagination."
	cases := []struct {
		name         string
		most         MaxOffset
		kind         Kind
		number, size int64
		want         string // the error message; empty if the page is served
	}{
		{"the last page that is served", 50000, Kind{Name: "Project", Keyset: true}, 500, 100, ""},
		{"one page more", 50000, Kind{Name: "Project", Keyset: true}, 501, 100, project + more},
		{"small pages", 50000, Kind{Name: "Project", Keyset: true}, 2500, 20, ""},
		{"small pages, one more", 50000, Kind{Name: "Project", Keyset: true}, 2501, 20, project + more},
		{"no keyset to turn to", 50000, Kind{Name: "Project"}, 600, 100, project},
		{"no maximum", 0, Kind{Name: "Project"}, 1000000, 100, ""},
		{"a huge page", 50000, Kind{Name: "Project", Keyset: true}, math.MaxInt64, 100, project + more},
		{"a page whose offset would wrap to 0", 50000, Kind{Name: "Project"}, 1<<62 + 1, 4, project},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := c.most.Offset(asking(t, "/api/v4/projects"), c.kind, &c.number, &c.size)
			wantRefusal(t, err, 405, c.want)
		})
	}
	far, size := int64(math.MaxInt64), int64(100)
	_, err := MaxOffset(0).Offset(asking(t, "/api/v4/projects"), Kind{Name: "Project"}, &far, &size)
	wantRefusal(t, err, 400, "page is invalid")
}

// wantRefusal checks an error of the form {"error": text}; an empty text means that there must be no error.
func wantRefusal(t testing.TB, err error, status int, text string) {
	t.Helper()
	if text == "" {
		if err != nil {
			t.Errorf("error is %v", err)
		}
		return
	}
	var e *apierr.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want %q", err, text)
	}
	if diff := cmp.Diff(apierr.Error{Status: status, Body: apierr.Body{Error: text}, Code: e.HeaderCode()}, *e); diff != "" {
		t.Error(diff)
	}
}

func TestNoPageNumberOverflows(t *testing.T) {
	t.Parallel()
	for _, most := range []MaxOffset{0, 1, 50000, math.MaxInt} {
		for _, number := range []int64{1 << 31, 1 << 40, 1<<40 + 1, 1 << 57, 1 << 62, math.MaxInt64} {
			w, err := most.Offset(asking(t, "/api/v4/projects"), Kind{Name: "Project"}, &number, ptr[int64](100))
			if err == nil && (w.Page.Offset < 0 || int64(w.Page.Offset)/100 != number-1) {
				t.Errorf("at most %d, page %d begins at %d", most, number, w.Page.Offset)
			}
		}
	}
}

func TestAListWithoutKeysetSaysSo(t *testing.T) {
	t.Parallel()
	type pagination string
	wantRefusal(t, NoKeyset(ptr(pagination("keyset"))), 405, "Keyset pagination is not yet available for this type of request")
	wantRefusal(t, NoKeyset(ptr(pagination("offset"))), 405, "")
	wantRefusal(t, NoKeyset[pagination](nil), 405, "")
}
