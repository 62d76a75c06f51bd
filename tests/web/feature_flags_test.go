package web

import (
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
)

func TestFeatureFlagsHavePages(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	developer, maintainer := s.NewUserWithPassword(), s.NewUserWithPassword()
	s.JoinProject(s.project, developer.User, model.Developer)
	s.JoinProject(s.project, maintainer.User, model.Maintainer)
	b, list := s.SignedIn(developer.User), s.root+"/-/feature_flags"
	page := openPage(t, s.H, b, list, 10)
	has(t, page, "There are no feature flags", "Programs need an instance ID", `href="`+list+`/new"`)
	lacks(t, page, "reset_token")
	b.Get(list + "/new")
	checkPage(t, b.Submit(list, url.Values{"name": {"Door"}}), 422, "", "Name can contain only lowercase letters")
	page = b.Submit(list, url.Values{"name": {"door"}, "description": {"<b>"}, "active": {"1"}})
	checkPage(t, page, 200, list+"/door/edit", "The flag was created")
	has(t, page, "All users", "Add a strategy")
	page = openPage(t, s.H, b, list, 10)
	has(t, page, "&lt;b&gt;", "/api/v4/feature_flags/unleash/", "Instance ID", "All users")
	checkPage(t, b.Submit(list+"/door/state", nil), 200, list, "The flag door is off.")
	b.Get(list)
	checkPage(t, b.Submit(list+"/door/state", nil), 200, list, "The flag door is on.")

	edit := list + "/door/edit"
	openPage(t, s.H, b, edit, 10)
	page = b.Submit(list+"/door/strategies", url.Values{"strategy": {"flexibleRollout"}, "percent": {"101"}, "environments": {"*"}})
	checkPage(t, page, 422, "", "rollout must be a string between 0 and 100 inclusive")
	page = b.Submit(list+"/door/strategies", url.Values{
		"strategy": {"userWithId"}, "users": {"17,\n 23"}, "environments": {"production, review/*"},
	})
	checkPage(t, page, 200, edit, "The strategy was added.")
	has(t, page, "17,23", "production, review/*")
	page = b.Submit(list+"/door/strategies", url.Values{"strategy": {"gitlabUserList"}, "environments": {"*"}})
	checkPage(t, page, 422, "", "must be chosen")
	b.Get(edit)
	checkPage(t, b.Submit(addressIn(t, b.Get(edit).Body, list+"/door/strategies/"), nil), 200, edit, "The strategy was removed.")
	checkPage(t, b.Submit(list+"/door", url.Values{"name": {"gate"}}), 200, list+"/gate/edit", "The flag was saved.")
	checkPage(t, b.Submit(list+"/gate/delete", nil), 200, list, "The flag gate was deleted.")

	m := s.SignedIn(maintainer.User)
	before := m.Get(list)
	has(t, before, "Replace the instance ID")
	page = m.Submit(s.root+"/-/feature_flags_client/reset_token", nil)
	checkPage(t, page, 200, list, "The project has a new instance ID.")
	if id := instanceID(t, before.Body); strings.Contains(page.Body, id) {
		t.Error("the page still shows the old ID")
	}
	for _, path := range []string{list, list + "/new", list + "/gate/edit"} {
		hidden(t, s.SignedIn(s.reporter.User), path)
		hidden(t, s.SignedIn(s.outsider.User), path)
		hidden(t, s.Browser(), path)
	}
	hidden(t, b, list+"/gate/edit")
}

// instanceID returns the instance ID that a page shows.
func instanceID(t *testing.T, body string) string {
	t.Helper()
	_, rest, found := strings.Cut(body, `id="flags-instance-id"`)
	_, rest, _ = strings.Cut(rest, `value="`)
	id, _, _ := strings.Cut(rest, `"`)
	if !found || len(id) != 40 {
		t.Fatalf("the page shows the ID %q", id)
	}
	return id
}

func TestUserListsOfFeatureFlagsHavePages(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	developer := s.NewUserWithPassword()
	s.JoinProject(s.project, developer.User, model.Developer)
	b, list := s.SignedIn(developer.User), s.root+"/-/feature_flags_user_lists"
	has(t, openPage(t, s.H, b, list, 8), "There are no user lists here", `href="`+list+`/new"`)
	b.Get(list + "/new")
	checkPage(t, b.Submit(list, url.Values{"name": {"Beta"}, "users": {","}}), 422, "", "User xids can't be blank")
	page := b.Submit(list, url.Values{"name": {"Beta <b>"}, "users": {"17\n23"}})
	checkPage(t, page, 200, list+"/1", "The list was created.")
	has(t, page, "17,23", "2 users", "Beta &lt;b&gt;")
	has(t, openPage(t, s.H, b, list+"?search=BETA", 8), "Beta &lt;b&gt;")
	b.Get(list + "/1/edit")
	checkPage(t, b.Submit(list+"/1", url.Values{"name": {"Staff"}, "users": {"17"}}), 200, list+"/1", "The list was saved.")
	b.Get(list + "/1/edit")
	checkPage(t, b.Submit(list+"/1/delete", nil), 200, list, "The list was deleted.")
	for _, path := range []string{list, list + "/new"} {
		hidden(t, s.SignedIn(s.reporter.User), path)
		hidden(t, s.SignedIn(s.outsider.User), path)
		hidden(t, s.Browser(), path)
	}
	hidden(t, b, list+"/1")
	hidden(t, b, list+"/1/edit")
}
