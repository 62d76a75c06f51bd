package wikipages

import (
	"testing"

	"svc/server/transport/web/page"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}

func TestLinksLeadToOtherPagesAndFiles(t *testing.T) {
	t.Parallel()
	at := place{Base: "/g/p/-/"}
	for address, want := range map[string]string{
		"other":                   "/g/p/-/wikis/guides/other",
		"other.md#top":            "/g/p/-/wikis/guides/other#top",
		"../home":                 "/g/p/-/wikis/home",
		"../../../etc":            "/g/p/-/wikis/etc",
		"/a b":                    "/g/p/-/wikis/a%20b",
		"/":                       "/g/p/-/wikis",
		"uploads/ab/x.png":        "/g/p/-/wiki/raw/uploads/ab/x.png",
		"/uploads/ab/x":           "/g/p/-/wiki/raw/uploads/ab/x",
		"plan.pdf":                "/g/p/-/wiki/raw/guides/plan.pdf",
		"#part":                   "#part",
		"https://example.com/x":   "https://example.com/x",
		"//example.com/x":         "//example.com/x",
		"/g/p/-/issues/1":         "/g/p/-/issues/1",
		"mailto:root@example.com": "mailto:root@example.com",
	} {
		if got := at.link("guides/start", address); got != want {
			t.Errorf("%q leads to %q, want %q", address, got, want)
		}
	}
}
