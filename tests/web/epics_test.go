package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// epicPlace is a private group with a project and two members.
type epicPlace struct {
	*harness.H
	t               *testing.T
	group           model.Namespace
	reporter, guest *harness.Caller
	api, list       string
}

func newEpicPlace(t *testing.T) *epicPlace {
	t.Helper()
	h := harness.New(t)
	p := &epicPlace{H: h, t: t, group: h.Group(func(g *model.Namespace) { g.Visibility = model.Private })}
	p.reporter, p.guest = h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(p.group, p.reporter.User, model.Reporter)
	h.Join(p.group, p.guest.User, model.Guest)
	p.api, p.list = fmt.Sprintf("/groups/%d/epics", p.group.ID), "/groups/"+p.group.FullPath+"/-/epics"
	return p
}

func (p *epicPlace) make(path, body string) {
	p.t.Helper()
	if got := p.reporter.JSON("POST", path, body); got.Status != 201 {
		p.t.Fatal(path, got.Status, got.Body)
	}
}

func TestEpicsAreListedWithTheirPages(t *testing.T) {
	t.Parallel()
	p := newEpicPlace(t)
	reporter, guest := p.SignedIn(p.reporter.User), p.SignedIn(p.guest.User)
	has(t, openPage(t, p.H, reporter, p.list, 10), "There are no epics here.")
	p.make(p.api, `{"title":"Doors <b>","description":"Some **text**","labels":"wood",`+
		`"start_date_is_fixed":true,"start_date_fixed":"2030-01-02"}`)
	p.make(p.api, `{"title":"Secret","confidential":true}`)
	p.make(p.api, `{"title":"Hinges","parent_id":1}`)
	p.make(p.api, `{"title":"Old"}`)
	if got := p.reporter.JSON("PUT", p.api+"/4", `{"state_event":"close"}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	project := p.Project(p.group.ID)
	p.make(fmt.Sprintf("/projects/%d/issues", project.ID), `{"title":"Squeak","epic_id":1}`)
	p.make(p.api+"/1/related_epics", fmt.Sprintf(`{"target_group_id":%d,"target_epic_iid":4,"link_type":"blocks"}`, p.group.ID))

	page := openPage(t, p.H, reporter, p.list, 16)
	has(t, page, "Doors &lt;b&gt;", "Secret", "Hinges", p.list+"/1", "wood", "confidential")
	lacks(t, page, "Old")
	has(t, openPage(t, p.H, reporter, p.list+"?state=closed", 16), "Old")
	page = openPage(t, p.H, reporter, p.list+"?state=all&labels=wood&search=door", 16)
	has(t, page, "Doors", "With the labels wood")
	lacks(t, page, "Hinges")
	checkPage(t, reporter.Get(p.list+"?state=odd"), 400, p.list, "The state is unknown")
	lacks(t, openPage(t, p.H, guest, p.list, 16), "Secret")

	page = openPage(t, p.H, guest, p.list+"/1", 35)
	has(t, page, "Doors &lt;b&gt;", "<strong>text</strong>", "2 January 2030", "Hinges", "Squeak", "blocks", "Old", "wood",
		"marked this epic as blocking", p.reporter.User.Name)
	has(t, openPage(t, p.H, guest, p.list+"/3", 35), "child of", p.list+"/1")
	has(t, openPage(t, p.H, reporter, p.list+"/2", 35), "Secret")
	hidden(t, guest, p.list+"/2")
	hidden(t, guest, p.list+"/2/text")
	hidden(t, guest, p.list+"/99")
	hidden(t, guest, p.list+"/x")
	for _, path := range []string{p.list, p.list + "/1", p.list + "/1/text"} {
		hidden(t, p.Browser(), path)
		hidden(t, p.SignedIn(p.NewUserWithPassword().User), path)
	}
	text := guest.Get(p.list + "/1/text")
	if text.Body != "Some **text**" || !strings.HasPrefix(text.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%s", text.Body)
	}
}

func TestCommentsOnEpicsAreShownAndWritten(t *testing.T) {
	t.Parallel()
	p := newEpicPlace(t)
	reporter, guest := p.SignedIn(p.reporter.User), p.SignedIn(p.guest.User)
	p.make(p.api, `{"title":"Doors"}`)
	one := p.list + "/1"
	page := openPage(t, p.H, guest, one, 35)
	has(t, page, "There are no comments yet.", one+"/notes")
	lacks(t, page, "Internal")
	checkPage(t, guest.Submit(one+"/notes", url.Values{"body": {"Paint *them* <i>"}}), 200, one, "The comment was saved.")
	has(t, guest.Page, "<em>them</em>", p.guest.User.Name)
	has(t, openPage(t, p.H, reporter, one, 35), "Internal", "/discussions/")
	checkPage(t, reporter.Submit(one+"/notes", url.Values{"body": {"Between us"}, "internal": {"1"}}), 200, one, "The comment was saved.")
	page = openPage(t, p.H, guest, one, 35)
	lacks(t, page, "Between us")
	reply := strings.Split(strings.SplitN(page.Body, one+"/discussions/", 2)[1], `"`)[0]
	checkPage(t, guest.Submit(one+"/discussions/"+reply, url.Values{"body": {"Green, then"}}), 200, one, "The comment was saved.")
	has(t, guest.Page, "Green, then")
	openPage(t, p.H, guest, one, 35)
	checkPage(t, guest.Submit(one+"/notes", url.Values{"body": {" "}}), 422, one+"/notes", "The comment was not saved")
	checkPage(t, again(guest, one+"/discussions/"+strings.Repeat("0", 40)+"/notes", url.Values{"body": {"x"}}), 404, "", "")
	if got := guest.Get(one + "/notes/1"); got.Body != "Paint *them* <i>" {
		t.Errorf("%s", got.Body)
	}
	hidden(t, guest, one+"/notes/2") // it is internal
	hidden(t, guest, one+"/notes/99")
}
