package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMilestonesHavePages(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	b, list := s.SignedIn(s.reporter.User), s.root+"/-/milestones"
	has(t, openPage(t, s.H, b, list, 8), "There are no milestones here", `href="`+list+`/new"`)
	b.Get(list + "/new")
	checkPage(t, b.Submit(list, url.Values{"title": {""}}), 422, "", "Title can't be blank")
	page := b.Submit(list, url.Values{"title": {"One"}, "start_date": {"2030-02-02"}, "due_date": {"2030-01-01"}})
	checkPage(t, page, 422, "", "Due date must be greater than start date")
	page = b.Submit(list, url.Values{
		"title": {"First <floor>"}, "description": {"**walls**"}, "due_date": {"2030-01-01"}, "start_date": {""},
	})
	checkPage(t, page, 200, list+"/1", "First <floor>")
	has(t, page, "<strong>walls</strong>", "1 January 2030")
	for i := range 25 {
		made(t, s.owner, s.api+"/issues", fmt.Sprintf(`{"title":"Leak %d","milestone_id":1}`, i))
	}
	page = openPage(t, s.H, b, list+"/1", 20)
	has(t, page, "25 open issues", "Leak 24", "Show all issues")
	b.Get(list + "/1/edit")
	checkPage(t, b.Submit(list+"/1", url.Values{"title": {"Ground floor"}}), 200, list+"/1", "Ground floor")
	checkPage(t, b.Submit(list+"/1/state", nil), 200, list+"/1", "The milestone was closed.")
	lacks(t, openPage(t, s.H, b, list, 8), "Ground floor")
	has(t, openPage(t, s.H, b, list+"?state=closed&search=GROUND", 8), "Ground floor")
	if page := b.Get(list + "?state=x"); page.Status != 400 {
		t.Errorf("an unknown state answers %d", page.Status)
	}
	for _, path := range []string{list, list + "/1", list + "/new", list + "/1/edit"} {
		hidden(t, s.SignedIn(s.outsider.User), path)
		hidden(t, s.Browser(), path)
	}
	hidden(t, b, list+"/2")
	b.Get(list + "/1/edit")
	checkPage(t, b.Submit(list+"/1/delete", nil), 200, list, "The milestone was deleted.")
}

func TestAGuestReadsMilestonesButDoesNotChangeThem(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Public)
	made(t, s.owner, s.api+"/milestones", `{"title":"One"}`)
	path := s.root + "/-/milestones/1"
	b := s.SignedIn(s.outsider.User)
	page := openPage(t, s.H, b, path, 20)
	lacks(t, page, "/edit", "/state")
	hidden(t, b, path+"/edit")
	if page := b.Post(path+"/state", url.Values{"authenticity_token": {token(page)}, "state": {"close"}}); page.Status != 403 {
		t.Errorf("an outsider closes a milestone: %d", page.Status)
	}
}

func TestAGroupHasMilestonesAndLabels(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	member := h.NewUserWithPassword()
	h.Join(group, member.User, model.Developer)
	project := h.Project(group.ID)
	iid, id := made(t, member, fmt.Sprintf("/groups/%d/milestones", group.ID), `{"title":"All houses"}`)
	made(t, member, fmt.Sprintf("/projects/%d/issues", project.ID), fmt.Sprintf(`{"title":"Leak","milestone_id":%d}`, id))
	root, b := "/groups/"+group.FullPath+"/-/", h.SignedIn(member.User)
	page := openPage(t, h, b, fmt.Sprintf("%smilestones/%d", root, iid), 20)
	has(t, page, "All houses", "Leak")
	has(t, openPage(t, h, b, "/"+project.FullPath+"/-/milestones", 8), "All houses", "of the group")
	has(t, openPage(t, h, b, root+"milestones", 8), "All houses")
	b.Get(root + "labels/new")
	checkPage(t, b.Submit(root+"labels", url.Values{"title": {"wet"}, "color": {"#0000ff"}}), 200, root+"labels", "wet")
	page = openPage(t, h, b, "/"+project.FullPath+"/-/labels", 10)
	has(t, page, "wet")
	lacks(t, page, "/edit\"")
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), fmt.Sprintf("%smilestones/%d", root, iid))
	hidden(t, h.Browser(), root+"labels")
}

func TestLabelsHavePages(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	b, list := s.SignedIn(s.reporter.User), s.root+"/-/labels"
	b.Get(list + "/new")
	checkPage(t, b.Submit(list, url.Values{"title": {"a,b"}}), 422, "", "Name is invalid")
	checkPage(t, b.Submit(list, url.Values{"title": {"bug"}, "color": {"nothing"}}), 422, "", "Color")
	page := b.Submit(list, url.Values{"title": {"<bug> & co"}, "color": {"#ff0000"}, "description": {"It is broken"}})
	checkPage(t, page, 200, list, "<bug> & co")
	has(t, page, `fill="#ff0000"`, "It is broken", `/-/issues?labels=%3Cbug%3E&#43;%26&#43;co"`)
	made(t, s.owner, s.api+"/issues", `{"title":"Leak","labels":"<bug> & co"}`)
	page = openPage(t, s.H, b, list+"?search=BUG", 10)
	has(t, page, `data-label="Open issues">1<`)
	edit := list + "/" + between(page.Body, `<a href="`+list+"/", "/edit")
	b.Get(edit + "/edit")
	checkPage(t, b.Submit(edit, url.Values{"title": {"bug"}}), 200, list, "The label was saved.")
	has(t, s.SignedIn(s.owner.User).Get(s.root+"/-/issues/1"), ">bug</a>")
	hidden(t, s.SignedIn(s.outsider.User), list)
	hidden(t, b, list+"/999/edit")
	b.Get(edit + "/edit")
	lacks(t, b.Submit(edit+"/delete", nil), ">bug<")
}

func TestABoardShowsIssuesInLists(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	_, board := made(t, s.owner, s.api+"/boards", `{"name":"Work <1>"}`)
	for i := range 4 {
		_, label := made(t, s.owner, s.api+"/labels", fmt.Sprintf(`{"name":"step %d","color":"#00ff00"}`, i))
		made(t, s.owner, fmt.Sprintf("%s/boards/%d/lists", s.api, board), fmt.Sprintf(`{"label_id":%d}`, label))
		made(t, s.owner, s.api+"/issues", fmt.Sprintf(`{"title":"Leak %d","labels":"step %d"}`, i, i))
	}
	made(t, s.owner, s.api+"/issues", `{"title":"Without step"}`)
	b, list := s.SignedIn(s.reporter.User), s.root+"/-/boards"
	has(t, openPage(t, s.H, b, list, 8), "Work &lt;1&gt;")
	page := openPage(t, s.H, b, fmt.Sprintf("%s/%d", list, board), 14)
	if text := page.Text(); !strings.Contains(text, "Open 1 Without step") || !strings.Contains(text, "step 3 1 Leak 3") {
		t.Errorf("the board shows:\n%s", text)
	}
	hidden(t, b, list+"/999")
	hidden(t, s.SignedIn(s.outsider.User), fmt.Sprintf("%s/%d", list, board))
}
