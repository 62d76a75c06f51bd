package api

import (
	"fmt"
	"sync"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// A hard deletion removes the notes and emoji of the user and corrects the counts of the items that they were on.
func TestAHardDeletionRemovesNotesAndEmoji(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	leaver := h.NewUser()
	made := read[note](t, leaver.JSON("POST", w.onIssue+"/notes", `{"body":"bye"}`), 201)
	stays := read[note](t, w.owner.JSON("POST", w.onIssue+"/notes", `{"body":"stays"}`), 201)
	expect(t, leaver.JSON("POST", w.onIssue+"/award_emoji", `{"name":"thumbsup"}`), 201, "")
	expect(t, leaver.JSON("POST", fmt.Sprintf("%s/notes/%d/award_emoji", w.onIssue, stays.ID), `{"name":"tada"}`), 201, "")
	expect(t, w.owner.JSON("POST", fmt.Sprintf("%s/notes/%d/award_emoji", w.onIssue, made.ID), `{"name":"wave"}`), 201, "")
	path := fmt.Sprintf("/users/%d", leaver.User.ID)
	expect(t, h.Root().Send("DELETE", path+"?hard_delete=true", ""), 204, "")
	h.StartWorker()
	wait.Until(t, "the user is deleted", func() bool { return h.Root().Send("GET", path, "").Status == 404 })
	expect(t, w.owner.Send("GET", fmt.Sprintf("%s/notes/%d", w.onIssue, made.ID), ""), 404, "")
	for query, want := range map[string]int64{
		"SELECT count(*) FROM award_emoji": 0, "SELECT upvotes FROM issues": 0,
		"SELECT user_notes_count FROM issues": 1, "SELECT count(*) FROM users WHERE kind = 'ghost'": 0,
	} {
		if n := count(t, h, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
}

// A user who is being deleted stays visible until the job has run, but cannot be written to.
func TestNothingIsWrittenForAUserWhoIsBeingDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, leaver, other := h.Root(), h.NewUser(named("leaver")), h.NewUser()
	path := fmt.Sprintf("/users/%d", leaver.User.ID)
	expect(t, root.Send("DELETE", path, ""), 204, "")
	expect(t, root.Send("GET", path, ""), 200, "")
	const gone = `{"message":"404 User Not Found"}`
	for _, c := range []struct{ method, path, body string }{
		{"PUT", path, `{"name":"x"}`},
		{"POST", path + "/personal_access_tokens", `{"name":"x","scopes":["api"]}`},
		{"POST", path + "/impersonation_tokens", `{"name":"x","scopes":["api"]}`},
		{"POST", path + "/emails", `{"email":"x@example.org"}`},
		{"PUT", path + "/custom_attributes/a", `{"value":"b"}`},
		{"POST", path + "/unblock", `{}`},
		{"PATCH", path + "/disable_two_factor", `{}`},
		{"DELETE", path + "/identities/saml", ``},
	} {
		expect(t, root.JSON(c.method, c.path, c.body), 404, gone)
	}
	expect(t, other.JSON("POST", path+"/follow", `{}`), 404, gone)
	expect(t, root.JSON("POST", "/user/emails?sudo=leaver", `{"email":"x@example.org"}`), 404,
		`{"message":"404 User with ID or username 'leaver' Not Found"}`)
}

// A deletion finishes while others write, and no request gets a 5xx, or a 412 without a condition.
func TestADeletionFinishesWhileOthersWrite(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	root := h.Root()
	var wg sync.WaitGroup
	for n := range 4 {
		leaver := h.NewUser()
		path := fmt.Sprintf("/users/%d", leaver.User.ID)
		check := func(got harness.Answer) {
			if got.Status >= 500 || got.Status == 412 {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		}
		for range 2 {
			wg.Go(func() { check(root.Send("DELETE", path, "")) })
		}
		wg.Go(func() {
			for i := range 10 {
				check(root.JSON("PUT", fmt.Sprintf("%s/custom_attributes/a%d", path, i), `{"value":"b"}`))
				check(root.JSON("POST", path+"/personal_access_tokens", `{"name":"x","scopes":["api"]}`))
				check(root.JSON("POST", path+"/emails", fmt.Sprintf(`{"email":"x%d-%d@example.org"}`, n, i)))
			}
		})
		wg.Go(func() {
			wait.Until(t, "the user is deleted", func() bool { return root.Send("GET", path, "").Status == 404 })
		})
	}
	wg.Wait()
}
