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

// refNameTest is a project with a maintainer and a developer, who try to use misleading names.
type refNameTest struct {
	h                     *harness.H
	maintainer, developer *harness.Caller
	project, path         string // the full path of the project, and its API path
	disk, here            string // the repository of the server, and the local one
}

func newRefNameTest(t *testing.T) *refNameTest {
	t.Helper()
	h, folder := newServerWithFolder(t)
	h.StartWorker()
	group := h.Group()
	r := &refNameTest{
		h: h, maintainer: h.Member(group, model.Maintainer), developer: h.Member(group, model.Developer),
		project: group.FullPath + "/p", here: newRepository(t),
	}
	r.path = "/projects/" + url.PathEscape(r.project)
	made := r.maintainer.JSON("POST", "/projects", fmt.Sprintf(`{"name":"p","namespace_id":%d}`, group.ID))
	if made.Status != 201 {
		t.Fatal(made.Body)
	}
	r.disk = repositories(t, folder)[0]
	must(t, r.here, "push", "-q", remote(h, "x", r.maintainer.Token, r.project), "main")
	return r
}

// hasRefs checks which refs the repository of the server has.
func (r *refNameTest) hasRefs(t *testing.T, want string) {
	t.Helper()
	if got := must(t, r.here, "--git-dir", r.disk, "for-each-ref", "--format=%(refname)"); got != want {
		t.Errorf("the refs are\n%swant\n%s", got, want)
	}
}

// addMisleadingRefs adds branches and tags behind the back of the server.
func (r *refNameTest) addMisleadingRefs(t *testing.T) {
	t.Helper()
	for _, name := range misleading {
		must(t, r.here, "--git-dir", r.disk, "update-ref", "refs/heads/"+name, "refs/heads/main")
		must(t, r.here, "--git-dir", r.disk, "update-ref", "refs/tags/"+name, "refs/heads/main")
	}
}

func TestRefsNamedLikeAnIDOrAnOptionAreRefused(t *testing.T) {
	t.Parallel()
	r := newRefNameTest(t)
	for _, c := range []*harness.Caller{r.maintainer, r.developer} {
		for _, name := range misleading {
			r.pushIsRefused(t, c, name)
			r.requestsAreRefused(t, c, name)
		}
	}
	for _, name := range misleading {
		if got := r.maintainer.JSON("POST", "/projects", `{"name":"q","default_branch":"`+name+`"}`); got.Status != 400 {
			t.Errorf("as the default branch: %s: %d %s", name, got.Status, got.Body)
		}
	}
	r.hasRefs(t, "refs/heads/good\nrefs/heads/main\n")
}

// pushIsRefused checks that a push creates no branch and no tag with a name, although another branch of it is accepted.
func (r *refNameTest) pushIsRefused(t *testing.T, c *harness.Caller, name string) {
	t.Helper()
	at := remote(r.h, "x", c.Token, r.project)
	for _, kind := range []string{"refs/heads/", "refs/tags/"} {
		refused(t, "look like a commit ID", r.here, "push", at, "main:"+kind+name, "main:refs/heads/good")
	}
}

// requestsAreRefused checks that no request to the API creates or reads a ref with a name.
func (r *refNameTest) requestsAreRefused(t *testing.T, c *harness.Caller, name string) {
	t.Helper()
	const actions = `"commit_message":"m","actions":[{"action":"create","file_path":"x","content":"x"}]`
	for _, ask := range [][2]string{
		{"/repository/branches", `{"branch":"NAME","ref":"main"}`},
		{"/repository/tags", `{"tag_name":"NAME","ref":"main"}`},
		{"/repository/tags", `{"tag_name":"NAME","ref":"main","message":"m"}`},
		{"/repository/commits", `{"branch":"NAME","start_branch":"main",` + actions + `}`},
		{"/repository/commits", `{"branch":"new","start_branch":"NAME",` + actions + `}`},
		{"/repository/files/x", `{"branch":"NAME","start_branch":"main","commit_message":"m","content":"x"}`},
	} {
		if got := c.JSON("POST", r.path+ask[0], strings.ReplaceAll(ask[1], "NAME", name)); got.Status != 400 {
			t.Errorf("%s %s: %d %s", ask[0], name, got.Status, got.Body)
		}
	}
}

