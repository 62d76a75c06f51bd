package web

import (
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestIterationsAreCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Visibility = model.Private })
	reporter, guest := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(g, reporter.User, model.Reporter)
	h.Join(g, guest.User, model.Guest)
	list := "/groups/" + g.FullPath + "/-/iterations"
	hidden(t, h.Browser(), list)
	b := h.SignedIn(reporter.User)
	has(t, openPage(t, h, b, list, 8), "There are no iterations here.", list+"/new")
	openPage(t, h, b, list+"/new", 8)
	form := url.Values{"title": {"Sprint <1>"}, "description": {"Some **text**"}, "start_date": {"2030-01-14"}, "due_date": {"2030-01-01"}}
	checkPage(t, b.Submit(list, form), 422, list, "must be on or after the start date")
	form.Set("due_date", "2030-01-27")
	checkPage(t, b.Submit(list, form), 200, "", "The iteration was created.")
	has(t, b.Page, "Sprint &lt;1&gt;", "<strong>text</strong>", "14 January 2030", "upcoming")
	at := b.Page.URL.Path
	openPage(t, h, b, list+"/new", 8)
	checkPage(t, b.Submit(list, url.Values{"start_date": {"2030-01-20"}, "due_date": {"2030-02-02"}}), 422, list, "another iteration")
	checkPage(t, b.Submit(list, url.Values{"due_date": {"2030-02-02"}}), 422, list, "Start date")
	openPage(t, h, b, at+"/edit", 8)
	past := url.Values{"title": {""}, "start_date": {"2020-01-01"}, "due_date": {"2020-01-07"}}
	checkPage(t, b.Submit(at, past), 200, at, "The iteration was saved.")
	has(t, b.Page, "Jan 1, 2020 - Jan 7, 2020", "closed")
	lacks(t, openPage(t, h, b, list, 8), at)
	has(t, openPage(t, h, b, list+"?state=closed", 8), at)
	lesser := h.SignedIn(guest.User)
	lacks(t, openPage(t, h, lesser, list+"?state=all", 8), list+"/new")
	has(t, openPage(t, h, lesser, at, 10), "Jan 1, 2020")
	checkPage(t, again(lesser, at+"/delete", url.Values{}), 403, "", "not allowed")
	hidden(t, b, list+"/999999")
	openPage(t, h, b, at+"/edit", 8)
	checkPage(t, b.Submit(at+"/delete", nil), 200, list, "The iteration was deleted.")
	hidden(t, b, at)
	if !strings.HasPrefix(at, list+"/") {
		t.Errorf("the iteration is at %s", at)
	}
}
