package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// draftNote is a draft note in a response.
type draftNote struct {
	ID       int64   `json:"id"`
	Note     string  `json:"note"`
	Thread   *string `json:"discussion_id"`
	LineCode *string `json:"line_code"`
	Resolve  bool    `json:"resolve_discussion"`
}

func TestADraftNoteIsSeenOnlyByItsAuthor(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	drafts, reviewer := w.onRequest+"/draft_notes", h.NewUser()
	d := read[draftNote](t, reviewer.JSON("POST", drafts, `{"note":"Why?","commit_id":"undefined"}`), 201)
	one := fmt.Sprintf("%s/%d", drafts, d.ID)
	for _, other := range []*harness.Caller{w.owner, h.Root()} {
		expect(t, other.Send("GET", one, ""), 404, noRecord)
		expect(t, other.JSON("PUT", one, `{"note":"x"}`), 404, noRecord)
		expect(t, other.Send("DELETE", one, ""), 404, noRecord)
		expect(t, other.Send("PUT", one+"/publish", ""), 404, noRecord)
		expect(t, other.Send("GET", drafts, ""), 200, "[]")
	}
	expect(t, h.Anonymous().Send("GET", drafts, ""), 401, "")
	expect(t, reviewer.JSON("PUT", one, `{}`), 400, `{"message":"400 Bad request - Missing params to modify"}`)
	if changed := read[draftNote](t, reviewer.JSON("PUT", one, `{"note":"Why not?"}`), 200); changed.Note != "Why not?" {
		t.Errorf("%+v", changed)
	}
	if found := read[draftNote](t, reviewer.Send("GET", one, ""), 200); found.ID != d.ID || found.Note != "Why not?" {
		t.Errorf("%+v", found)
	}
	expect(t, reviewer.JSON("POST", drafts, `{"note":"Second"}`), 201, "")
	rows := read[[]draftNote](t, reviewer.Send("GET", drafts+"?sort=desc&order_by=created_at&per_page=1", ""), 200)
	if len(rows) != 1 || rows[0].Note != "Second" {
		t.Errorf("%+v", rows)
	}
	if got := read[[]note](t, w.owner.Send("GET", w.onRequest+"/notes", ""), 200); len(got) != 0 {
		t.Errorf("drafts are among the notes: %+v", got)
	}
	expect(t, reviewer.Send("DELETE", one, ""), 204, "")
	expect(t, reviewer.Send("GET", one, ""), 404, noRecord)
}

func TestInvalidDraftNotesAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	head := w.commit("feature", "Add a", map[string]string{"a.txt": "a\n"})
	drafts := w.at(w.openMergeRequest("feature", "Add a").IID, "/draft_notes")
	for body, want := range map[string]string{
		`{}`:                                     `{"error":"note is missing"}`,
		`{"note":" "}`:                           `{"error":"body is empty"}`,
		`{"note":"x","resolve_discussion":true}`: `{"message":{"base":["User is not allowed to resolve thread"]}}`,
		`{"note":"x","in_reply_to_discussion_id":"none"}`: `{"message":{"base":["Thread to reply to cannot be found"]}}`,

		`{"note":"x","commit_id":"0123456789012345678901234567890123456789"}`: `{"message":{"commit_id":["is invalid"]}}`,
		`{"note":"x","position":{"base_sha":"` + head + `"}}`:                 "",
	} {
		expect(t, w.developer.JSON("POST", drafts, body), 400, want)
	}
	made := w.developer.JSON("POST", drafts, `{"note":"x","commit_id":"`+head[:10]+`"}`)
	expect(t, made, 201, "")
	if member(t, made, "commit_id") != head {
		t.Errorf("%s", made.Body)
	}
	expect(t, w.developer.JSON("PUT", strings.TrimSuffix(drafts, "/draft_notes"), `{"discussion_locked":true}`), 200, "")
	stranger := h.NewUser()
	expect(t, stranger.JSON("POST", drafts, `{"note":"x"}`), 404, "") // the project is private
}

func TestDraftNotesArePublished(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	head := w.commit("feature", "Change", map[string]string{"README.md": "one\n2\nthree\n"})
	mr := w.openMergeRequest("feature", "Change")
	drafts := w.at(mr.IID, "/draft_notes")
	expect(t, w.maintainer.JSON("POST", w.path+"/labels", `{"name":"bug","color":"#ff0000"}`), 201, "")
	thread1 := read[thread](t, w.maintainer.JSON("POST", w.at(mr.IID, "/discussions"), `{"body":"Why?"}`), 201)
	position := fmt.Sprintf(`{"base_sha":%q,"start_sha":%q,"head_sha":%q,"position_type":"text","new_path":"README.md","new_line":2}`,
		mr.DiffRefs.Base, mr.DiffRefs.Start, head)
	onDiff := read[draftNote](t, w.developer.JSON("POST", drafts, `{"note":"Two","position":`+position+`}`), 201)
	if onDiff.LineCode == nil || !strings.HasSuffix(*onDiff.LineCode, "_0_2") {
		t.Errorf("%+v", onDiff)
	}
	reply := read[draftNote](t, w.developer.JSON("POST", drafts,
		fmt.Sprintf(`{"note":"Because","in_reply_to_discussion_id":%q,"resolve_discussion":true}`, thread1.ID)), 201)
	expect(t, w.developer.JSON("POST", drafts, `{"note":"Plain\n/label ~bug"}`), 201, "")
	expect(t, w.developer.Send("PUT", fmt.Sprintf("%s/%d/publish", drafts, reply.ID), ""), 204, "")
	answered := read[thread](t, w.developer.Send("GET", w.at(mr.IID, "/discussions/"+thread1.ID), ""), 200)
	if bodies(answered.Notes) != "Why?,Because" || answered.Notes[0].Resolved == nil || !*answered.Notes[0].Resolved {
		t.Errorf("%+v", answered)
	}
	expect(t, w.developer.Send("POST", drafts+"/bulk_publish", ""), 204, "")
	expect(t, w.developer.Send("POST", drafts+"/bulk_publish", ""), 204, "")
	expect(t, w.developer.Send("GET", drafts, ""), 200, "[]")
	rows := read[[]note](t, w.developer.Send("GET", w.at(mr.IID, "/notes?sort=asc&activity_filter=only_comments"), ""), 200)
	if bodies(rows) != "Why?,Because,Two,Plain" || *rows[2].Type != "DiffNote" || *rows[3].Type != "DiscussionNote" ||
		rows[2].Position.NewPath != "README.md" {
		t.Errorf("%+v", rows)
	}
	if got := w.get(mr.IID); fmt.Sprint(got.Labels) != "[bug]" {
		t.Errorf("the quick action of a draft was not carried out: %v", got.Labels)
	}
}
