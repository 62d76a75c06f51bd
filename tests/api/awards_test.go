package api

import (
	"fmt"
	"sync"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAwardEmojiAreAddedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	giver, other := h.NewUser(), h.NewUser()
	for table, path := range map[string]string{"issues": w.onIssue, "merge_requests": w.onRequest} {
		id := map[string]int64{"issues": w.issue.ID, "merge_requests": w.request.ID}[table]
		said := read[note](t, w.owner.JSON("POST", path+"/notes", `{"body":"x"}`), 201)
		for _, place := range []string{path, fmt.Sprintf("%s/notes/%d", path, said.ID)} {
			list := place + "/award_emoji"
			made := giver.JSON("POST", list, `{"name":"thumbsup"}`)
			got := read[struct {
				ID   int64  `json:"id"`
				Kind string `json:"awardable_type"`
			}](t, made, 201)
			if (got.Kind == "Note") != (place != path) {
				t.Errorf("%s", made.Body)
			}
			expect(t, giver.JSON("POST", list, `{"name":"thumbsup"}`), 404,
				`{"message":"404 Award Emoji Name has already been taken Not Found"}`)
			expect(t, giver.JSON("POST", list, `{"name":"Not One"}`), 400, "")
			expect(t, giver.JSON("POST", list, `{}`), 400, `{"error":"name is missing"}`)
			expect(t, h.Anonymous().JSON("POST", list, `{"name":"tada"}`), 401, "")
			expect(t, other.JSON("POST", list, `{"name":"+1"}`), 201, "")
			one := fmt.Sprintf("%s/%d", list, got.ID)
			expect(t, h.Anonymous().Send("GET", one, ""), 200, made.Body)
			if rows := read[[]struct{ Name string }](t, h.Anonymous().Send("GET", list, ""), 200); len(rows) != 2 ||
				rows[0].Name != "thumbsup" {
				t.Errorf("%+v", rows)
			}
			want := int64(0)
			if place == path {
				want = 1
			}
			if n := count(t, h, "SELECT upvotes FROM "+table+" WHERE id = $1", id); n != want {
				t.Errorf("%s: %d upvotes", place, n)
			}
			expect(t, other.Send("DELETE", one, ""), 403, "")
			expect(t, giver.Send("DELETE", one, ""), 204, "")
			expect(t, giver.Send("GET", one, ""), 404, noRecord)
			if n := count(t, h, "SELECT upvotes FROM "+table+" WHERE id = $1", id); n != 0 {
				t.Errorf("%s: %d upvotes", place, n)
			}
		}
		expect(t, w.owner.Send("DELETE", fmt.Sprintf("%s/notes/%d", path, said.ID), ""), 204, "")
		if n := count(t, h, "SELECT count(*) FROM award_emoji WHERE awardable_type = 'Note' AND awardable_id = $1", said.ID); n != 0 {
			t.Errorf("%d emoji of a note that is gone", n)
		}
	}
}

func TestConcurrentVotesAreAllCounted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	var all sync.WaitGroup
	for i := range 8 {
		c, name := h.NewUser(), []string{"thumbsup", "thumbsdown"}[i%2]
		for range 2 { // the second time is refused
			all.Go(func() { c.JSON("POST", w.onIssue+"/award_emoji", `{"name":"`+name+`"}`) })
		}
	}
	all.Wait()
	if up, down := count(t, h, "SELECT upvotes FROM issues WHERE id = $1", w.issue.ID),
		count(t, h, "SELECT downvotes FROM issues WHERE id = $1", w.issue.ID); up != 4 || down != 4 {
		t.Errorf("%d up, %d down", up, down)
	}
}
