package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// suggested is a suggestion in a response.
type suggested struct {
	ID        int64  `json:"id"`
	From      int64  `json:"from_line"`
	To        int64  `json:"to_line"`
	Appliable bool   `json:"appliable"`
	Applied   bool   `json:"applied"`
	Before    string `json:"from_content"`
	After     string `json:"to_content"`
}

// suggest starts a thread at a line of a file of a merge request, with a text that suggests changes.
func (w mergeProject) suggest(mr mergeRequest, path string, line int, text string) (string, []suggested) {
	w.t.Helper()
	body, _ := json.Marshal(map[string]any{"body": text, "position": map[string]any{
		"base_sha": mr.DiffRefs.Base, "start_sha": mr.DiffRefs.Start, "head_sha": mr.SHA, "position_type": "text",
		"new_path": path, "new_line": line,
	}})
	made := read[struct {
		ID    string
		Notes []struct{ Suggestions []suggested }
	}](w.t, w.reporter.JSON("POST", w.at(mr.IID, "/discussions"), string(body)), 201)
	return made.ID, made.Notes[0].Suggestions
}

// file returns the content of a file on a branch, without the last line break.
func (w mergeProject) file(branch, path string) string {
	w.t.Helper()
	got := w.maintainer.Send("GET", w.path+"/repository/files/"+url.PathEscape(path)+"/raw?ref="+branch, "")
	expect(w.t, got, 200, "")
	return got.Body
}

func TestASuggestionIsApplied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("feature", "Change", map[string]string{"README.md": "one\n2\nthree\nfour\n"})
	mr := w.openMergeRequest("feature", "Change")
	thread1, rows := w.suggest(mr, "README.md", 2, "Better:\n```suggestion:-1+1\none\ntwo\n```\n")
	if len(rows) != 1 || rows[0].From != 1 || rows[0].To != 3 || rows[0].Before != "one\n2\nthree\n" || rows[0].After != "one\ntwo\n" ||
		!rows[0].Appliable || rows[0].Applied {
		t.Fatalf("%+v", rows)
	}
	path := fmt.Sprintf("/suggestions/%d/apply", rows[0].ID)
	expect(t, h.Anonymous().Send("PUT", path, ""), 401, "")
	expect(t, h.NewUser().Send("PUT", path, ""), 404, noRecord)
	expect(t, w.reporter.Send("PUT", path, ""), 403, "")
	expect(t, w.developer.Send("PUT", "/suggestions/999999/apply", ""), 404, noRecord)
	if done := read[suggested](t, w.developer.Send("PUT", path, ""), 200); !done.Applied || done.Appliable {
		t.Errorf("%+v", done)
	}
	if got := w.file("feature", "README.md"); got != "one\ntwo\nfour" {
		t.Errorf("the file is %q", got)
	}
	commit := w.developer.Send("GET", w.path+"/repository/commits/feature", "")
	message := member(t, commit, "message").(string)
	if !strings.HasPrefix(message, "Apply 1 suggestion(s) to 1 file(s)\n\nCo-authored-by: "+w.reporter.User.Name+" <") {
		t.Errorf("the message is %q", message)
	}
	if member(t, commit, "author_name") != w.developer.User.Name {
		t.Errorf("%s", commit.Body)
	}
	resolved := read[thread](t, w.developer.Send("GET", w.at(mr.IID, "/discussions/"+thread1), ""), 200)
	if r := resolved.Notes[0].Resolved; r == nil || !*r {
		t.Errorf("the thread is not resolved: %+v", resolved)
	}
	if notes := w.notes(mr.ID); !strings.Contains(notes, "applied 1 suggestion to 1 file") {
		t.Errorf("the system notes are %s", notes)
	}
	expect(t, w.developer.Send("PUT", path, ""), 400, `{"message":"Can't apply as this suggestion was already applied."}`)
}

func TestSuggestionsAreAppliedInOneCommit(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	expect(t, w.maintainer.JSON("PUT", w.path, `{"suggestion_commit_message":"%{username} applies %{suggestions_count}"}`), 200, "")
	w.commit("feature", "Change", map[string]string{"README.md": "one\n2\nthree\n", "b.txt": "b"})
	mr := w.openMergeRequest("feature", "Change")
	_, two := w.suggest(mr, "README.md", 2, "```suggestion\ntwo\n```\n\n```suggestion\nTWO\n```")
	_, three := w.suggest(mr, "README.md", 3, "```suggestion\n```")
	_, b := w.suggest(mr, "b.txt", 1, "```suggestion\nB\n```")
	if len(two) != 2 || len(three) != 1 || len(b) != 1 || b[0].Before != "b" {
		t.Fatalf("%+v %+v %+v", two, three, b)
	}
	apply := func(ids ...int64) harness.Answer {
		body, _ := json.Marshal(map[string]any{"ids": ids})
		return w.developer.JSON("PUT", "/suggestions/batch_apply", string(body))
	}
	expect(t, apply(), 400, "")
	expect(t, apply(two[0].ID, 999999), 404, noRecord)
	expect(t, apply(two[0].ID, two[1].ID), 400, `{"message":"Can't apply as the suggestions change the same lines."}`)
	rows := read[[]suggested](t, apply(b[0].ID, two[0].ID, three[0].ID, b[0].ID), 200)
	if len(rows) != 3 || rows[0].ID != b[0].ID || !rows[1].Applied {
		t.Errorf("%+v", rows)
	}
	if got := w.file("feature", "README.md") + w.file("feature", "b.txt"); got != "one\ntwoB" {
		t.Errorf("the files are %q", got)
	}
	title := member(t, w.developer.Send("GET", w.path+"/repository/commits/feature", ""), "title")
	if title != w.developer.User.Username+" applies 3" {
		t.Errorf("the title is %q", title)
	}
	expect(t, apply(two[1].ID), 400, `{"message":"Can't apply as these lines were changed in a more recent version."}`)
}

