package api

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type snip struct {
	ID       int64
	Title    string
	FileName string `json:"file_name"`
	Storage  string `json:"repository_storage"`
	Files    []struct {
		Path   string
		RawURL string `json:"raw_url"`
	}
}

func (s snip) names() string {
	var names []string
	for _, f := range s.Files {
		names = append(names, f.Path)
	}
	return strings.Join(names, " ")
}

func TestAPersonalSnippetIsCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann, bob, root := h.NewUser(func(u *model.User) { u.Username, u.Name = "ann", "Ann" }), h.NewUser(), h.Root()
	made := ann.JSON("POST", "/snippets",
		`{"title":"Notes","description":"of mine","visibility":"internal","files":[{"file_path":"b.txt",`+
			`"content":"bee"},{"file_path":"docs/a.md","content":"<b>ay</b>"}]}`)
	s := read[snip](t, made, 201)
	h.Golden("createSnippet/two_files", made.Body)
	one := fmt.Sprintf("/snippets/%d", s.ID)
	expect(t, ann.Send("GET", one, ""), 200, made.Body)
	expect(t, bob.Send("GET", one, ""), 200, made.Body)
	expect(t, h.Anonymous().Send("GET", one, ""), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, h.NewUser(harness.External).Send("GET", one, ""), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "bee")
	raw := ann.Send("GET", one+"/files/main/docs%2Fa.md/raw", "")
	if raw.Status != 200 || raw.Body != "<b>ay</b>" || !strings.HasPrefix(raw.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %s %v", raw.Status, raw.Body, raw.Header)
	}
	expect(t, ann.Send("GET", one+"/files/HEAD/docs%2Fa.md/raw", ""), 200, "<b>ay</b>")
	for _, path := range []string{"/files/main/none/raw", "/files/other/b.txt/raw", "/files/main/docs/raw", "/files/main/..%2Fb.txt/raw"} {
		if got := ann.Send("GET", one+path, ""); got.Status != 404 && got.Status != 400 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	expect(t, bob.JSON("PUT", one, `{"title":"mine now"}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, bob.Send("DELETE", one, ""), 403, "")
	expect(t, bob.Send("GET", one+"/user_agent_detail", ""), 403, "")
	if got := root.Send("GET", one+"/user_agent_detail", ""); got.Status != 200 || !strings.Contains(got.Body, `"ip_address":"127.0.0.1"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	changed := read[snip](t, ann.JSON("PUT", one,
		`{"title":"Other","visibility":"private","files":[{"action":"move","previous_path":"b.txt",`+
			`"file_path":"z.txt"},{"action":"update","file_path":"docs/a.md","content":"new"},{"action":"create",`+
			`"file_path":"c","content":"sea"}]}`), 200)
	if changed.Title != "Other" || changed.names() != "c docs/a.md z.txt" || changed.FileName != "c" {
		t.Errorf("%+v", changed)
	}
	expect(t, ann.Send("GET", one+"/files/main/z.txt/raw", ""), 200, "bee")
	expect(t, ann.Send("GET", one+"/files/main/docs%2Fa.md/raw", ""), 200, "new")
	expect(t, bob.Send("GET", one, ""), 404, `{"message":"404 Snippet Not Found"}`)
	if got := read[snip](t, root.Send("GET", one, ""), 200); got.Storage != "default" {
		t.Errorf("%+v", got)
	}
	expect(t, ann.Send("DELETE", one, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
	expect(t, ann.Send("DELETE", one, ""), 204, "")
	expect(t, ann.Send("GET", one, ""), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, ann.Send("DELETE", one, ""), 404, `{"message":"404 Snippet Not Found"}`)
}

func TestASnippetOfOneFileIsChangedWithContentAndFileName(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	s := read[snip](t, ann.JSON("POST", "/snippets", `{"title":"t","content":"one"}`), 201)
	if s.names() != "snippetfile1.txt" {
		t.Errorf("%+v", s)
	}
	one := fmt.Sprintf("/snippets/%d", s.ID)
	if got := read[snip](t, ann.JSON("PUT", one, `{"content":"two","file_name":"x.sh"}`), 200); got.names() != "x.sh" {
		t.Errorf("%+v", got)
	}
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "two")
	expect(t, ann.JSON("PUT", one, `{"file_name":"x.sh","title":"same"}`), 200, "")
	if got := read[snip](t, ann.JSON("PUT", one, `{}`), 200); got.Title != "same" {
		t.Errorf("%+v", got)
	}
	expect(t, ann.JSON("PUT", one, `{"files":[{"action":"create","file_path":"y","content":"y"}]}`), 200, "")
	expect(t, ann.JSON("PUT", one, `{"content":"three"}`), 400, `{"error":"Use files to change a snippet with several files"}`)
}

func TestInvalidSnippetsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	many := strings.TrimSuffix(strings.Repeat(`{"file_path":"f%d","content":"x"},`, 11), ",")
	for i := range 11 {
		many = strings.Replace(many, "%d", fmt.Sprint(i), 1)
	}
	for body, want := range map[string]string{
		`{"content":"x"}`: `{"error":"title is missing"}`,
		`{"title":"t"}`:   `{"error":"files, content are missing, exactly one parameter must be provided"}`,

		`{"title":"t","content":"x","files":[{"file_path":"a","content":"x"}]}`: `{"error":"files, content are mutually exclusive"}`,
		`{"title":"t","content":"x","file_name":"../a"}`:                        `{"message":"Path cannot include directory traversal"}`,
		`{"title":"t","content":"x","file_name":".git/config"}`:                 `{"message":"Path cannot include directory traversal"}`,

		`{"title":"t","files":[{"file_path":"a","content":"x"},{"file_path":"a","content":"y"}]}`: `{"message":"A ` +
			`file with this name already exists"}`,
		`{"title":"t","files":[` + many +
			`]}`: `{"message":"A snippet can have at most 10 files"}`,
		`{"title":"t","content":"x","visibility":"everybody"}`:       `{"error":"visibility does not have a valid value"}`,
		`{"title":"` + strings.Repeat("t", 256) + `","content":"x"}`: ``,
		`{"title":"t","files":[{"file_path":"a"}]}`:                  ``,
	} {
		expect(t, ann.JSON("POST", "/snippets", body), 400, want)
	}
	if got := ann.Send("GET", "/snippets", "").Body; got != "[]" {
		t.Error(got)
	}
	one := fmt.Sprintf("/snippets/%d", read[snip](t, ann.JSON("POST", "/snippets", `{"title":"t","content":"x","file_name":"a"}`), 201).ID)
	for body, want := range map[string]string{
		`{"files":[{"action":"delete","file_path":"a"}]}`:               `{"message":"A snippet must have at least one file"}`,
		`{"files":[{"action":"update","file_path":"b","content":"x"}]}`: `{"message":"A file with this name doesn't exist"}`,
		`{"files":[{"action":"create","file_path":"a","content":"x"}]}`: `{"message":"A file with this name already exists"}`,
		`{"files":[{"action":"create","file_path":"b"}]}`:               `{"error":"files[0][content] is missing"}`,
		`{"files":[{"action":"move","file_path":"b"}]}`:                 `{"error":"files[0][previous_path] is missing"}`,
		`{"files":[{"action":"create","content":"x"}]}`:                 `{"error":"files[0][file_path] is missing"}`,
		`{"files":[{"action":"chmod","file_path":"a"}]}`:                ``,
	} {
		expect(t, ann.JSON("PUT", one, body), 400, want)
	}
	expect(t, ann.Send("GET", one+"/raw", ""), 200, "x")
	expect(t, h.Anonymous().JSON("POST", "/snippets", `{"title":"t","content":"x"}`), 401, `{"message":"401 Unauthorized"}`)
}

func TestSnippetsOfAProjectFollowItsRoles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	g := h.Group(func(n *model.Namespace) { n.Visibility = model.Public })
	p := h.Project(g.ID, func(p *model.Project) { p.Visibility = model.Public })
	h.Join(g, owner.User, model.Owner)
	reporter, guest, stranger := h.Member(g, model.Reporter), h.Member(g, model.Guest), h.NewUser()
	all := fmt.Sprintf("/projects/%d/snippets", p.ID)
	expect(t, guest.JSON("POST", all, `{"title":"t","content":"x"}`), 403, "")
	s := read[snip](t, reporter.JSON("POST", all, `{"title":"private","content":"x"}`), 201)
	open := read[snip](t, reporter.JSON("POST", all, `{"title":"open","visibility":"public","content":"y","file_name":"y"}`), 201)
	one := fmt.Sprintf("%s/%d", all, s.ID)
	expect(t, guest.Send("GET", one, ""), 200, "")
	expect(t, stranger.Send("GET", one, ""), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, stranger.Send("GET", fmt.Sprintf("/snippets/%d", s.ID), ""), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, guest.Send("GET", fmt.Sprintf("/snippets/%d/raw", s.ID), ""), 200, "x")
	expect(t, h.Anonymous().Send("GET", fmt.Sprintf("%s/%d/raw", all, open.ID), ""), 200, "y")
	expect(t, h.Anonymous().Send("GET", fmt.Sprintf("%s/%d/files/main/y/raw", all, open.ID), ""), 200, "y")
	for who, want := range map[*harness.Caller]int{guest: 2, stranger: 1, h.Anonymous(): 1} {
		if got := read[[]snip](t, who.Send("GET", all, ""), 200); len(got) != want {
			t.Errorf("%d, not %d: %+v", len(got), want, got)
		}
	}
	expect(t, guest.JSON("PUT", one, `{"title":"n"}`), 403, "")
	expect(t, stranger.JSON("PUT", one, `{"title":"n"}`), 404, "")
	expect(t, owner.JSON("PUT", one, `{"title":"by the owner"}`), 200, "")
	expect(t, h.Root().Send("GET", one+"/user_agent_detail", ""), 200, "")
	expect(t, owner.Send("GET", one+"/user_agent_detail", ""), 403, "")
	expect(t, owner.Send("GET", fmt.Sprintf("%s/%d", all, 999), ""), 404, `{"message":"404 Snippet Not Found"}`)
	other := h.Project(g.ID)
	expect(t, owner.Send("GET", fmt.Sprintf("/projects/%d/snippets/%d", other.ID, s.ID), ""), 404, `{"message":"404 Snippet Not Found"}`)
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"snippets_access_level":"disabled"}`), 200, "")
	expect(t, owner.Send("GET", one, ""), 403, "")
	expect(t, reporter.Send("GET", fmt.Sprintf("/snippets/%d", s.ID), ""), 404, "")
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"snippets_access_level":"enabled"}`), 200, "")
	expect(t, reporter.Send("DELETE", one, ""), 204, "")
}

func TestListsOfSnippetsShowWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann, bob := h.NewUser(), h.NewUser()
	for _, level := range []string{"private", "internal", "public"} {
		expect(t, ann.JSON("POST", "/snippets", `{"title":"`+level+`","visibility":"`+level+`","content":"x"}`), 201, "")
	}
	g := h.Group()
	p := h.Project(g.ID)
	member := h.Member(g, model.Reporter)
	expect(t, member.JSON("POST", fmt.Sprintf("/projects/%d/snippets", p.ID),
		`{"title":"of a project","visibility":"public","content":"x"}`), 201, "")
	titles := func(c *harness.Caller, path string) string {
		var names []string
		for _, s := range read[[]snip](t, c.Send("GET", path, ""), 200) {
			names = append(names, s.Title)
		}
		return strings.Join(names, ",")
	}
	for _, c := range []struct {
		who        *harness.Caller
		path, want string
	}{
		{ann, "/snippets", "public,internal,private"},
		{bob, "/snippets", ""},
		{member, "/snippets", "of a project"},
		{bob, "/snippets/public", "public"},
		{bob, "/snippets/all", "public,internal"},
		{ann, "/snippets/all", "public,internal,private"},
		{member, "/snippets/all", "of a project,public,internal"},
		{h.NewUser(harness.External), "/snippets/all", "public"},
		{h.Root(), "/snippets/all", "of a project,public,internal,private"},
		{h.Root(), "/snippets/all?repository_storage=other", ""},
		{ann, "/snippets?created_after=2001-01-01T00:00:00Z&per_page=1&page=2", "internal"},
		{ann, "/snippets?created_before=2001-01-01T00:00:00Z", ""},
	} {
		if got := titles(c.who, c.path); got != c.want {
			t.Errorf("%s: %q, not %q", c.path, got, c.want)
		}
	}
	expect(t, h.Anonymous().Send("GET", "/snippets/public", ""), 401, "")
}

