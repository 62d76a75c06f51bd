package api

import (
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAReviewIsMailedAsAWhole(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	w := newMergeProject(t, h)
	w.commit("feature", "Change", map[string]string{"README.md": "one\n2\nthree\n"})
	mr := w.openMergeRequest("feature", "Change")
	named := userWithConfirmedEmail(h, "named")
	h.JoinProject(w.project, named.User, model.Reporter)
	follower := userWithConfirmedEmail(h, "follower")
	h.JoinProject(w.project, follower.User, model.Reporter)
	expect(t, follower.Send("POST", w.at(mr.IID, "/subscribe"), ""), 201, "")
	h.WaitForMails()
	inbox.Take()
	drafts := w.at(mr.IID, "/draft_notes")
	for _, body := range []string{"First remark", "Second remark, @named", `/title Another title`, "Third remark"} {
		expect(t, w.developer.JSON("POST", drafts, `{"note":"`+body+`"}`), 201, "")
	}
	expect(t, w.developer.Send("POST", drafts+"/bulk_publish", ""), 204, "")
	h.WaitForMails()
	got := inbox.Take()
	if addressees(got) != "follower named" {
		t.Fatalf("the mails go to %s", addressees(got))
	}
	for _, m := range got {
		text, rich := parts(t, m)
		for _, body := range []string{"First remark", "Second remark, @named", "Third remark"} {
			if strings.Count(text, body) != 1 || strings.Count(rich, body) != 1 {
				t.Errorf("%q is not once in\n%s\n%s", body, text, rich)
			}
		}
	}
	if why := got[1].Header.Get("X-Svc-NotificationReason"); why != "mentioned" {
		t.Errorf("the reason is %s", why)
	}
}
