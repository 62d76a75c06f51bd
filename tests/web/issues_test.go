package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// issueServer is a server with a public project and people with different roles in it.
type issueServer struct {
	*harness.H
	owner, reporter, outsider *harness.Caller
	project                   model.Project
	root                      string // the address of the project
	api                       string // the project in the API
}

func newIssueServer(t *testing.T, visibility model.Visibility) *issueServer {
	t.Helper()
	s := &issueServer{H: harness.New(t)}
	s.owner, s.reporter, s.outsider = s.NewUserWithPassword(), s.NewUserWithPassword(), s.NewUserWithPassword()
	s.project = s.Project(*s.owner.User.NamespaceID, func(p *model.Project) { p.Path, p.Visibility = "roof", visibility })
	s.JoinProject(s.project, s.reporter.User, model.Reporter)
	s.root, s.api = "/"+s.project.FullPath, fmt.Sprintf("/projects/%d", s.project.ID)
	return s
}

// made sends a request that creates something, and returns its number in the project and its ID.
func made(t *testing.T, c *harness.Caller, path, body string) (iid, id int64) {
	t.Helper()
	answer := c.JSON("POST", path, body)
	var row struct{ IID, ID int64 }
	if err := json.Unmarshal([]byte(answer.Body), &row); err != nil || answer.Status != 201 {
		t.Fatalf("POST %s answers %d: %s", path, answer.Status, answer.Body)
	}
	return row.IID, row.ID
}

func TestIssuesCanBeFiltered(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	made(t, s.owner, s.api+"/milestones", `{"title":"First <floor>"}`)
	made(t, s.owner, s.api+"/issues", `{"title":"Leak in <b>the</b> roof","labels":"bug,wet & cold","milestone_id":1}`)
	made(t, s.owner, s.api+"/issues", fmt.Sprintf(`{"title":"Paint the door","assignee_ids":[%d]}`, s.reporter.User.ID))
	made(t, s.reporter, s.api+"/issues", `{"title":"Old thing","description":"needle"}`)
	if got := s.owner.JSON("PUT", s.api+"/issues/3", `{"state_event":"close"}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	b := s.SignedIn(s.owner.User)
	for query, want := range map[string][2]string{ // what the list has, and what it lacks
		"":                             {"Leak in <b>the</b> roof", "Old thing"},
		"?state=closed":                {"Old thing", "Leak"},
		"?state=all":                   {"Old thing", ""},
		"?labels=wet+%26+cold,bug":     {"Leak", "Paint"},
		"?label_name%5B%5D=bug":        {"Leak", "Paint"},
		"?search=DOOR":                 {"Paint the door", "Leak"},
		"?milestone=First+%3Cfloor%3E": {"Leak", "Paint"},
		"?assignee_username=@" + s.reporter.User.Username:             {"Paint", "Leak"},
		"?assignee_username=None":                                     {"Leak", "Paint"},
		"?author_username=" + s.reporter.User.Username + "&state=all": {"Old thing", "Leak"},
		"?scope=created_by_me&state=all":                              {"Leak", "Old thing"},
		"?scope=assigned_to_me":                                       {"No issue matches", "Paint"},
		"?sort=title_asc":                                             {"Leak", ""},
		"?release_tag=v1&scope=all&state=opened":                      {"No issue matches", "Leak"},
	} {
		page := openPage(t, s.H, b, s.root+"/-/issues"+query, 14)
		if text := page.Text(); !strings.Contains(text, want[0]) || want[1] != "" && strings.Contains(text, want[1]) {
			t.Errorf("the list %s must have %q and not %q:\n%s", query, want[0], want[1], text)
		}
	}
	for _, query := range []string{"?state=merged", "?state=x", "?sort=x", "?scope=x", "?labels=" + strings.Repeat("a,", 30)} {
		if page := b.Get(s.root + "/-/issues" + query); page.Status != 400 {
			t.Errorf("the list %s answers %d", query, page.Status)
		}
	}
	page := b.Get(s.root + "/-/issues?search=door&state=opened")
	has(t, page, `/-/issues?search=door&amp;state=closed"`, `aria-current="page">Open (1)</a>`, `Clear the filter`)
	hidden(t, s.SignedIn(s.outsider.User), s.root+"/-/issues")
	hidden(t, s.Browser(), s.root+"/-/issues")
}

func TestTheIssuesOfAReleaseAreListed(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	api := fmt.Sprintf("/projects/%d", s.project.ID)
	made(t, s.owner, api+"/milestones", `{"title":"one"}`)
	made(t, s.owner, api+"/issues", `{"title":"In the release","milestone_id":1}`)
	made(t, s.owner, api+"/issues", `{"title":"Without release"}`)
	if got := s.owner.JSON("POST", api+"/releases", `{"tag_name":"v1.0","milestones":["one"]}`); got.Status != 201 {
		t.Fatal(got.Body)
	}
	page := openPage(t, s.H, s.SignedIn(s.owner.User), s.root+"/-/issues?release_tag=v1.0&scope=all&state=opened", 14)
	if text := page.Text(); !strings.Contains(text, "In the release") || strings.Contains(text, "Without release") {
		t.Errorf("the list shows:\n%s", text)
	}
}

func TestAnIssueHasAPage(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	made(t, s.owner, s.api+"/milestones", `{"title":"First floor"}`)
	made(t, s.owner, s.api+"/issues", fmt.Sprintf(`{"title":"Leak <script>","description":"# Big\n\nsee #1 and @%s <img src=x onerror=y>",
		"labels":"bug","milestone_id":1,"assignee_ids":[%d],"due_date":"2020-01-31"}`, s.reporter.User.Username, s.reporter.User.ID))
	_, note := made(t, s.reporter, s.api+"/issues/1/notes", `{"body":"It is **wet**"}`)
	s.owner.JSON("PUT", s.api+"/issues/1", `{"add_labels":"cold*"}`)
	path, b := s.root+"/-/issues/1", s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, path, 24)
	checkPage(t, page, 200, path, "Leak <script>")
	has(t, page, `<h3 id="user-content-big">Big</h3>`, `<a href="`+path+`">#1</a>`, `<a href="/`+s.reporter.User.Username+`">@`,
		`&lt;img src=x onerror=y&gt;`, fmt.Sprintf(`id="note_%d"`, note), `It is <strong>wet</strong>`, `<strong>cold*</strong>`,
		`fill="`, `31 January 2020`, `>late<`, s.root+`/-/milestones/1"`, "Record time", "Unsubscribe")
	lacks(t, page, "<script>alert", "<img src=x")
	checkPage(t, b.Get(fmt.Sprintf("%s?note=%d", path, note)), 200, path, "It is wet")
	hidden(t, s.SignedIn(s.outsider.User), path)
	hidden(t, s.Browser(), path)
	hidden(t, b, s.root+"/-/issues/2")
	hidden(t, b, s.root+"/-/issues/x")
}

