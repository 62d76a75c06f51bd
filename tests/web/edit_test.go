package web

import (
	"bytes"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestBranchesAndTagsAreMadeAndDeleted(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Public)
	reader := s.SignedIn(s.NewUserWithPassword().User)
	for _, path := range []string{
		"/-/branches/new", "/-/tags/new", "/-/new/main", "/-/edit/main/main.go", "/-/upload/main", "/-/delete/main/main.go",
	} {
		hidden(t, reader, s.root+path)
		hidden(t, s.Browser(), s.root+path)
	}
	checkPage(t, again(reader, s.root+"/-/branches/new", url.Values{"branch": {"x"}, "ref": {"main"}}), 403, "", "not allowed")
	lacks(t, reader.Get(s.root+"/-/branches"), "New branch", "branches/delete")
	b := s.SignedIn(s.owner.User)
	form := s.root + "/-/branches/new"
	checkPage(t, b.Get(form), 200, form, "New branch")
	checkPage(t, b.Submit(form, url.Values{"branch": {"a..b"}}), 422, form, "Branch name is invalid")
	checkPage(t, b.Submit(form, url.Values{"branch": {"old"}}), 422, form, "Branch already exists")
	checkPage(t, b.Submit(form, url.Values{"branch": {"next/#1"}, "ref": {"nowhere"}}), 422, form, "Invalid reference name: nowhere")
	checkPage(t, b.Submit(form, url.Values{"branch": {"next/#1"}, "ref": {"old"}}), 200, "", "The branch was made.")
	gone := s.root + "/-/branches/delete"
	b.Get(s.root + "/-/branches?search=next")
	checkPage(t, b.Submit(gone, nil), 200, s.root+"/-/branches", "The branch next/#1 was deleted.")
	checkPage(t, again(b, gone, url.Values{"name": {"main"}}), 400, "", "The default branch of a project cannot be deleted.")
	form = s.root + "/-/tags/new"
	checkPage(t, b.Get(form), 200, form, "New tag")
	checkPage(t, b.Submit(form, url.Values{"tag": {"v1.0"}}), 422, form, "Tag v1.0 already exists")
	checkPage(t, b.Submit(form, url.Values{"tag": {"v2.0"}, "message": {"The <second>"}}), 200, s.root+"/-/tags/v2.0", "The tag was made.")
	checkPage(t, b.Page, 200, s.root+"/-/tags/v2.0", "The <second>")
	checkPage(t, b.Submit(s.root+"/-/tags/delete", nil), 200, s.root+"/-/tags", "The tag v2.0 was deleted.")
}

func TestFilesAreWrittenInTheBrowser(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	form := s.root + "/-/new/main/docs"
	has(t, openPage(t, s.H, b, form, 10), `value="docs/"`)
	checkPage(t, b.Submit(form, url.Values{"file": {"docs/../x"}, "content": {"x"}}), 422, form, "Path of the file is not a valid path")
	checkPage(t, b.Submit(form, url.Values{"file": {"docs/new.txt"}, "content": {"x"}, "message": {""}}),
		422, form, "Commit message can't be blank")
	content := "\r\nfirst\r\n<b>&\r\n"
	checkPage(t, b.Submit(form, url.Values{"file": {"docs/new.txt"}, "content": {content}, "message": {"Write"}}),
		200, s.root+"/-/blob/main/docs/new.txt", "The file was committed.")
	if raw := b.Get(s.root + "/-/raw/main/docs/new.txt"); raw.Body != "\nfirst\n<b>&\n" {
		t.Errorf("%q", raw.Body)
	}
	edit := s.root + "/-/edit/main/docs/new.txt"
	has(t, openPage(t, s.H, b, edit, 10), "wrap=\"off\">\n\nfirst\n&lt;b&gt;&amp;\n</textarea>")
	other := s.SignedIn(s.owner.User)
	other.Get(edit)
	checkPage(t, b.Submit(edit, url.Values{"content": {"mine"}, "message": {"Mine"}}), 200, "", "The file was committed.")
	conflict := other.Submit(edit, url.Values{"content": {"theirs"}, "message": {"Theirs"}})
	checkPage(t, conflict, 422, edit, "Somebody has changed this file since you opened the page.")
	has(t, conflict, "theirs</textarea>", "Open the file as it is now")
	checkPage(t, other.Submit(edit, url.Values{"content": {"theirs"}, "message": {"Theirs"}}),
		422, edit, "Somebody has changed this file") // still
	checkPage(t, other.Submit(edit, url.Values{"content": {"theirs"}, "message": {"Theirs"}, "branch": {"theirs"}}),
		200, s.root+"/-/blob/theirs/docs/new.txt", "committed")
	if raw := b.Get(s.root + "/-/raw/main/docs/new.txt"); raw.Body != "mine" {
		t.Errorf("%q", raw.Body)
	}
	for path, status := range map[string]int{
		"/-/edit/main/docs/plan.png": 422, "/-/edit/main/docs": 404, "/-/edit/main": 404, "/-/edit/main/nothing": 404,
		"/-/edit/v1.0/main.go": 404, "/-/delete/main/docs": 404, "/-/new/nowhere": 404,
	} {
		if page := b.Get(s.root + path); page.Status != status {
			t.Errorf("%s answers %d", path, page.Status)
		}
	}
	gone := s.root + "/-/delete/main/docs/new.txt"
	checkPage(t, b.Get(gone), 200, gone, "The file stays in the history.")
	checkPage(t, b.Submit(gone, url.Values{"message": {"Remove it"}}), 200, s.root+"/-/tree/main/docs", "The file was deleted.")
}

