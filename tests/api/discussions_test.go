package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// thread is a discussion thread in a response.
type thread struct {
	ID         string `json:"id"`
	Individual bool   `json:"individual_note"`
	Notes      []note `json:"notes"`
}

// threadPlace is an item that has threads: its kind and its path, an owner of its project and a guest.
type threadPlace struct {
	h            *harness.H
	kind, path   string
	owner, guest *harness.Caller
}

func TestThreadsAreStartedAnsweredAndRead(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, maintainer := pushedHistory(t, h, model.Public)
	w := newNotesProject(t, h, model.Public)
	guest := h.NewUser()
	for _, p := range []threadPlace{
		{h, "issue", w.onIssue, w.owner, guest},
		{h, "merge_request", w.onRequest, w.owner, guest},
		{h, "commit", commitsPath + "/main", maintainer, guest},
	} {
		first := p.startThread(t)
		answer := p.answerThread(t, first)
		p.listThreads(t, first, answer)
		p.deleteAnswer(t, first, answer)
	}
}

// startThread lets the guest start a thread.
func (p threadPlace) startThread(t *testing.T) thread {
	t.Helper()
	first := read[thread](t, p.guest.JSON("POST", p.path+"/discussions", `{"body":"why?"}`), 201)
	if first.Individual || len(first.Notes) != 1 || *first.Notes[0].Type != "DiscussionNote" ||
		first.Notes[0].Resolvable != (p.kind == "merge_request") {
		t.Errorf("%s: %+v", p.kind, first)
	}
	expect(t, p.owner.JSON("POST", p.path+"/discussions", `{"body":" "}`), 400, `{"error":"body is empty"}`)
	return first
}

// answerThread lets the owner answer a thread and change the answer.
func (p threadPlace) answerThread(t *testing.T, first thread) note {
	t.Helper()
	one := p.path + "/discussions/" + first.ID
	answer := read[note](t, p.owner.JSON("POST", one+"/notes", `{"body":"because"}`), 201)
	got := read[thread](t, p.h.Anonymous().Send("GET", one, ""), 200)
	if bodies(got.Notes) != "why?,because" || *got.Notes[1].Type != "DiscussionNote" {
		t.Errorf("%s: %+v", p.kind, got)
	}
	its := fmt.Sprintf("%s/notes/%d", one, answer.ID)
	expect(t, p.h.Anonymous().Send("GET", its, ""), 200, "")
	if changed := read[note](t, p.owner.JSON("PUT", its, `{"body":"therefore"}`), 200); changed.Body != "therefore" {
		t.Errorf("%+v", changed)
	}
	expect(t, p.guest.JSON("PUT", its, `{"body":"no"}`), 403, "")
	return answer
}

// listThreads starts a second thread and lists both; the answer belongs to the first thread only.
func (p threadPlace) listThreads(t *testing.T, first thread, answer note) {
	t.Helper()
	second := read[thread](t, p.owner.JSON("POST", p.path+"/discussions", `{"body":"else"}`), 201)
	elsewhere := fmt.Sprintf("%s/discussions/%s/notes/%d", p.path, second.ID, answer.ID)
	expect(t, p.owner.Send("GET", elsewhere, ""), 404, noRecord)
	rows := read[[]thread](t, p.h.Anonymous().Send("GET", p.path+"/discussions", ""), 200)
	if len(rows) != 2 || rows[0].ID != first.ID || rows[1].ID != second.ID || len(rows[0].Notes) != 2 {
		t.Errorf("%s: %+v", p.kind, rows)
	}
	rows = read[[]thread](t, p.owner.Send("GET", p.path+"/discussions?per_page=1&page=2", ""), 200)
	if len(rows) != 1 || rows[0].ID != second.ID {
		t.Errorf("%s: %+v", p.kind, rows)
	}
}

// deleteAnswer deletes an answer and checks that notes and threads which do not exist are not found. The thread keeps
// the one event of its first note.
func (p threadPlace) deleteAnswer(t *testing.T, first thread, answer note) {
	t.Helper()
	its := fmt.Sprintf("%s/discussions/%s/notes/%d", p.path, first.ID, answer.ID)
	expect(t, p.owner.Send("DELETE", its, ""), 204, "")
	expect(t, p.owner.Send("GET", its, ""), 404, noRecord)
	expect(t, p.owner.Send("GET", p.path+"/discussions/none", ""), 404, noRecord)
	expect(t, p.owner.JSON("POST", p.path+"/discussions/none/notes", `{"body":"x"}`), 404, noRecord)
	n := count(t, p.h, "SELECT count(*) FROM events WHERE action = 'commented' AND target_type = 'DiscussionNote' "+
		"AND target_id = $1", first.Notes[0].ID)
	if n != 1 {
		t.Errorf("%s: %d events", p.kind, n)
	}
}

func TestAnIndividualNoteBecomesAThreadWhenAnswered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	expect(t, w.owner.JSON("POST", w.onRequest+"/notes", `{"body":"alone"}`), 201, "")
	rows := read[[]thread](t, w.owner.Send("GET", w.onRequest+"/discussions", ""), 200)
	if len(rows) != 1 || !rows[0].Individual {
		t.Fatalf("%+v", rows)
	}
	expect(t, w.owner.JSON("PUT", w.onRequest+"/discussions/"+rows[0].ID, `{"resolved":true}`), 403, "")
	expect(t, w.owner.JSON("POST", w.onRequest+"/discussions/"+rows[0].ID+"/notes", `{"body":"not any more"}`), 201, "")
	got := read[thread](t, w.owner.Send("GET", w.onRequest+"/discussions/"+rows[0].ID, ""), 200)
	if got.Individual || len(got.Notes) != 2 || !got.Notes[0].Resolvable {
		t.Errorf("%+v", got)
	}
}

