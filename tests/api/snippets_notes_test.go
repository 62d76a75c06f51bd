package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// projectSnippet creates a snippet in a project and returns its API path.
func projectSnippet(t *testing.T, author *harness.Caller, project model.Project, visibility string) string {
	t.Helper()
	all := fmt.Sprintf("/projects/%d/snippets", project.ID)
	made := author.JSON("POST", all, fmt.Sprintf(
		`{"title":"Notes","visibility":%q,"files":[{"file_path":"a.txt","content":"a"}]}`, visibility))
	expect(t, made, 201, "")
	return fmt.Sprintf("%s/%v", all, member(t, made, "id"))
}

func TestSnippetsOfAProjectHaveNotes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	author, guest, stranger := h.ProjectMember(project, model.Developer), h.ProjectMember(project, model.Guest), h.NewUser()
	one := projectSnippet(t, author, project, "public")
	made := guest.JSON("POST", one+"/notes", `{"body":"Nice /close"}`)
	n := read[note](t, made, 201)
	if n.Type != nil || n.Resolvable || n.Body != "Nice /close" || member(t, made, "noteable_type") != "Snippet" ||
		member(t, made, "noteable_iid") != nil {
		t.Errorf("%s", made.Body)
	}
	its := fmt.Sprintf("%s/notes/%d", one, n.ID)
	expect(t, h.Anonymous().Send("GET", its, ""), 200, "")
	expect(t, h.Anonymous().JSON("POST", one+"/notes", `{"body":"x"}`), 401, "")
	expect(t, stranger.JSON("PUT", its, `{"body":"no"}`), 403, "")
	if changed := read[note](t, guest.JSON("PUT", its, `{"body":"Very nice"}`), 200); changed.Body != "Very nice" {
		t.Errorf("%+v", changed)
	}
	expect(t, stranger.JSON("POST", one+"/notes", `{"body":"Second"}`), 201, "")
	if rows := read[[]note](t, h.Anonymous().Send("GET", one+"/notes?sort=asc", ""), 200); bodies(rows) != "Very nice,Second" {
		t.Errorf("%+v", rows)
	}
	expect(t, author.JSON("POST", one+"/notes", `{"body":" "}`), 400, `{"error":"body is empty"}`)
	expect(t, author.Send("GET", one+"/notes/999999", ""), 404, noRecord)
	expect(t, guest.Send("DELETE", its, ""), 204, "")
	expect(t, author.Send("DELETE", one, ""), 204, "")
	if left := count(t, h, "SELECT count(*) FROM notes WHERE noteable_type = 'Snippet'"); left != 0 {
		t.Errorf("%d notes stay after the snippet was deleted", left)
	}
}

func TestNotesOnAPrivateSnippetAreForItsReaders(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	author, guest, stranger := h.ProjectMember(project, model.Developer), h.ProjectMember(project, model.Guest), h.NewUser()
	one := projectSnippet(t, author, project, "private")
	n := read[note](t, guest.JSON("POST", one+"/notes", `{"body":"Secret"}`), 201)
	for _, path := range []string{"/notes", fmt.Sprintf("/notes/%d", n.ID), "/discussions", "/award_emoji"} {
		expect(t, stranger.Send("GET", one+path, ""), 404, `{"message":"404 Snippet Not Found"}`)
		expect(t, h.Anonymous().Send("GET", one+path, ""), 404, `{"message":"404 Snippet Not Found"}`)
	}
	expect(t, stranger.JSON("POST", one+"/notes", `{"body":"x"}`), 404, "")
	events := fmt.Sprintf("/users/%d/events", guest.User.ID)
	if got := read[[]any](t, stranger.Send("GET", events, ""), 200); len(got) != 0 {
		t.Errorf("a stranger sees the event: %v", got)
	}
	if got := read[[]any](t, author.Send("GET", events, ""), 200); len(got) != 1 {
		t.Errorf("the author of the snippet sees %v", got)
	}
	expect(t, h.Root().JSON("PUT", fmt.Sprintf("/projects/%d", project.ID), `{"snippets_access_level":"disabled"}`), 200, "")
	expect(t, author.Send("GET", one+"/notes", ""), 403, "")
}

func TestSnippetsHaveThreadsAndReactions(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	author, guest := h.ProjectMember(project, model.Developer), h.NewUser()
	one := projectSnippet(t, author, project, "public")
	p := threadPlace{h, "snippet", one, h.ProjectMember(project, model.Maintainer), guest}
	first := p.startThread(t)
	answer := p.answerThread(t, first)
	p.listThreads(t, first, answer)
	p.deleteAnswer(t, first, answer)
	for _, path := range []string{one, fmt.Sprintf("%s/notes/%d", one, first.Notes[0].ID)} {
		made := guest.JSON("POST", path+"/award_emoji", `{"name":"thumbsup"}`)
		expect(t, made, 201, "")
		expect(t, guest.JSON("POST", path+"/award_emoji", `{"name":"thumbsup"}`), 404, "")
		its := fmt.Sprintf("%s/award_emoji/%v", path, member(t, made, "id"))
		expect(t, h.Anonymous().Send("GET", its, ""), 200, "")
		if rows := read[[]any](t, h.Anonymous().Send("GET", path+"/award_emoji", ""), 200); len(rows) != 1 {
			t.Errorf("%v", rows)
		}
		expect(t, author.Send("DELETE", its, ""), 403, "")
		expect(t, guest.Send("DELETE", its, ""), 204, "")
	}
}
