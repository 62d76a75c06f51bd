package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/tests/harness"
)

// A new or changed issue or merge request is not read again for the answer. The answer must be the same nevertheless.
func TestTheAnswerOfAWriteEqualsTheNextRead(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, other := h.NewUser(), h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	h.JoinProject(p, other.User, 30)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	for n, body := range []string{
		`{"title":" Plain ","description":"- [x] a\n- [ ] b"}`,
		`{"title":"Confidential","confidential":true,"issue_type":"incident","discussion_locked":true}`,
		`{"title":"Parts","labels":"b,a","assignee_ids":[` + fmt.Sprint(other.User.ID) + `],"due_date":"2027-01-02"}`,
		`{"title":"Old","created_at":"2020-02-03T04:05:06.789123456Z","iid":77}`,
		`{"title":"Commands","description":"Text\n/unsubscribe\n/label ~a\n/close"}`,
		`{"title":"Commands","description":"Text\n/assign me\n/due 2027-03-04"}`,
	} {
		made := owner.JSON("POST", in, body)
		expect(t, made, 201, "")
		iid := n + 1
		if n >= 3 {
			iid = 77 + n - 3
		}
		expect(t, owner.Send("GET", fmt.Sprintf("%s/%d", in, iid), ""), 200, made.Body)
	}
	for _, body := range []string{
		`{"title":"Other"}`, `{"description":null}`, `{"description":"@` + other.User.Username + ` look"}`, `{"labels":"c"}`,
		`{"add_labels":"d","title":"Both"}`, `{"assignee_ids":[` + fmt.Sprint(owner.User.ID) + `]}`, `{"confidential":true}`,
		`{"state_event":"close"}`, `{"state_event":"reopen","title":"Again"}`, `{"due_date":"2027-05-06"}`, `{"title":"Again"}`,
		`{"updated_at":"2020-02-03T04:05:06.789Z","title":"Backdated"}`,
	} {
		changed := owner.JSON("PUT", in+"/1", body)
		expect(t, changed, 200, "")
		expect(t, owner.Send("GET", in+"/1", ""), 200, changed.Body)
	}
	note := owner.JSON("POST", in+"/1/notes", `{"body":"Seen"}`)
	expect(t, note, 201, "")
	list := owner.Send("GET", in+"/1/notes?activity_filter=only_comments", "")
	if !strings.Contains(list.Body, strings.TrimSuffix(note.Body, "}")) {
		t.Errorf("the note %s\nis listed as %s", note.Body, list.Body)
	}
}
