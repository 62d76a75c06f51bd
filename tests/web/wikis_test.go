package web

import (
	"fmt"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const wikiText = "# Start\n\n[other](guides/other) ![map](uploads/x/map.png) ![spy](https://example.com/spy.png)\n\n" +
	"<script>alert(1)</script>\n\n[bad](javascript:alert(1))\n"

func TestAWikiIsReadAndWritten(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID)
	base := "/" + project.FullPath + "/-/"
	b := h.SignedIn(owner.User)
	checkPage(t, openPage(t, h, b, base+"wikis", 6), 200, base+"wikis", "Write the start page")
	checkPage(t, b.Get(base+"wikis/home"), 200, base+"wikis", "Write the start page")
	b.Get(base + "wiki/new?title=home")
	checkPage(t, b.Submit(base+"wiki/new", url.Values{"format": {"markdown"}, "content": {strings.ReplaceAll(wikiText, "\n", "\r\n")}}),
		200, base+"wikis/home", "The page was created")
	page := openPage(t, h, b, base+"wikis/home", 6)
	has(t, page,
		`<a href="`+base+`wikis/guides/other">other</a>`, `<img src="`+base+`wiki/raw/uploads/x/map.png" alt="map"`,
		`<a href="https://example.com/spy.png">spy</a>`, "&lt;script&gt;", `aria-current="page"`, ">Wiki</a>",
	)
	lacks(t, page, "<script>alert", "javascript:", `src="https:`)
	b.Get(base + "wiki/new")
	for _, bad := range []url.Values{
		{"title": {""}, "format": {"markdown"}},
		{"title": {"../x"}, "format": {"markdown"}},
		{"title": {"home"}, "format": {"markdown"}},
		{"title": {"x"}, "format": {"word"}},
	} {
		page := b.Submit(base+"wiki/new", bad)
		if page.Status != 422 || !strings.Contains(page.Body, `class="error"`) && !strings.Contains(page.Body, `class="mistakes"`) {
			t.Errorf("%v answers %d:\n%s", bad, page.Status, page.Text())
		}
	}
	b.Get(base + "wiki/edit/home")
	edit := url.Values{"title": {"Start page"}, "format": {"markdown"}, "content": {"# Second <b>"}}
	checkPage(t, b.Submit(base+"wiki/edit/home", edit), 200, base+"wikis/Start-page", "The page was saved")
	page = openPage(t, h, b, base+"wiki/history/Start-page", 6)
	checkPage(t, page, 200, "", "Update home")
	version := page.Body[strings.Index(page.Body, "?version=")+len("?version="):][:40]
	checkPage(t, openPage(t, h, b, base+"wiki/changes/"+version+"/Start-page", 6), 200, "", "Second <b>")
	checkPage(t, b.Get(base+"wikis/Start-page?version="+version), 200, "", "This is the version")
	hidden(t, b, base+"wikis/Start-page?version=0000000000000000000000000000000000000000")
	hidden(t, b, base+"wikis/none")
	hidden(t, b, base+"wiki/changes/"+version+"/none")
	b.Get(base + "wikis/Start-page")
	checkPage(t, b.Submit(base+"wiki/delete/Start-page", nil), 200, base+"wikis", "The page was deleted")
	hidden(t, b, base+"wikis/Start-page")
}

func TestAPageThatSomebodyElseChangedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID)
	base := "/" + project.FullPath + "/-/"
	made(t, owner, fmt.Sprintf("/projects/%d/wikis", project.ID), `{"title":"home","content":"one"}`)
	first, second := h.SignedIn(owner.User), h.SignedIn(owner.User)
	first.Get(base + "wiki/edit/home")
	second.Get(base + "wiki/edit/home")
	fill := func(text string) url.Values {
		return url.Values{"title": {"home"}, "format": {"markdown"}, "content": {text}}
	}
	checkPage(t, first.Submit(base+"wiki/edit/home", fill("two")), 200, base+"wikis/home", "two")
	checkPage(t, second.Submit(base+"wiki/edit/home", fill("three")), 422, "", "changed by somebody else")
	checkPage(t, second.Get(base+"wikis/home"), 200, "", "two")
}