func TestAConfidentialIssueIsHidden(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Public)
	made(t, s.owner, s.api+"/issues", `{"title":"Secret leak","confidential":true}`)
	path := s.root + "/-/issues/1"
	openPage(t, s.H, s.SignedIn(s.reporter.User), path, 24)
	for _, b := range []*harness.Browser{s.SignedIn(s.outsider.User), s.Browser()} {
		hidden(t, b, path)
		hidden(t, b, path+"/description")
		if page := b.Get(s.root + "/-/issues"); page.Status != 200 || strings.Contains(page.Body, "Secret") {
			t.Errorf("the list answers %d:\n%s", page.Status, page.Text())
		}
	}
}

func TestPeopleWriteIssuesAndComments(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	made(t, s.owner, s.api+"/labels", `{"name":"bug","color":"#ff0000"}`)
	b := s.SignedIn(s.reporter.User)
	list, path := s.root+"/-/issues", s.root+"/-/issues/1"
	b.Get(list + "/new?issue%5Btitle%5D=Leak")
	page := b.Submit(list, url.Values{"title": {" "}})
	checkPage(t, page, 422, "", "Title can't be blank")
	page = b.Submit(list, url.Values{"title": {strings.Repeat("x", 256)}})
	checkPage(t, page, 422, "", "is too long")
	page = b.Submit(list, url.Values{"title": {"Leak"}, "due_date": {"tomorrow"}})
	checkPage(t, page, 422, "", "must be a day")
	page = b.Submit(list, url.Values{
		"title": {"Leak"}, "description": {"Water\r\n\r\n/assign me"}, "labels": {"bug"}, "due_date": {"2030-02-01"}, "confidential": {"1"},
	})
	checkPage(t, page, 200, path, "The issue was created.")
	has(t, page, "1 February 2030", ">bug</a>", ">confidential<", `<a href="/`+s.reporter.User.Username+`">`)

	page = b.Submit(path+"/notes", url.Values{"body": {"A **comment**"}})
	checkPage(t, page, 200, path, "The comment was saved.")
	has(t, page, "A <strong>comment</strong>")
	page = b.Submit(path+"/notes", url.Values{"body": {"/label ~nothing"}})
	if page.Status != 422 {
		t.Errorf("a quick action that does nothing answers %d:\n%s", page.Status, page.Text())
	}
	b.Get(path)
	checkPage(t, b.Submit(path+"/notes", url.Values{"body": {" "}}), 422, "", "empty")
	b.Get(path)
	page = b.Submit(path+"/notes", url.Values{"body": {"/estimate 3h"}})
	has(t, page, "<dd>3h</dd>")
	page = b.Post(path+"/notes", url.Values{"authenticity_token": {token(page)}, "body": {"done"}, "state": {"close"}})
	checkPage(t, page, 200, path, "Closed")
	page = b.Submit(path+"/time", url.Values{"estimate": {"1d"}, "spent": {"45m"}})
	has(t, page, "<dd>1d</dd>", "<dd>45m</dd>")
	checkPage(t, b.Submit(path+"/time", url.Values{"spent": {"soon"}}), 422, "", "must be a duration")
	b.Get(path)
	checkPage(t, b.Submit(path+"/subscription", nil), 200, path, "You get no more mail")
	checkPage(t, b.Submit(path+"/todo", nil), 200, path, "your list of to-dos")

	b.Get(path + "/edit")
	page = b.Submit(path, url.Values{"title": {"Flood"}, "description": {"More"}, "labels": nil, "due_date": {""}})
	checkPage(t, page, 200, path, "Flood")
	has(t, page, "The issue was saved.", "removed due date")
	hidden(t, s.SignedIn(s.outsider.User), path+"/edit")
}

