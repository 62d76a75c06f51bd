package git

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// unknownID is an id that no object has.
const unknownID = "1234567890123456789012345678901234567890"

// checkHidden checks that a commit and a blob get the same answers as ids that do not exist, in every operation with an id.
func checkHidden(t *testing.T, c *harness.Caller, project, commit, blob string) {
	t.Helper()
	for _, ask := range []struct{ method, path, body string }{
		{"GET", "/repository/blobs/BLOB", ""},
		{"GET", "/repository/blobs/BLOB/raw", ""},
		{"GET", "/repository/commits/COMMIT", ""},
		{"GET", "/repository/commits?ref_name=COMMIT", ""},
		{"GET", "/repository/commits/COMMIT/diff", ""},
		{"GET", "/repository/commits/COMMIT/refs", ""},
		{"GET", "/repository/commits/COMMIT/sequence", ""},
		{"GET", "/repository/commits/COMMIT/comments", ""},
		{"POST", "/repository/commits/COMMIT/comments", `{"note":"seen"}`},
		{"GET", "/repository/commits/COMMIT/statuses", ""},
		{"POST", "/statuses/COMMIT", `{"state":"success"}`},
		{"POST", "/repository/commits/COMMIT/cherry_pick", `{"branch":"main"}`},
		{"POST", "/repository/commits/COMMIT/revert", `{"branch":"main"}`},
		{"POST", "/repository/commits", `{"branch":"new","start_sha":"COMMIT","commit_message":"x","actions":[]}`},
		{"POST", "/repository/branches?branch=new&ref=COMMIT", ""},
		{"POST", "/repository/tags?tag_name=new&ref=COMMIT", ""},
		{"GET", "/repository/tree?ref=COMMIT", ""},
		{"GET", "/repository/files/secret?ref=COMMIT", ""},
		{"GET", "/repository/files/secret/raw?ref=COMMIT", ""},
		{"GET", "/repository/files/secret/blame?ref=COMMIT", ""},
		{"GET", "/repository/archive?sha=COMMIT", ""},
		{"GET", "/repository/compare?from=main&to=COMMIT", ""},
		{"GET", "/repository/compare?from=COMMIT&to=main&straight=true", ""},
		{"GET", "/repository/merge_base?refs[]=main&refs[]=COMMIT", ""},
		{"GET", "/repository/contributors?ref=COMMIT", ""},
		{"GET", "/repository/changelog?version=1.0.0&from=COMMIT", ""},
	} {
		send := func(commit, blob string) harness.Answer {
			fill := strings.NewReplacer("COMMIT", commit, "BLOB", blob)
			if ask.body == "" {
				return c.Send(ask.method, project+fill.Replace(ask.path), "")
			}
			return c.JSON(ask.method, project+fill.Replace(ask.path), fill.Replace(ask.body))
		}
		got, want := send(commit, blob), send(unknownID, unknownID)
		body := strings.ReplaceAll(strings.ReplaceAll(got.Body, commit, unknownID), blob, unknownID)
		if want.Status < 400 || got.Status != want.Status || body != want.Body {
			t.Errorf("%s %s: %d %s\none that does not exist: %d %s", ask.method, ask.path, got.Status, got.Body, want.Status, want.Body)
		}
	}
}

func TestCommitsOfOtherProjectsAndDeletedBranchesAreNotFound(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	h.StartWorker()
	ann, bob := h.NewUser(), h.NewUser()
	group := h.Group()
	h.Join(group, ann.User, model.Owner)
	if made := ann.JSON(
		"POST", "/projects", `{"name":"p","visibility":"private","namespace_id":`+fmt.Sprint(group.ID)+`}`,
	); made.Status != 201 {
		t.Fatal(made.Body)
	}
	source, fork := "/projects/"+url.PathEscape(group.FullPath+"/p"), "/projects/"+url.PathEscape(ann.User.Username+"/p")
	ours := remote(h, "x", ann.Token, group.FullPath+"/p")
	here := newRepository(t)
	must(t, here, "checkout", "-q", "-b", "topic")
	commit(t, here, "secret", "a secret")
	deleted, deletedBlob := id(t, here, "HEAD"), id(t, here, "HEAD:secret")
	must(t, here, "push", "-q", ours, "main", "topic")
	if got := ann.Send("GET", source+"/repository/blobs/"+deletedBlob, ""); got.Status != 200 {
		t.Fatal(got.Body)
	}
	must(t, here, "push", "-q", ours, ":topic")
	checkHidden(t, ann, source, deleted, deletedBlob)

	if made := ann.JSON("POST", source+"/fork", `{}`); made.Status != 201 {
		t.Fatal(made.Body)
	}
	waitForFork(t, ann, fork)
	if got := ann.JSON("POST", fork+"/members", `{"user_id":`+fmt.Sprint(bob.User.ID)+`,"access_level":40}`); got.Status != 201 {
		t.Fatal(got.Body)
	}
	checkHidden(t, bob, fork, deleted, deletedBlob)
	theirs := remote(h, "x", bob.Token, ann.User.Username+"/p")
	refused(t, "not our ref", newRepository(t), "fetch", theirs, deleted)
	// Later commits of the source do not come to the fork.
	must(t, here, "checkout", "-q", "main")
	commit(t, here, "secret", "another secret")
	must(t, here, "push", "-q", ours, "main")
	checkHidden(t, bob, fork, id(t, here, "HEAD"), id(t, here, "HEAD:secret"))
	if got := ann.Send("GET", source+"/repository/commits/"+id(t, here, "HEAD"), ""); got.Status != 200 {
		t.Errorf("in the source it is there: %d %s", got.Status, got.Body)
	}
	if got := bob.Send("GET", source+"/repository/commits/"+deleted, ""); got.Status != 404 {
		t.Errorf("who sees only the fork gets %d", got.Status)
	}
}

func id(t *testing.T, folder, rev string) string {
	t.Helper()
	return strings.TrimSpace(must(t, folder, "rev-parse", rev))
}