// upload sends a form with a file.
func upload(b *harness.Browser, action, name, content string, fields map[string]string) harness.Page {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	shown, _ := b.Page.Fields(action)
	fields["authenticity_token"] = shown.Get("authenticity_token")
	for field, value := range fields {
		_ = form.WriteField(field, value)
	}
	part, _ := form.CreateFormFile("upload", name)
	_, _ = part.Write([]byte(content))
	_ = form.Close()
	return b.Send("POST", action, body.String(), "Content-Type", form.FormDataContentType())
}

func TestFilesAreUploadedAndProtectedBranchesRespected(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	form := s.root + "/-/upload/main/docs"
	commit := func(more ...string) map[string]string {
		fields := map[string]string{"message": "Upload", "branch": "main"}
		for i := 0; i+1 < len(more); i += 2 {
			fields[more[i]] = more[i+1]
		}
		return fields
	}
	b.Get(form)
	checkPage(t, upload(b, form, "a b.bin", "\x00\xff", commit()), 200, "", "The file was committed.")
	b.Get(form)
	checkPage(t, upload(b, form, "a b.bin", "again", commit()), 422, form, "already exists")
	checkPage(t, upload(b, form, "a b.bin", "again", commit("replace", "1")), 200, "", "committed")
	if raw := b.Get(s.root + "/-/raw/main/docs/a%20b.bin"); raw.Body != "again" {
		t.Errorf("%q", raw.Body)
	}
	b.Get(form)
	checkPage(t, upload(b, form, ".git", "x", commit()), 422, form, "a name that git does not accept")
	checkPage(t, b.Post(form, url.Values{}), 422, "", "expired")
	developer := s.NewUserWithPassword()
	s.JoinProject(s.project, developer.User, model.Developer)
	d := s.SignedIn(developer.User)
	edit := s.root + "/-/edit/main/main.go"
	page := d.Get(edit) // the first push has protected the default branch
	checkPage(t, page, 200, edit, "You may not push to main")
	checkPage(t, d.Submit(edit, url.Values{"content": {"x"}, "message": {"X"}, "branch": {"main"}}),
		422, edit, "You are not allowed to push into this branch")
	checkPage(t, d.Submit(edit, url.Values{"content": {"x"}, "message": {"X"}, "branch": {developer.User.Username + "-patch"}}),
		200, "", "committed")
	if strings.Contains(b.Get(s.root+"/-/raw/main/main.go").Body, "x\n") {
		t.Error("the protected branch was changed")
	}
	empty := s.Project(*s.owner.User.NamespaceID)
	first := "/" + empty.FullPath + "/-/new/" + empty.DefaultBranch
	checkPage(t, b.Get(first), 200, first, "New file")
	checkPage(t, b.Submit(first, url.Values{"file": {"README.md"}, "content": {"# Hello"}, "message": {"Begin"}}),
		200, "/"+empty.FullPath+"/-/blob/"+empty.DefaultBranch+"/README.md", "Hello")
}