func TestOutdatedSuggestionsAreNotAppliable(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	w.commit("feature", "Change", map[string]string{"README.md": "one\n2\nthree\n"})
	w.commit("other", "Change", map[string]string{"c.txt": "c\n"})
	mr, other := w.openMergeRequest("feature", "Change"), w.openMergeRequest("other", "Other")
	id, two := w.suggest(mr, "README.md", 2, "```suggestion\ntwo\n```")
	_, three := w.suggest(mr, "README.md", 3, "```suggestion\n3\n```")
	_, elsewhere := w.suggest(other, "c.txt", 1, "```suggestion\nC\n```")
	if _, none := w.suggest(mr, "README.md", 99, "```suggestion\nx\n```"); len(none) != 0 {
		t.Errorf("a line that does not exist has suggestions: %+v", none)
	}
	body := fmt.Sprintf(`{"ids":[%d,%d]}`, two[0].ID, elsewhere[0].ID)
	expect(t, w.developer.JSON("PUT", "/suggestions/batch_apply", body), 400,
		`{"message":"Can't apply as the suggestions belong to several merge requests."}`)
	w.commit("feature", "Again", map[string]string{"README.md": "one\nzwei\nthree\n"})
	waitForQueue(t, h)
	expect(t, w.developer.Send("PUT", fmt.Sprintf("/suggestions/%d/apply", two[0].ID), ""), 400,
		`{"message":"Can't apply as these lines were changed in a more recent version."}`)
	appliable := map[string]bool{}
	for _, th := range read[[]struct {
		ID    string
		Notes []struct{ Suggestions []suggested }
	}](t, w.developer.Send("GET", w.at(mr.IID, "/discussions"), ""), 200) {
		for _, s := range th.Notes[0].Suggestions {
			appliable[s.After] = s.Appliable
		}
	}
	if appliable["two\n"] || !appliable["3\n"] {
		t.Errorf("%v", appliable)
	}
	notes := read[thread](t, w.reporter.Send("GET", w.at(mr.IID, "/discussions/"+id), ""), 200)
	its := fmt.Sprintf("%s/notes/%d", w.at(mr.IID, ""), notes.Notes[0].ID)
	changed := read[struct{ Suggestions []suggested }](t, w.reporter.JSON("PUT", its, `{"body":"Never mind"}`), 200)
	if len(changed.Suggestions) != 0 {
		t.Errorf("%+v", changed)
	}
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, ""), `{"state_event":"close"}`), 200, "")
	expect(t, w.developer.Send("PUT", fmt.Sprintf("/suggestions/%d/apply", three[0].ID), ""), 400,
		`{"message":"Can't apply as this merge request was closed."}`)
}

func TestASuggestionIsAppliedToAForkThatAllowsIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h, func(p *model.Project) { p.Visibility = model.Public })
	outsider := h.NewUser()
	forked := outsider.JSON("POST", w.path+"/fork", `{}`)
	expect(t, forked, 201, "")
	waitForQueue(t, h)
	fork := "/projects/" + url.PathEscape(member(t, forked, "path_with_namespace").(string))
	expect(t, outsider.JSON("POST", fork+"/repository/commits",
		`{"branch":"idea","start_branch":"main","commit_message":"Idea",`+
			`"actions":[{"action":"create","file_path":"idea","content":"x\n"}]}`), 201, "")
	body, _ := json.Marshal(map[string]any{
		"source_branch": "idea", "target_branch": "main", "title": "Idea", "target_project_id": w.project.ID,
	})
	mr := read[mergeRequest](t, outsider.JSON("POST", fork+"/merge_requests", string(body)), 201)
	waitForQueue(t, h)
	_, rows := w.suggest(mr, "idea", 1, "```suggestion\ny\n```")
	if len(rows) != 1 {
		t.Fatalf("%+v", rows)
	}
	path := fmt.Sprintf("/suggestions/%d/apply", rows[0].ID)
	expect(t, w.maintainer.Send("PUT", path, ""), 403, "")
	expect(t, outsider.JSON("PUT", w.at(mr.IID, ""), `{"allow_collaboration":true}`), 200, "")
	expect(t, w.reporter.Send("PUT", path, ""), 403, "")
	expect(t, w.maintainer.JSON("PUT", path, `{"commit_message":"Yes"}`), 200, "")
	if got := outsider.Send("GET", fork+"/repository/files/idea/raw?ref=idea", ""); got.Body != "y" {
		t.Errorf("%+v", got)
	}
}
