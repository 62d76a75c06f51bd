package graphql

import (
	"fmt"
	"strings"
	"testing"

	"svc/tests/harness"
)

func TestIssuesAreCreatedAndChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const create = `mutation ($input: CreateIssueInput!) { createIssue(input: $input) {
		errors issue { iid title confidential labels { nodes { title } }
		assignees { nodes { username } } } } }`
	me := fmt.Sprintf("gid://gitlab/User/%d", w.dev.User.ID)
	expectData(t, w.dev, create, vars{"input": vars{
		"projectPath": "acme/web", "title": "Two", "confidential": true, "labels": []string{"bug"}, "assigneeIds": []string{me},
	}},
		`{"createIssue":{"errors":[],"issue":{"iid":"2","title":"Two","confidential":true,"labels":{"nodes":[{"title":"bug"}]},`+
			`"assignees":{"nodes":[{"username":"`+w.dev.User.Username+`"}]}}}}`)
	got := ask(t, w.dev, create, vars{"input": vars{"projectPath": "acme/web", "title": " "}})
	if !strings.Contains(got, `"issue":null`) || strings.Contains(got, `"errors":[]`) {
		t.Error(got)
	}
	const update = `mutation ($input: UpdateIssueInput!) { updateIssue(input: $input) { errors issue { state title } } }`
	change := vars{"input": vars{"projectPath": "acme/web", "iid": "2", "title": "Done", "stateEvent": "CLOSE"}}
	for _, c := range []*harness.Caller{w.guest, w.outsider, w.Anonymous()} {
		if got := ask(t, c, update, change); failure(t, got) != hiddenText {
			t.Error(got)
		}
	}
	expectData(t, w.dev, update, change, `{"updateIssue":{"errors":[],"issue":{"state":"closed","title":"Done"}}}`)
	expectData(t, w.dev, `mutation { issueSetLocked(input: { projectPath: "acme/web", iid: "1", locked: true }) { errors issue { `+
		`discussionLocked } } }`, nil,
		`{"issueSetLocked":{"errors":[],"issue":{"discussionLocked":true}}}`)
}

func TestMergeRequestsAreChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	withMergeRequest(t, w)
	const draft = `mutation ($draft: Boolean!) { mergeRequestSetDraft(input: { projectPath: "acme/web", iid: "1", draft: $draft }) {
		errors mergeRequest { draft title } } }`
	expectData(
		t, w.dev, draft, vars{"draft": true}, `{"mergeRequestSetDraft":{"errors":[],"mergeRequest":{"draft":true,"title":"Draft: Add `+
			`a line"}}}`,
	)
	expectData(
		t, w.dev, draft, vars{"draft": false}, `{"mergeRequestSetDraft":{"errors":[],"mergeRequest":{"draft":false,"title":"Add a line"}}}`,
	)
	const update = `mutation { mergeRequestUpdate(input: { projectPath: "acme/web", iid: "1", title: "New", state: CLOSED }) {
		errors mergeRequest { title state } } }`
	for _, c := range []*harness.Caller{w.guest, w.outsider} {
		if got := ask(t, c, update, nil); failure(t, got) != hiddenText {
			t.Error(got)
		}
	}
	expectData(t, w.dev, update, nil, `{"mergeRequestUpdate":{"errors":[],"mergeRequest":{"title":"New","state":"closed"}}}`)
}

func TestEmojiAndTodos(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const toggle = `mutation ($id: AwardableID!) { awardEmojiToggle(input: { awardableId: $id, name: "thumbsup" }) { errors toggledOn } }`
	expectData(t, w.guest, toggle, vars{"id": w.issue}, `{"awardEmojiToggle":{"errors":[],"toggledOn":true}}`)
	expectData(t, w.guest, toggle, vars{"id": w.issue}, `{"awardEmojiToggle":{"errors":[],"toggledOn":false}}`)
	note := w.write(t, w.dev, "a note for @"+w.guest.User.Username, "")
	expectData(t, w.guest, `mutation ($id: AwardableID!) { awardEmojiAdd(input: { awardableId: $id, name: "tada" }) { errors `+
		`awardEmoji { name user { username } } } }`,
		vars{"id": note}, `{"awardEmojiAdd":{"errors":[],"awardEmoji":{"name":"tada","user":{"username":"`+w.guest.User.Username+`"}}}}`)
	if got := ask(t, w.outsider, toggle, vars{"id": w.issue}); failure(t, got) != hiddenText {
		t.Error(got)
	}
	list := w.guest.Send("GET", "/todos", "").Body
	var id int64
	if _, err := fmt.Sscanf(list, `[{"id":%d`, &id); err != nil {
		t.Fatal(list)
	}
	const done = `mutation ($id: TodoID!) { todoMarkDone(input: { id: $id }) { errors todo { state } } }`
	todo := vars{"id": fmt.Sprintf("gid://gitlab/Todo/%d", id)}
	if got := ask(t, w.dev, done, todo); failure(t, got) != hiddenText {
		t.Error(got)
	}
	expectData(t, w.guest, done, todo, `{"todoMarkDone":{"errors":[],"todo":{"state":"done"}}}`)
}