// countRepositoriesOfKind counts the repositories of a kind (snippets, groups) in a storage.
func countRepositoriesOfKind(t *testing.T, folder, kind string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "@"+kind, "*", "*", "*.git"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func TestSnippetsAreDeletedWithTheirOwners(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann, root := h.NewUser(), h.Root()
	g := h.Group()
	p := h.Project(g.ID)
	h.Join(g, ann.User, model.Developer)
	expect(t, ann.JSON("POST", "/snippets", `{"title":"own","content":"x"}`), 201, "")
	kept := read[snip](t, ann.JSON("POST", fmt.Sprintf("/projects/%d/snippets", p.ID), `{"title":"of the project","content":"x"}`), 201)
	storage := filepath.Join(h.Data, "repositories")
	if n := countRepositoriesOfKind(t, storage, "snippets"); n != 2 {
		t.Fatalf("%d repositories", n)
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%d", ann.User.ID), ""), 204, "")
	h.StartWorker()
	one := fmt.Sprintf("/snippets/%d", kept.ID)
	waitForAnswer(t, "one snippet is left, which belongs to the ghost user",
		func() harness.Answer { return root.Send("GET", one, "") },
		func(got harness.Answer) bool {
			return strings.Contains(got.Body, "Ghost User") && countRepositoriesOfKind(t, storage, "snippets") == 1
		})
	expect(t, root.Send("DELETE", fmt.Sprintf("/projects/%d", p.ID), ""), 202, "")
	expect(t, root.Send("GET", one, ""), 404, "")
}
