package web

import (
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestPeopleMakeProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	g, other := h.Group(), h.Group()
	h.Join(g, u.User, model.Maintainer)
	b := h.SignedIn(u.User)
	const form = "/-/projects/new"
	checkPage(t, h.Browser().Get(form), 200, signInPath, "Sign in")
	page := openPage(t, h, b, form+"?namespace="+g.FullPath, 5)
	has(t, page, `<option value="`+g.FullPath+`" selected>`)
	lacks(t, page, other.FullPath)
	own := u.User.Username
	checkPage(t, b.Submit(form, url.Values{"name": {""}, "namespace": {own}, "visibility": {"private"}}), 422, form, "Name ")
	checkPage(t, b.Submit(form, url.Values{"name": {"Roof"}, "path": {"a/b"}, "namespace": {own}, "visibility": {"private"}}),
		422, form, "Path ")
	checkPage(t, b.Submit(form, url.Values{"name": {"Roof"}, "path": {""}, "namespace": {other.FullPath}, "visibility": {"private"}}),
		422, form, "Place was not found")
	checkPage(t, b.Submit(form, url.Values{"name": {"Roof"}, "path": {""}, "namespace": {g.FullPath}, "visibility": {"public"}}),
		422, form, "not allowed in a private group")
	long := strings.Repeat("x", 2001)
	checkPage(t, b.Submit(form, url.Values{"name": {"Roof"}, "namespace": {own}, "visibility": {"private"}, "description": {long}}),
		422, form, "Description is too long")
	fill := url.Values{
		"name": {"Roof top"}, "namespace": {own}, "visibility": {"internal"}, "description": {"Tiles\r\nand nails"}, "readme": {"1"},
	}
	checkPage(t, b.Submit(form, fill), 200, "/"+own+"/roof-top", "The project was made.")
	checkPage(t, b.Page, 200, "/"+own+"/roof-top", "and nails")
	checkPage(t, b.Get("/"+own+"/roof-top/-/blob/main/README.md"), 200, "", "Roof top")
	b.Get(form)
	checkPage(t, b.Submit(form, fill), 422, form, "has already been taken")
	checkPage(t, b.Submit(form, url.Values{"name": {"Copy"}, "namespace": {own}, "visibility": {"private"}, "import_url": {"ssh://a/b"}}),
		422, form, "Only allowed schemes are http, https")
	b.Get(form)
	checkPage(t, b.Submit(form, url.Values{
		"name": {"Copy"}, "namespace": {own}, "visibility": {"private"}, "import_url": {h.URL + "/a/b.git"},
	}), 200, "/"+own+"/copy", "The repository is being copied.")
	b.Get(form)
	fill = url.Values{"name": {"Bare"}, "namespace": {g.FullPath}, "visibility": {"private"}, "readme": nil}
	checkPage(t, b.Submit(form, fill), 200, "/"+g.FullPath+"/bare", "The repository is empty.")
}

func TestPeopleForkProjects(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Public)
	u := s.NewUserWithPassword()
	b := s.SignedIn(u.User)
	form := s.root + "/-/forks/new"
	hidden(t, s.Browser(), form)
	checkPage(t, openPage(t, s.H, b, s.root+"/-/forks", 6), 200, "", "There are no forks")
	checkPage(t, b.Get(form), 200, form, "A fork is a copy")
	checkPage(t, b.Submit(form, url.Values{"namespace": {s.owner.User.Username}, "visibility": {"public"}}), 422, form, "")
	checkPage(t, b.Submit(form, url.Values{"namespace": {u.User.Username}, "visibility": {"private"}, "path": {"mine"}}),
		200, "/"+u.User.Username+"/mine", "The fork was made.")
	b.Get(form)
	checkPage(t, b.Submit(form, url.Values{"namespace": {u.User.Username}, "visibility": {"private"}, "path": {"mine"}}),
		422, form, "has already been taken")
	checkPage(t, b.Get(s.root+"/-/forks"), 200, "", u.User.Username+"/mine")
	if strings.Contains(s.Browser().Get(s.root+"/-/forks").Text(), "mine") {
		t.Error("others see a private fork")
	}
}