func TestAVeryLargePageOfAWikiIsNotChangedInAForm(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID)
	base := "/" + project.FullPath + "/-/"
	for name, size := range map[string]int{"small": 20_000, "large": 30_000} {
		body := fmt.Sprintf(`{"title":%q,"content":%q}`, name, strings.Repeat("<", size))
		made(t, owner, fmt.Sprintf("/projects/%d/wikis", project.ID), body)
	}
	b := h.SignedIn(owner.User)
	has(t, openPage(t, h, b, base+"wiki/edit/small", 6), "&lt;&lt;&lt;")
	page := b.Get(base + "wiki/edit/large")
	checkPage(t, page, 422, "", "too large to be changed in the browser")
	lacks(t, page, "&lt;&lt;&lt;")
}

func TestOnlyThoseWithTheRoleChangeAWiki(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Private })
	maker, reader := h.NewUserWithPassword(), h.NewUserWithPassword()
	h.Join(group, maker.User, model.Developer)
	h.Join(group, reader.User, model.Guest)
	base := "/groups/" + group.FullPath + "/-/"
	b := h.SignedIn(maker.User)
	b.Get(base + "wiki/new")
	checkPage(t, b.Submit(base+"wiki/new", url.Values{"title": {"home"}, "format": {"org"}, "content": {"* <plain>"}}),
		200, base+"wikis/home", "* <plain>")
	own := h.SignedIn(reader.User)
	page := openPage(t, h, own, base+"wikis/home", 8)
	lacks(t, page, "wiki/edit/", "wiki/delete/")
	hidden(t, own, base+"wiki/edit/home")
	hidden(t, own, base+"wiki/new")
	form, _ := own.Page.Fields("/users/sign_out")
	for _, path := range []string{"wiki/delete/home", "wiki/new", "wiki/edit/home", "wiki/upload"} {
		if page := own.Post(base+path, form); page.Status != 403 {
			t.Errorf("%s answers %d to a guest", path, page.Status)
		}
	}
	stranger := h.SignedIn(h.NewUserWithPassword().User)
	for _, path := range []string{"wikis", "wikis/home", "wiki/raw/home.org", "wiki/history/home"} {
		hidden(t, stranger, base+path)
		hidden(t, h.Browser(), base+path)
	}
}

func TestFilesOfAWikiAreSentSafely(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID)
	base := "/" + project.FullPath + "/-/"
	attached := owner.File("POST", fmt.Sprintf("/projects/%d/wikis/attachments", project.ID), nil, "file", "x.html", "text/html",
		"<script>alert(1)</script>")
	if attached.Status != 201 {
		t.Fatal(attached.Status, attached.Body)
	}
	path := addressIn(t, attached.Body, "uploads/")
	b := h.SignedIn(owner.User)
	page := b.Get(base + "wiki/raw/" + path)
	if page.Status != 200 || page.Header.Get("Content-Type") != "application/octet-stream" ||
		!strings.HasPrefix(page.Header.Get("Content-Disposition"), "attachment") ||
		!strings.Contains(page.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%s answers %d %v", page.URL, page.Status, page.Header)
	}
	hidden(t, b, base+"wiki/raw/uploads/none")
	checkPage(t, uploadToWiki(t, b, base, "map.png"), 200, base+"wikis", "![map](uploads/")
	checkPage(t, uploadToWiki(t, b, base, ""), 422, base+"wiki/upload", "File is missing")
	hidden(t, b, base+"wiki/raw/uploads")
}

// uploadToWiki sends a file with the form of a wiki; without a name, the form has no file.
func uploadToWiki(t *testing.T, b *harness.Browser, base, name string) harness.Page {
	t.Helper()
	fields, ok := b.Get(base + "wikis").Fields(base + "wiki/upload")
	if !ok {
		t.Fatal("there is no form to upload a file")
	}
	var body strings.Builder
	form := multipart.NewWriter(&body)
	if err := form.WriteField("authenticity_token", fields.Get("authenticity_token")); err != nil {
		t.Fatal(err)
	}
	if name != "" {
		part, err := form.CreateFormFile("file", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte("content")); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Send("POST", base+"wiki/upload", body.String(), "Content-Type", form.FormDataContentType())
}