func TestAForkDoesNotCopyMisleadingRefs(t *testing.T) {
	t.Parallel()
	r := newRefNameTest(t)
	must(t, r.here, "push", "-q", remote(r.h, "x", r.maintainer.Token, r.project), "main:good")
	r.addMisleadingRefs(t)
	if made := r.maintainer.JSON("POST", r.path+"/fork", `{}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	fork := r.maintainer.User.Username + "/p"
	waitForFork(t, r.maintainer, "/projects/"+url.PathEscape(fork))
	if got := must(
		t, r.here, "ls-remote", "--refs", remote(r.h, "x", r.maintainer.Token, fork),
	); strings.Count(got, "\n") != 2 {
		t.Errorf("the fork has\n%s", got)
	}
}

func TestMisleadingRefsCanBeDeletedButNotMoved(t *testing.T) {
	t.Parallel()
	r := newRefNameTest(t)
	r.addMisleadingRefs(t)
	at := remote(r.h, "x", r.maintainer.Token, r.project)
	commit(t, r.here, "more", "more")
	for _, name := range misleading {
		refused(t, "look like a commit ID", r.here, "push", "-f", at, "main:refs/heads/"+name, "main:refs/tags/"+name)
		must(t, r.here, "push", "-q", at, ":refs/heads/"+name, ":refs/tags/"+name)
	}
	r.addMisleadingRefs(t)
	for _, name := range misleading {
		// Only maintainers may delete existing tags.
		for kind, c := range map[string]*harness.Caller{"branches/": r.developer, "tags/": r.maintainer} {
			if got := c.Send("DELETE", r.path+"/repository/"+kind+url.PathEscape(name), ""); got.Status != 204 {
				t.Errorf("%s%s: %d %s", kind, name, got.Status, got.Body)
			}
		}
	}
	r.hasRefs(t, "refs/heads/main\n")
}

// pinnedTest is a project with a commit, and with branches and tags that are named like its id but lead to a later
// commit.
type pinnedTest struct {
	h             *harness.H
	ann           *harness.Caller
	project, path string // the full path of the project, and its API path
	here          string // the local repository
	pinned, later string // the commits
	long, gone    string // names of branches and tags that are not the id of any commit
}

func newPinnedTest(t *testing.T) *pinnedTest {
	t.Helper()
	h, folder := newServerWithFolder(t)
	ann := h.NewUser()
	if made := ann.JSON("POST", "/projects", `{"name":"p"}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	disk := repositories(t, folder)[0]
	c := &pinnedTest{
		h: h, ann: ann, project: ann.User.Username + "/p", here: newRepository(t),
		long: strings.Repeat("0f", 32), gone: strings.Repeat("1a", 20),
	}
	c.path = "/projects/" + url.PathEscape(c.project)
	commit(t, c.here, "ci.yml", "good: {script: [true]}\n")
	c.pinned = id(t, c.here, "HEAD")
	commit(t, c.here, "ci.yml", "bad: {script: [true]}\n")
	c.later = id(t, c.here, "HEAD")
	must(t, c.here, "push", "-q", remote(h, "x", ann.Token, c.project), "main")
	for _, name := range []string{c.pinned, strings.ToUpper(c.pinned), c.long, c.gone} {
		must(t, c.here, "--git-dir", disk, "update-ref", "refs/heads/"+name, c.later)
		must(t, c.here, "--git-dir", disk, "update-ref", "refs/tags/"+name, c.later)
	}
	return c
}

func TestACommitIDIsNeverReadAsABranchName(t *testing.T) {
	t.Parallel()
	c := newPinnedTest(t)
	c.requestsReadTheCommit(t)
	c.pipelinesReadTheCommit(t)
	clone := filepath.Join(t.TempDir(), "clone")
	must(t, c.here, "clone", "-q", remote(c.h, "x", c.ann.Token, c.project), clone)
	if _, err := os.Stat(filepath.Join(clone, "ci.yml")); err != nil {
		t.Error(err)
	}
}

func (c *pinnedTest) requestsReadTheCommit(t *testing.T) {
	t.Helper()
	good := `good: {script: [true]}`
	for _, name := range []string{c.pinned, strings.ToUpper(c.pinned)} {
		if got := c.ann.Send("GET", c.path+"/repository/files/ci.yml/raw?ref="+name, ""); strings.TrimSpace(got.Body) != good {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
	for ask, want := range map[string]string{
		"/repository/commits/" + c.pinned:                           `"id":"` + c.pinned,
		"/repository/commits?ref_name=" + c.pinned:                  `[{"id":"` + c.pinned,
		"/repository/commits/" + c.pinned + "~1":                    `"id":"` + id(t, c.here, "main~2"),
		"/repository/files/ci.yml?ref=" + c.pinned:                  `"commit_id":"` + c.pinned,
		"/repository/compare?from=" + c.later + "~1&to=" + c.pinned: `"commits":[]`,
		"/repository/merge_base?refs[]=main&refs[]=" + c.pinned:     `"id":"` + c.pinned,
		"/repository/tree?ref=" + c.pinned:                          id(t, c.here, "main~1:ci.yml"),
		"/repository/archive.tar?sha=" + c.pinned:                   good,
		"/repository/branches/" + c.gone:                            c.later,
	} {
		if got := c.ann.Send("GET", c.path+ask, ""); got.Status != 200 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %.300s", ask, got.Status, got.Body)
		}
	}
	for _, name := range []string{c.long, c.gone, c.long + "~1", c.gone + "~1"} {
		if got := c.ann.Send("GET", c.path+"/repository/files/ci.yml/raw?ref="+name, ""); got.Status != 404 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
}

func (c *pinnedTest) pipelinesReadTheCommit(t *testing.T) {
	t.Helper()
	// The harness compares this answer with the document, whatever it is.
	c.ann.Send("GET", c.path+"/ci/lint?content_ref="+c.pinned+"&dry_run_ref=main", "")
	content := fmt.Sprintf("include: {project: %s, file: ci.yml, ref: %s}", c.project, c.pinned)
	lint := c.ann.JSON("POST", c.path+"/ci/lint", fmt.Sprintf(`{"content":%q,"include_jobs":true}`, content))
	if !strings.Contains(lint.Body, `"name":"good"`) || strings.Contains(lint.Body, `"name":"bad"`) {
		t.Errorf("an included file: %s", lint.Body)
	}
	for _, name := range []string{c.pinned, c.long, c.gone} {
		if got := c.ann.JSON("POST", c.path+"/pipeline", `{"ref":"`+name+`"}`); got.Status != 400 ||
			!strings.Contains(got.Body, "Reference not found") {
			t.Errorf("a pipeline: %d %s", got.Status, got.Body)
		}
	}
}
