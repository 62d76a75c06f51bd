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

func TestASnippetIsWrittenAndShown(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	b := h.SignedIn(owner.User)
	checkPage(t, openPage(t, h, b, "/-/snippets", 4), 200, "/-/snippets", "Write the first one")
	b.Get("/-/snippets/new")
	page := b.Submit("/-/snippets/new", url.Values{
		"title": {"How to <rotate>"}, "description": {"With **care** <script>alert(1)</script>"}, "visibility": {"private"},
		"file_name_0": {"main.go"}, "content_0": {"package main\r\n\r\n// a <b>.\r\nfunc main() {}\r\n"},
		"file_name_1": {"sub/a b#?.txt"}, "content_1": {"plain"},
	})
	checkPage(t, page, 200, "", "The snippet was created")
	path := page.URL.Path
	page = openPage(t, h, b, path, 8)
	has(t, page, `<span class="hk">package</span>`, "// a &lt;b&gt;.", "<strong>care</strong>", `/raw/sub/a%20b%23%3F.txt`)
	lacks(t, page, "<script>alert", "\r")
	raw := b.Get(path + "/raw/sub/a%20b%23%3F.txt")
	if raw.Status != 200 || raw.Body != "plain" || !strings.HasPrefix(raw.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v %s", raw.Status, raw.Header, raw.Body)
	}
	hidden(t, b, path+"/raw/none")
	checkPage(t, b.Get("/-/snippets?scope=all"), 200, "", "How to <rotate>")

	b.Get(path + "/edit")
	page = b.Submit(path+"/edit", url.Values{
		"title": {"New title"}, "visibility": {"public"}, "file_name_0": {"main.go"}, "content_0": {"package other\n"},
		"file_name_1": {"sub/a b#?.txt"}, "content_1": {"plain"}, "remove_1": {"1"}, "file_name_2": {"third"}, "content_2": {"3"},
	})
	checkPage(t, page, 200, path, "The snippet was saved")
	has(t, page, "other", "third")
	lacks(t, page, "a b#?.txt", "a%20b")
	checkPage(t, h.Browser().Get(path), 200, path, "New title")
	checkPage(t, b.Submit(path+"/delete", nil), 200, "/-/snippets", "The snippet was deleted")
	hidden(t, b, path)
}

func TestASnippetWithMistakesIsShownAgain(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	b := h.SignedIn(h.NewUserWithPassword().User)
	for _, c := range []struct {
		fill url.Values
		text string
	}{
		{url.Values{"title": {""}, "visibility": {"private"}, "file_name_0": {"a"}, "content_0": {"x"}}, "Title can't be blank"},
		{url.Values{"title": {"t"}, "visibility": {"secret"}, "file_name_0": {"a"}, "content_0": {"x"}}, "Visibility is not a visibility"},
		{url.Values{"title": {"t"}, "visibility": {"private"}}, "File name can't be blank"},
		{url.Values{"title": {"t"}, "visibility": {"private"}, "file_name_0": {"a"}}, "Content can't be blank"},
		{url.Values{"title": {"t"}, "visibility": {"private"}, "file_name_0": {"../a"}, "content_0": {"x"}}, ""},
		{url.Values{"title": {strings.Repeat("t", 256)}, "visibility": {"private"}, "file_name_0": {"a"}, "content_0": {"x"}}, "too long"},
	} {
		b.Get("/-/snippets/new")
		checkPage(t, b.Submit("/-/snippets/new", c.fill), 422, "/-/snippets/new", c.text)
	}
}

func TestSnippetsOfAProjectFollowItsRoles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, guest, other := h.NewUserWithPassword(), h.NewUserWithPassword(), h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID)
	h.JoinProject(project, guest.User, model.Guest)
	made(t, owner, fmt.Sprintf("/projects/%d/snippets", project.ID),
		`{"title":"Ours","visibility":"private","files":[{"file_path":"a","content":"b"}]}`)
	base := "/" + project.FullPath + "/-/snippets"
	own := h.SignedIn(owner.User)
	page := openPage(t, h, own, base, 6)
	path := page.Body[strings.Index(page.Body, `<a href="`+base+"/")+len(`<a href="`):]
	if strings.HasPrefix(path, base+"/new") {
		path = path[strings.Index(path, `<li><a href="`)+len(`<li><a href="`):]
	}
	path, _, _ = strings.Cut(path, `"`)
	openPage(t, h, own, path, 8)
	if page := own.Get(path + "/raw/a"); page.Status != 200 || page.Body != "b" {
		t.Errorf("the file is %d %s", page.Status, page.Body)
	}
	own.NoRedirects()
	if page := own.Get("/-/snippets/" + path[strings.LastIndex(path, "/")+1:]); page.Status != 302 || page.Header.Get("Location") != path {
		t.Errorf("the other address leads to %d %s", page.Status, page.Header.Get("Location"))
	}
	member := h.SignedIn(guest.User)
	lacks(t, openPage(t, h, member, path, 8), "/edit", "/delete")
	hidden(t, member, path+"/edit")
	hidden(t, member, base+"/new")
	form, _ := member.Page.Fields("/users/sign_out")
	if page := member.Post(path+"/delete", form); page.Status != 403 {
		t.Errorf("a guest who deletes gets %d", page.Status)
	}
	stranger := h.SignedIn(other.User)
	for _, hiddenPath := range []string{base, path, path + "/raw/a", "/-/snippets/" + path[strings.LastIndex(path, "/")+1:]} {
		hidden(t, stranger, hiddenPath)
		hidden(t, h.Browser(), hiddenPath)
	}
}

func TestNoTextMakesThePageOfASnippetLarge(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	long := strings.Repeat("<\n", 60_000)
	body, err := json.Marshal(map[string]any{
		"title": "Long", "visibility": "private", "description": "# a\n\n" + strings.Repeat("*<b>* ", 100_000),
		"files": []map[string]string{{"file_path": "a.go", "content": long}, {"file_path": "b.go", "content": "package b\n"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	made(t, owner, "/snippets", string(body))
	page := openPage(t, h, h.SignedIn(owner.User), "/-/snippets/1", 8)
	has(t, page, "too large to be shown", `<span class="hk">package</span>`)
	if len(page.Body) > 150_000 {
		t.Errorf("the page has %d bytes", len(page.Body))
	}
}
