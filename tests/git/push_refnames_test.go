package git

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// misleading are names that could be mistaken for an id, for HEAD or for an option.
var misleading = []string{
	strings.Repeat("1a", 20), strings.Repeat("AB", 20), strings.Repeat("0f", 32), "HEAD", "-x", "--output=x",
}

func TestRefsNamedLikeAnIDOrAnOptionAreRefused(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	h.StartWorker()
	group := h.Group()
	maintainer, developer := h.Member(group, model.Maintainer), h.Member(group, model.Developer)
	made := maintainer.JSON("POST", "/projects", fmt.Sprintf(`{"name":"p","namespace_id":%d}`, group.ID))
	if made.Status != 201 {
		t.Fatal(made.Body)
	}
	disk := repositories(t, folder)[0]
	path := "/projects/" + url.PathEscape(group.FullPath+"/p")
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", maintainer.Token, group.FullPath+"/p"), "main")
	for _, c := range []*harness.Caller{maintainer, developer} {
		at := remote(h, "x", c.Token, group.FullPath+"/p")
		for _, name := range misleading {
			for _, kind := range []string{"refs/heads/", "refs/tags/"} {
				refused(t, "look like a commit ID", here, "push", at, "main:"+kind+name, "main:refs/heads/good")
			}
			for _, ask := range [][2]string{
				{"/repository/branches", `{"branch":"NAME","ref":"main"}`},
				{"/repository/tags", `{"tag_name":"NAME","ref":"main"}`},
				{"/repository/tags", `{"tag_name":"NAME","ref":"main","message":"m"}`},
				{
					"/repository/commits",
					`{"branch":"NAME","start_branch":"main","commit_message":"m","actions":[{"action":"create",` +
						`"file_path":"x","content":"x"}]}`,
				},
				{
					"/repository/commits",
					`{"branch":"new","start_branch":"NAME","commit_message":"m","actions":[{"action":"create",` +
						`"file_path":"x","content":"x"}]}`,
				},
				{"/repository/files/x", `{"branch":"NAME","start_branch":"main","commit_message":"m","content":"x"}`},
			} {
				if got := c.JSON("POST", path+ask[0], strings.ReplaceAll(ask[1], "NAME", name)); got.Status != 400 {
					t.Errorf("%s %s: %d %s", ask[0], name, got.Status, got.Body)
				}
			}
		}
	}
	for _, name := range misleading {
		if got := maintainer.JSON("POST", "/projects", `{"name":"q","default_branch":"`+name+`"}`); got.Status != 400 {
			t.Errorf("as the default branch: %s: %d %s", name, got.Status, got.Body)
		}
	}
	if got := must(t, here, "--git-dir", disk, "for-each-ref", "--format=%(refname)"); got != "refs/heads/good\nrefs/heads/main\n" {
		t.Errorf("the refs are\n%s", got)
	}
	// Existing refs with such names can be deleted, and a fork does not copy them.
	there := func() {
		for _, name := range misleading {
			must(t, here, "--git-dir", disk, "update-ref", "refs/heads/"+name, "refs/heads/main")
			must(t, here, "--git-dir", disk, "update-ref", "refs/tags/"+name, "refs/heads/main")
		}
	}
	there()
	if made := maintainer.JSON("POST", path+"/fork", `{}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	fork := "/projects/" + url.PathEscape(maintainer.User.Username+"/p")
	eventually(t, "the fork is finished", func() bool {
		return strings.Contains(maintainer.Send("GET", fork, "").Body, `"import_status":"finished"`)
	})
	if got := must(
		t, here, "ls-remote", "--refs", remote(h, "x", maintainer.Token, maintainer.User.Username+"/p"),
	); strings.Count(got, "\n") != 2 {
		t.Errorf("the fork has\n%s", got)
	}
	at := remote(h, "x", maintainer.Token, group.FullPath+"/p")
	commit(t, here, "more", "more")
	for _, name := range misleading {
		refused(t, "look like a commit ID", here, "push", "-f", at, "main:refs/heads/"+name, "main:refs/tags/"+name)
		must(t, here, "push", "-q", at, ":refs/heads/"+name, ":refs/tags/"+name)
	}
	there()
	for _, name := range misleading {
		// Only maintainers may delete existing tags.
		for kind, c := range map[string]*harness.Caller{"branches/": developer, "tags/": maintainer} {
			if got := c.Send("DELETE", path+"/repository/"+kind+url.PathEscape(name), ""); got.Status != 204 {
				t.Errorf("%s%s: %d %s", kind, name, got.Status, got.Body)
			}
		}
	}
	if got := must(t, here, "--git-dir", disk, "for-each-ref", "--format=%(refname)"); got != "refs/heads/good\nrefs/heads/main\n" {
		t.Errorf("left are\n%s", got)
	}
}

// The branches and tags are named like the id of a commit, but lead to a later commit.
func TestACommitIDIsNeverReadAsABranchName(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann := h.NewUser()
	if made := ann.JSON("POST", "/projects", `{"name":"p"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	disk := repositories(t, folder)[0]
	path := "/projects/" + url.PathEscape(ann.User.Username+"/p")
	here := newRepository(t)
	commit(t, here, "ci.yml", "good: {script: [true]}\n")
	pinned := id(t, here, "HEAD")
	commit(t, here, "ci.yml", "bad: {script: [true]}\n")
	later := id(t, here, "HEAD")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, ann.User.Username+"/p"), "main")
	long, gone := strings.Repeat("0f", 32), strings.Repeat("1a", 20)
	for _, name := range []string{pinned, strings.ToUpper(pinned), long, gone} {
		must(t, here, "--git-dir", disk, "update-ref", "refs/heads/"+name, later)
		must(t, here, "--git-dir", disk, "update-ref", "refs/tags/"+name, later)
	}
	good := `good: {script: [true]}`
	for _, name := range []string{pinned, strings.ToUpper(pinned)} {
		if got := ann.Send("GET", path+"/repository/files/ci.yml/raw?ref="+name, ""); strings.TrimSpace(got.Body) != good {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
	for ask, want := range map[string]string{
		"/repository/commits/" + pinned:                         `"id":"` + pinned,
		"/repository/commits?ref_name=" + pinned:                `[{"id":"` + pinned,
		"/repository/commits/" + pinned + "~1":                  `"id":"` + id(t, here, "main~2"),
		"/repository/files/ci.yml?ref=" + pinned:                `"commit_id":"` + pinned,
		"/repository/compare?from=" + later + "~1&to=" + pinned: `"commits":[]`,
		"/repository/merge_base?refs[]=main&refs[]=" + pinned:   `"id":"` + pinned,
		"/repository/tree?ref=" + pinned:                        id(t, here, "main~1:ci.yml"),
		"/repository/archive.tar?sha=" + pinned:                 good,
		"/ci/lint?content_ref=" + pinned + "&dry_run_ref=main":  `"`,
		"/repository/branches/" + gone:                          later,
	} {
		if got := ann.Send("GET", path+ask, ""); ask[:3] != "/ci" && (got.Status != 200 || !strings.Contains(got.Body, want)) {
			t.Errorf("%s: %d %.300s", ask, got.Status, got.Body)
		}
	}
	for _, name := range []string{long, gone, long + "~1", gone + "~1"} {
		if got := ann.Send("GET", path+"/repository/files/ci.yml/raw?ref="+name, ""); got.Status != 404 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	content := fmt.Sprintf("include: {project: %s/p, file: ci.yml, ref: %s}", ann.User.Username, pinned)
	lint := ann.JSON("POST", path+"/ci/lint", fmt.Sprintf(`{"content":%q,"include_jobs":true}`, content))
	if !strings.Contains(lint.Body, `"name":"good"`) || strings.Contains(lint.Body, `"name":"bad"`) {
		t.Errorf("an included file: %s", lint.Body)
	}
	for _, name := range []string{pinned, long, gone} {
		if got := ann.JSON("POST", path+"/pipeline", `{"ref":"`+name+`"}`); got.Status != 400 ||
			!strings.Contains(got.Body, "Reference not found") {
			t.Errorf("a pipeline: %d %s", got.Status, got.Body)
		}
	}
	clone := filepath.Join(t.TempDir(), "clone")
	must(t, here, "clone", "-q", remote(h, "x", ann.Token, ann.User.Username+"/p"), clone)
	if _, err := os.Stat(filepath.Join(clone, "ci.yml")); err != nil {
		t.Error(err)
	}
}