// token returns the token of the forms of a page.
func token(p harness.Page) string {
	_, rest, _ := strings.Cut(p.Body, `name="authenticity_token" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func TestCommentsAreChangedByTheirAuthors(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Public)
	made(t, s.owner, s.api+"/issues", `{"title":"Leak"}`)
	_, id := made(t, s.outsider, s.api+"/issues/1/notes", `{"body":"Frist <b>"}`)
	path := s.root + "/-/issues/1"
	note := fmt.Sprintf("%s/notes/%d", path, id)
	b, other := s.SignedIn(s.outsider.User), s.SignedIn(s.reporter.User)
	b.Get(note + "/edit")
	checkPage(t, b.Submit(note, url.Values{"body": {""}}), 422, "", "empty")
	checkPage(t, b.Submit(note, url.Values{"body": {"First"}}), 200, path, "First")
	hidden(t, other, note+"/edit")
	other.Get(path)
	if page := other.Post(note, url.Values{"authenticity_token": {token(other.Page)}, "body": {"x"}}); page.Status != 403 {
		t.Errorf("another user changes the comment: %d", page.Status)
	}
	if page := other.Post(note, url.Values{"body": {"x"}}); page.Status != 422 {
		t.Errorf("a form without token answers %d", page.Status)
	}
	page := b.Get(note)
	if page.Body != "First" || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("the text is %q", page.Body)
	}
	b.Get(note + "/edit")
	checkPage(t, b.Submit(note+"/delete", nil), 200, path, "The comment was deleted.")
	page = s.Browser().Get(path)
	checkPage(t, page, 200, path, "Sign in to comment.")
	lacks(t, page, `action="`+path+`/notes"`)
}

func TestALongDiscussionHasPages(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Private)
	made(t, s.owner, s.api+"/issues", `{"title":"Leak","description":"`+strings.Repeat("long ", 100000)+`"}`)
	var last int64
	for i := range 45 {
		_, last = made(t, s.owner, s.api+"/issues/1/notes", fmt.Sprintf(`{"body":"Comment %d %s"}`, i, strings.Repeat("<\\\"&", 5000)))
	}
	b, path := s.SignedIn(s.owner.User), s.root+"/-/issues/1"
	page := openPage(t, s.H, b, path, 24)
	has(t, page, `rel="next"`, "Show the whole description", "Show the whole text", `src="/-/assets`)
	page = openPage(t, s.H, b, fmt.Sprintf("%s?note=%d", path, last), 34)
	has(t, page, fmt.Sprintf(`id="note_%d"`, last), "Comment 44")
	if page := b.Get(path + "/description"); len(page.Body) != 500000 {
		t.Errorf("the whole description has %d bytes", len(page.Body))
	}
}

func TestInternalCommentsAreForMembers(t *testing.T) {
	t.Parallel()
	s := newIssueServer(t, model.Public)
	made(t, s.owner, s.api+"/issues", `{"title":"Leak"}`)
	path, b := s.root+"/-/issues/1", s.SignedIn(s.reporter.User)
	b.Get(path)
	has(t, b.Submit(path+"/notes", url.Values{"body": {"only us"}, "internal": {"1"}}), "only us", ">internal<")
	lacks(t, s.SignedIn(s.outsider.User).Get(path), "only us", `name="internal"`)
}

func TestTheIssuesOfAGroupAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	member := h.NewUserWithPassword()
	h.Join(group, member.User, model.Developer)
	for i := range 3 {
		project := h.Project(group.ID)
		made(t, member, fmt.Sprintf("/projects/%d/issues", project.ID), fmt.Sprintf(`{"title":"Leak %d"}`, i))
	}
	page := openPage(t, h, h.SignedIn(member.User), "/groups/"+group.FullPath+"/-/issues?search=leak", 14)
	has(t, page, "Leak 0", "Leak 2", "#1")
	openPage(t, h, h.SignedIn(member.User), "/groups/"+group.FullPath+"/-/merge_requests", 14)
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), "/groups/"+group.FullPath+"/-/issues")
}
