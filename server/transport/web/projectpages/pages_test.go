package projectpages

import (
	"html/template"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/repository/browse"
	"svc/server/transport/web/page"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates, "parts").Check(); err != nil {
		t.Error(err)
	}
}

func TestRelativeAddressesLeadIntoTheRepository(t *testing.T) {
	t.Parallel()
	r := relative{at: place{Place: browse.Place{Ref: "a/b c"}, Root: "/g/p"}, folder: "/docs"}
	for address, want := range map[string]string{
		"x.md":                   "/g/p/-/blob/a/b%20c/docs/x.md",
		"./y/x.md#part":          "/g/p/-/blob/a/b%20c/docs/y/x.md#part",
		"../x":                   "/g/p/-/blob/a/b%20c/x",
		"../../../../etc/passwd": "/g/p/-/blob/a/b%20c/etc/passwd",
		"/x":                     "/g/p/-/blob/a/b%20c/x",
		"#part":                  "#part",
		"https://example.com/x":  "https://example.com/x",
		"//example.com/x":        "//example.com/x",
		"mailto:a@example.com":   "mailto:a@example.com",
	} {
		if got := r.link(address); got != want {
			t.Errorf("%s leads to %s, want %s", address, got, want)
		}
	}
	for address, want := range map[string]string{
		"a.png": "/g/p/-/raw/a/b%20c/docs/a.png", "https://example.com/a.png": "", "//example.com/a.png": "", "#x": "",
	} {
		if got := r.image(address); got != want {
			t.Errorf("%s is loaded from %q, want %q", address, got, want)
		}
	}
}

func TestLongFilesHaveSeveralPages(t *testing.T) {
	t.Parallel()
	if got := linePages(nil); !slices.Equal(got, []int{1}) {
		t.Error(got)
	}
	lines := slices.Repeat([]template.HTML{template.HTML(strings.Repeat("x", 40))}, 2000)
	if got := linePages(lines); !slices.Equal(got, []int{1, 851, 1701}) {
		t.Error(got)
	}
	if got := linePages([]template.HTML{"a", template.HTML(strings.Repeat("x", 1<<20)), "b"}); !slices.Equal(got, []int{1}) {
		t.Error(got)
	}
	long := template.HTML(strings.Repeat("x", maxLine-3) + "&#34;" + strings.Repeat("y", 3*maxHTML))
	if got := shortened([]template.HTML{long})[0]; string(got) != strings.Repeat("x", maxLine-3)+" …" {
		t.Errorf("it ends with %s", got[len(got)-20:])
	}
}
