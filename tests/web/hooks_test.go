package web

import (
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAWebhookIsMadeTestedAndSentAgain(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	p.commit("README.md", "x")
	group := p.Group()
	owner := p.NewUserWithPassword()
	p.Join(group, owner.User, model.Owner)
	p.Project(group.ID)
	p.hides(p.at("hooks"), p.developer, p.reporter)
	hidden(t, p.owner, "/groups/"+group.FullPath+"/-/hooks")
	hookRound(t, p, p.maintainer, p.at("hooks"), "push_events")
	hookRound(t, p, p.SignedIn(owner.User), "/groups/"+group.FullPath+"/-/hooks", "project_events")
}

func TestSystemHooksAreForAdministrators(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	others := []*harness.Browser{p.owner, p.maintainer, p.developer, p.reporter, p.stranger}
	for _, other := range others {
		hidden(t, other, "/admin/hooks")
		hidden(t, other, "/admin/hooks/new")
	}
	checkPage(t, p.nobody.Get("/admin/hooks"), 200, "/users/sign_in", "Sign in")
	b, to := p.SignedIn(p.NewUserWithPassword(func(u *model.User) { u.Admin = true }).User), harness.NewReceiver(t)
	has(t, openPage(t, p.H, b, "/admin/hooks", 6), "System hooks", "There are no webhooks yet", `aria-current="page">System hooks</a>`)
	has(t, b.Get("/admin/hooks/new"), `value="repository_update_events" checked`)
	lacks(t, b.Page, "issues_events", "subgroup_events")
	fields := url.Values{"url": {"gopher://x"}, "branch_filter_strategy": {"wildcard"}}
	checkPage(t, b.Submit("/admin/hooks/new", fields), 422, "/admin/hooks/new", "Invalid url given")
	fields.Set("url", to.URL+"/in")
	fields.Set("name", "Watch <all>")
	page := b.Submit("/admin/hooks/new", fields)
	checkPage(t, page, 200, "", "The webhook was created.")
	one := page.URL.Path
	checkPage(t, b.Submit(one+"/test", nil), 200, one, "The test was sent.")
	if got := to.Wait(1)[0]; !strings.Contains(string(got.Body), `"event_name":"project_create"`) {
		t.Error(got.Body)
	}
	has(t, openPage(t, p.H, b, one, 10), "Watch &lt;all&gt;", ">200<", "System Hook")
	event := between(b.Page.Body, `<a href="`+one+"/events/", `"`)
	has(t, openPage(t, p.H, b, one+"/events/"+event, 8), "project_create")
	for _, other := range others {
		hidden(t, other, one)
		hidden(t, other, one+"/events/"+event)
	}
	checkPage(t, again(p.owner, one+"/delete", url.Values{}), 404, "", "")
	hook := p.at("hooks") + one[strings.LastIndex(one, "/"):]
	hidden(t, p.maintainer, hook) // a system hook is no hook of a project
	b.Get(one)
	page = b.Submit(one+"/edit", url.Values{"name": {"Other"}, "branch_filter_strategy": {"all_branches"}, "events": {"push_events"}})
	checkPage(t, page, 200, one, "The webhook was saved")
	has(t, b.Get("/admin/hooks"), "Other", ">Push<")
	b.Get(one)
	checkPage(t, b.Submit(one+"/delete", nil), 200, "/admin/hooks", "The webhook was deleted")
	hidden(t, b, one)
}

// hookRound makes, tests, changes and deletes a hook on a page.
func hookRound(t *testing.T, p *ciPlace, b *harness.Browser, path, trigger string) {
	t.Helper()
	to := harness.NewReceiver(t)
	has(t, openPage(t, p.H, b, path, 6), "There are no webhooks yet")
	b.Get(path + "/new")

	page := b.Submit(path+"/new", url.Values{"url": {"gopher://x"}, "branch_filter_strategy": {"wildcard"}})
	checkPage(t, page, 422, path+"/new", "Invalid url given")
	has(t, page, "Feature flag")
	lacks(t, page, "Vulnerability") // this service does not send them
	page = b.Submit(path+"/new", url.Values{
		"url": {to.URL + "/in/{room}"}, "branch_filter_strategy": {"wildcard"},
	})
	checkPage(t, page, 422, path+"/new", "Invalid url given") // the variable is not set
	page = b.Submit(path+"/new", url.Values{
		"url": {to.URL + "/in"}, "name": {"Chat <x>"}, "token": {"s3cret-token"}, "branch_filter_strategy": {"wildcard"},
		"events": {"push_events", "issues_events"},
	})
	checkPage(t, page, 200, "", "The webhook was created.")
	one := page.URL.Path
	has(t, page, "Chat &lt;x&gt;", "A token is set", "Nothing was sent yet")
	lacks(t, page, "s3cret-token")
	page = b.Submit(one+"/headers", url.Values{"header_key": {"X-Team"}, "header_value": {"hush-hush"}})
	checkPage(t, page, 200, one, "X-Team")
	lacks(t, page, "hush-hush")
	page = b.Submit(one+"/headers", url.Values{"header_key": {"bad header"}, "header_value": {"x"}})
	checkPage(t, page, 422, one+"/headers", "Illegal key or value")
	b.Get(one)
	page = b.Submit(one+"/test", url.Values{"trigger": {trigger}})
	checkPage(t, page, 200, one, "the receiver accepted it")
	got := to.Wait(1)[0]
	if got.Header.Get("X-Gitlab-Token") != "s3cret-token" || got.Header.Get("X-Team") != "hush-hush" {
		t.Error(got.Header)
	}
	to.Refuse(500)
	checkPage(t, b.Submit(one+"/test", url.Values{"trigger": {trigger}}), 200, one, "It failed")
	page = openPage(t, p.H, b, one, 10)
	has(t, page, ">500<", ">200<")
	lacks(t, b.Get(one+"?status=successful"), ">500<")
	checkPage(t, b.Get(one+"?status=odd"), 400, one, "valid value")
	page = b.Get(one + "?status=successful")
	event := strings.Split(strings.SplitN(page.Body, `<a href="`+one+"/events/", 2)[1], `"`)[0]
	page = openPage(t, p.H, b, one+"/events/"+event, 8)
	has(t, page, "thanks", "Idempotency-Key", "event_name", "X-Gitlab-Event")
	lacks(t, page, "s3cret-token", "hush-hush")
	to.Refuse(200)
	checkPage(t, b.Submit(one+"/events/"+event+"/resend", url.Values{}), 200, one, "answered with status 200")
	page = b.Submit(one+"/edit", url.Values{"name": {"Other"}, "branch_filter_strategy": {"all_branches"}, "events": {"tag_push_events"}})
	checkPage(t, page, 200, one, "The webhook was saved")
	has(t, b.Get(path), "Other", ">Tag push<")
	lacks(t, b.Page, ">Push<")
	b.Get(one)
	checkPage(t, b.Submit(one+"/headers/X-Team/delete", url.Values{}), 200, one, "The header was removed")
	checkPage(t, b.Submit(one+"/delete", url.Values{}), 200, path, "The webhook was deleted")
	hidden(t, b, one)
}
