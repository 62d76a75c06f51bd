package git

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"svc/store/model"
)

// expectLines checks that the output of a push has lines of the server in this order, and no other link.
func expectLines(t *testing.T, what, out string, want ...string) {
	t.Helper()
	var said []string
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "remote:"); ok && strings.TrimSpace(text) != "" {
			said = append(said, strings.TrimSpace(text))
		}
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("%s: the server said\n%s\nwant\n%s", what, got, strings.Join(want, "\n"))
	}
}

func TestAPushShowsWhereToCreateOrViewAMergeRequest(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	page, api := h.URL+"/"+p.FullPath+"/-/merge_requests", "/projects/"+url.PathEscape(p.FullPath)
	ours := remote(h, "oauth2", ann.Token, p.FullPath)
	with := []string{"-c", "core.sshCommand=" + sshCommand(sshKey(t, ann, ""))}
	shell := "ssh://git@" + address + "/" + p.FullPath + ".git"
	here := newRepository(t)
	expectLines(t, "the first push", must(t, here, "push", ours, "main", "main:early"))
	create := func(branch string) []string {
		return []string{
			"To create a merge request for " + branch + ", visit:",
			page + "/new?merge_request%5Bsource_branch%5D=" + url.QueryEscape(branch),
		}
	}
	commit(t, here, "a", "a")
	expectLines(t, "the default branch", must(t, here, "push", ours, "main"))
	expectLines(t, "a tag", must(t, here, "push", ours, "main:refs/tags/v1"))
	expectLines(t, "a new branch", must(t, here, "push", ours, "main:fix/it"), create("fix/it")...)
	expectLines(t, "over SSH", must(t, here, append(with, "push", shell, "main:shell")...), create("shell")...)
	expectLines(t, "two branches", must(t, here, "push", ours, "main:x", "main:y"), append(create("x"), create("y")...)...)
	expectLines(t, "a deletion", must(t, here, "push", ours, ":y"))

	commit(t, here, "b", "b")
	must(t, here, "push", "-q", ours, "HEAD:fix/it")
	made := ann.JSON("POST", api+"/merge_requests", `{"title":"It","source_branch":"fix/it","target_branch":"main"}`)
	if made.Status != 201 {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	view := []string{"View the merge request for fix/it:", page + "/1"}
	commit(t, here, "c", "c")
	expectLines(t, "an open merge request", must(t, here, "push", ours, "HEAD:fix/it"), view...)
	commit(t, here, "d", "d")
	expectLines(t, "over SSH", must(t, here, append(with, "push", shell, "HEAD:fix/it")...), view...)

	for body, name := range map[string]string{
		"printing_merge_request_link_enabled=false":                                     "off",
		"printing_merge_request_link_enabled=true&merge_requests_access_level=disabled": "none",
	} {
		if got := ann.Form("PUT", api, body); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		expectLines(t, body, must(t, here, "push", ours, "main:"+name))
	}
}

// Users who cannot see the target project of a merge request from a fork do not learn about it.
func TestAPushDoesNotShowAMergeRequestThatThePusherCannotSee(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann, ben := h.NewUser(), h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "oauth2", ann.Token, p.FullPath), "main")
	fork := h.Project(*ben.User.NamespaceID, func(f *model.Project) { f.ForkedFromID = &p.ID })
	h.JoinProject(p, ben.User, model.Developer)
	ours := remote(h, "oauth2", ben.Token, fork.FullPath)
	must(t, here, "push", "-q", ours, "main")
	commit(t, here, "a", "a")
	must(t, here, "push", "-q", ours, "HEAD:fix")
	made := ben.JSON("POST", "/projects/"+url.PathEscape(fork.FullPath)+"/merge_requests",
		`{"title":"It","source_branch":"fix","target_branch":"main","target_project_id":`+strconv.FormatInt(p.ID, 10)+`}`)
	if made.Status != 201 {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	commit(t, here, "b", "b")
	expectLines(t, "with access", must(t, here, "push", ours, "HEAD:fix"),
		"View the merge request for fix:", h.URL+"/"+p.FullPath+"/-/merge_requests/1")
	cleo := h.NewUser()
	h.JoinProject(fork, cleo.User, model.Developer)
	if got := ann.Form("PUT", "/projects/"+url.PathEscape(p.FullPath), "visibility=private"); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	commit(t, here, "c", "c")
	out := must(t, here, "push", remote(h, "oauth2", cleo.Token, fork.FullPath), "HEAD:fix")
	if strings.Contains(out, p.FullPath) || !strings.Contains(out, "To create a merge request for fix") {
		t.Errorf("without access:\n%s", out)
	}
}