func TestThreadsOnMergeRequestsAreResolved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	made := read[thread](t, h.NewUser().JSON("POST", w.onRequest+"/discussions", `{"body":"typo"}`), 201)
	one := w.onRequest + "/discussions/" + made.ID
	answer := read[note](t, w.owner.JSON("POST", one+"/notes", `{"body":"where?"}`), 201)
	developer := h.ProjectMember(w.project, model.Developer)
	expect(t, h.ProjectMember(w.project, model.Reporter).JSON("PUT", one, `{"resolved":true}`), 403, "")
	expect(t, developer.JSON("PUT", one, `{}`), 400, `{"error":"resolved is missing"}`)
	got := read[thread](t, developer.JSON("PUT", one, `{"resolved":true}`), 200)
	for _, n := range got.Notes {
		if n.Resolved == nil || !*n.Resolved || n.ResolvedBy == nil || n.ResolvedBy.Username != developer.User.Username {
			t.Errorf("%+v", n)
		}
	}
	its := fmt.Sprintf("%s/notes/%d", one, answer.ID)
	if n := read[note](t, w.owner.JSON("PUT", its, `{"resolved":false}`), 200); *n.Resolved || n.ResolvedBy != nil {
		t.Errorf("%+v", n)
	}
	expect(t, w.owner.JSON("PUT", its, `{}`), 400, `{"error":"body, resolved are missing, exactly one parameter must be provided"}`)
	expect(t, w.owner.JSON("PUT", its, `{"body":"x","resolved":true}`), 400, `{"error":"body, resolved are mutually exclusive"}`)
	if got := read[thread](t, developer.JSON("PUT", one, `{"resolved":false}`), 200); *got.Notes[0].Resolved {
		t.Errorf("%+v", got)
	}
}

func TestNotesOnDiffsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	sha := strings.Repeat("a1", 20)
	shas := fmt.Sprintf(`"base_sha":"%s","start_sha":"%s","head_sha":"%s"`, sha, sha, sha)
	path := w.onRequest + "/discussions"
	made := w.owner.JSON("POST", path, `{"body":"here","position":{`+shas+`,"position_type":"text","new_path":"a/b.txt","new_line":7}}`)
	got := read[thread](t, made, 201)
	if n := got.Notes[0]; *n.Type != "DiffNote" || n.Position == nil || n.Position.NewPath != "a/b.txt" ||
		*n.Position.NewLine != 7 || !n.Resolvable {
		t.Errorf("%+v", n)
	}
	if n := read[note](t, w.owner.JSON("POST", path+"/"+got.ID+"/notes", `{"body":"there"}`), 201); *n.Type != "DiffNote" ||
		n.Position == nil {
		t.Errorf("%+v", n)
	}
	expect(t, w.owner.Form("POST", path, "body=picture&position[position_type]=image&position[base_sha]="+sha+
		"&position[start_sha]="+sha+"&position[head_sha]="+sha+
		"&position[new_path]=a.png&position[width]=10&position[height]=20&position[x]=3&position[y]=4.5"), 201, "")
	for _, bad := range []string{
		`{"position_type":"text","new_path":"a","new_line":1}`,
		`{` + shas + `,"position_type":"text","new_path":"a"}`, `{` + shas + `,"position_type":"text","new_line":1}`,
		`{` + shas + `,"position_type":"image","new_path":"a"}`, `{` + shas + `,"position_type":"sound","new_path":"a"}`,
		`{` + shas + `,"position_type":"text","new_path":"../a","new_line":1}`,
		`{"base_sha":"x","start_sha":"x","head_sha":"x","position_type":"text","new_path":"a","new_line":1}`,
		`{` + shas + `,"position_type":"text","new_path":"a","new_line":0}`,
	} {
		if got := w.owner.JSON("POST", path, `{"body":"x","position":`+bad+`}`); got.Status != 400 {
			t.Errorf("%s: %d %s", bad, got.Status, got.Body)
		}
	}
	if n := count(t, h, "SELECT count(*) FROM events WHERE target_type = 'DiffNote'"); n != 3 {
		t.Errorf("%d events", n)
	}
}

func TestCommentsAndThreadsOfACommitAreTheSame(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, maintainer := pushedHistory(t, h, model.Private)
	path := commitsPath + "/main"
	expect(t, maintainer.JSON("POST", path+"/comments", `{"note":"a line","path":"src/b.txt","line":3,"line_type":"old"}`), 201, "")
	expect(t, maintainer.JSON("POST", path+"/discussions", `{"body":"all of it"}`), 201, "")
	rows := read[[]thread](t, maintainer.Send("GET", path+"/discussions", ""), 200)
	if len(rows) != 2 || *rows[0].Notes[0].Type != "DiffNote" || rows[1].Notes[0].Body != "all of it" {
		t.Errorf("%+v", rows)
	}
	comments := read[[]struct {
		Note     string  `json:"note"`
		Path     *string `json:"path"`
		Line     *int64  `json:"line"`
		LineType *string `json:"line_type"`
	}](t, maintainer.Send("GET", path+"/comments", ""), 200)
	if len(comments) != 2 || *comments[0].Path != "src/b.txt" || *comments[0].Line != 3 ||
		*comments[0].LineType != "old" || comments[1].Note != "all of it" || comments[1].Path != nil {
		t.Errorf("%+v", comments)
	}
	expect(t, h.NewUser().Send("GET", path+"/discussions", ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, maintainer.Send("GET", commitsPath+"/none/discussions", ""), 404, `{"message":"404 Commit Not Found"}`)
}
