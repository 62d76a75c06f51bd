package web

import (
	"fmt"
	"net/url"
	"testing"

	"svc/store/model"
)

func TestReleasesAreListedMadeAndChanged(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	base := s.root + "/-/releases"
	checkPage(t, openPage(t, s.H, b, base, 6), 200, base, "Make the first release")
	b.Get(base + "/new")
	page := b.Submit(base+"/new", url.Values{
		"tag_name": {"rel/2"}, "ref": {"main"}, "name": {"Second <roof>"}, "description": {"# Notes\r\n\r\n<script>alert(1)</script>"},
	})
	checkPage(t, page, 200, base+"/rel/2", "The release was created")
	path := base + "/rel%2F2"
	page = openPage(t, s.H, b, path, 8)
	has(t, page, "Second &lt;roof&gt;", "&lt;script&gt;", "/-/archive/", "/-/commit/"+s.head, path+"/edit")
	lacks(t, page, "<script>alert")
	checkPage(t, openPage(t, s.H, b, base, 8), 200, base, "Second <roof>")
	for text, fill := range map[string]url.Values{
		"Tag can't be blank":             {"tag_name": {""}, "ref": {"main"}},
		"Release already exists":         {"tag_name": {"rel/2"}, "ref": {"main"}},
		"Ref is not specified":           {"tag_name": {"v9"}, "ref": {""}},
		"Target none is invalid":         {"tag_name": {"v9"}, "ref": {"none"}},
		"is not a time":                  {"tag_name": {"v9"}, "ref": {"main"}, "released_at": {"tomorrow"}},
		"Milestone(s) not found: Winter": {"tag_name": {"v9"}, "ref": {"main"}, "milestones": {"Winter"}},
	} {
		b.Get(base + "/new")
		checkPage(t, b.Submit(base+"/new", fill), 422, "", text)
	}
	b.Get(path + "/edit")
	edit := url.Values{"name": {"Third"}, "description": {"Better"}, "released_at": {"2030-01-02T03:04"}}
	checkPage(t, b.Submit(path+"/edit", edit), 200, "", "upcoming")
	b.Get(path + "/edit")
	link := url.Values{
		"link_name": {"tool"}, "url": {"https://files.example.com/tool"}, "filepath": {"/bin/tool"}, "link_type": {"package"},
	}
	checkPage(t, b.Submit(path+"/links", link), 200, "", "The link was added")
	checkPage(t, b.Submit(path+"/links", link), 422, "", "has already been taken")
	bad := url.Values{"link_name": {"x"}, "url": {"javascript:alert(1)"}, "link_type": {"other"}}
	checkPage(t, b.Submit(path+"/links", bad), 422, "", "blocked")
	has(t, b.Get(path), path+"/downloads/bin/tool")
	checkPage(t, b.Submit(path+"/delete", nil), 200, base, "The release was deleted")
	hidden(t, b, path)
}

func TestReleasesFollowTheRolesOfTheirProject(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	made(t, s.owner, fmt.Sprintf("/projects/%d/releases", s.project.ID), `{"tag_name":"v1.0","name":"Secret name","description":"Notes"}`)
	guest, reporter := s.NewUserWithPassword(), s.NewUserWithPassword()
	s.JoinProject(s.project, guest.User, model.Guest)
	s.JoinProject(s.project, reporter.User, model.Reporter)
	base := s.root + "/-/releases"
	b := s.SignedIn(reporter.User)
	lacks(t, openPage(t, s.H, b, base+"/v1.0", 8), "/edit", "/delete")
	hidden(t, b, base+"/v1.0/edit")
	hidden(t, b, base+"/new")
	form, _ := b.Page.Fields("/users/sign_out")
	if page := b.Post(base+"/v1.0/delete", form); page.Status != 403 {
		t.Errorf("a reporter who deletes gets %d", page.Status)
	}
	own := s.SignedIn(guest.User)
	page := openPage(t, s.H, own, base, 8)
	has(t, page, "Notes", "Release-")
	lacks(t, page, "Secret name", "v1.0")
	hidden(t, own, base+"/v1.0")
	for _, path := range []string{base, base + "/v1.0", base + "/permalink/latest", base + "/v1.0/downloads/x"} {
		hidden(t, s.SignedIn(s.NewUserWithPassword().User), path)
		hidden(t, s.Browser(), path)
	}
}
