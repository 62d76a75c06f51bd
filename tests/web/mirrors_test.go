package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// updatedMirrors waits until no mirror of a page is being updated, and returns the page.
func updatedMirrors(t *testing.T, b *harness.Browser, path string) harness.Page {
	t.Helper()
	var page harness.Page
	wait.Until(t, "the mirrors are updated", func() bool {
		page = b.Get(path)
		return page.Status == 200 && !strings.Contains(page.Body, "is being updated")
	})
	return page
}

func TestMirrorsAreAddedAndRemovedOnAPage(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	s.StartWorker()
	other := harness.NewGitServer(t, harness.NewHistory(t))
	b, path := s.SignedIn(s.owner.User), s.root+"/-/settings/mirrors"
	has(t, openPage(t, s.H, b, path, 10), "pushes to no other server", "pulls from no other server")
	checkPage(t, b.Submit(path, url.Values{"url": {"ssh://git@example.com/a.git"}}), 422, path, "Only allowed schemes are http, https")
	checkPage(t, b.Submit(path, url.Values{"url": {other.Remote()}, "mirror_branch_regex": {"("}}), 422, path,
		"is not a valid regular expression")
	b.Get(path)
	plain := strings.Replace(other.Remote(), harness.GitUser+":"+harness.GitPassword+"@", "", 1)
	form := url.Values{"url": {plain}, "user": {harness.GitUser}, "password": {harness.GitPassword}}
	checkPage(t, b.Submit(path, form), 200, path, "The mirror was added")
	page := updatedMirrors(t, b, path)
	has(t, page, "up to date", other.Masked(), "all branches")
	lacks(t, page, harness.GitPassword)
	rows, _, err := s.Store.RemoteMirrors.List(t.Context(), s.project.ID, storePage)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	one := fmt.Sprintf("%s/%d", path, rows[0].ID)
	checkPage(t, b.Submit(one+"/sync", nil), 200, path, "The mirror is being updated.")
	updatedMirrors(t, b, path)
	checkPage(t, b.Submit(one+"/switch", nil), 200, path, "The mirror was switched off.")
	has(t, b.Page, "switched off", "Switch on")
	checkPage(t, b.Submit(one+"/switch", nil), 200, path, "The mirror was switched on")
	updatedMirrors(t, b, path)
	checkPage(t, b.Submit(one+"/remove", nil), 200, path, "The mirror was removed.")
	checkPage(t, again(b, one+"/remove", url.Values{}), 404, "", "")
}

func TestAPullMirrorIsSetOnAPage(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	s.StartWorker()
	history := harness.NewHistory(t)
	history.Write("a.txt", "a\n")
	history.Git("checkout", "-q", "-b", "pulled")
	history.Commit("Ann <ann@example.com>", "First")
	other := harness.NewGitServer(t, history)
	b, list := s.SignedIn(s.owner.User), s.root+"/-/settings/mirrors"
	path := list + "/pull"
	openPage(t, s.H, b, path, 10)
	checkPage(t, b.Submit(path, url.Values{"enabled": {"1"}}), 422, path, "url is missing")
	checkPage(t, b.Submit(path, url.Values{"enabled": {"1"}, "url": {"http://10.1.2.3/a.git"}}), 422, path, "is blocked")
	checkPage(t, b.Submit(path, url.Values{"enabled": {"1"}, "url": {other.Remote()}}), 200, list, "The mirror was saved.")
	has(t, updatedMirrors(t, b, list), "up to date", other.Masked())
	checkPage(t, b.Submit(path+"/start", nil), 200, list, "The project is being updated.")
	updatedMirrors(t, b, list)
	b.Get(path)
	checkPage(t, again(b, path, url.Values{"mirror_branch_regex": {"^pulled$"}}), 200, list, "The mirror was saved.")
	has(t, b.Page, "switched off", "branches that fit ^pulled$")
	checkPage(t, again(b, path+"/start", url.Values{}), 400, "", "The mirror is not enabled")
	for role, other := range roles(s.H, s.project) {
		if role < model.Maintainer {
			hidden(t, other, path)
			checkPage(t, again(other, path, url.Values{"enabled": {"1"}}), 403, "", "")
			checkPage(t, again(other, list, url.Values{"url": {"https://git.example.com/a.git"}}), 403, "", "")
		}
	}
	hidden(t, s.Browser(), path)
}
