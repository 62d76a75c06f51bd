package graphql

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// The fragments and queries of the extension for Visual Studio Code.
const noteDetails = `
  fragment userDetails on User { avatarUrl name username webUrl }
  fragment positionDetails on Note {
    position { diffRefs { baseSha headSha startSha } filePath positionType newLine oldLine newPath oldPath }
  }
  fragment noteDetails on Note {
    id createdAt system author { ...userDetails } body bodyHtml url
    userPermissions { resolveNote adminNote createNote }
    ...positionDetails
  }`

const discussionDetails = noteDetails + `
  fragment discussionDetails on Discussion {
    replyId createdAt resolved resolvable
    notes { pageInfo { hasNextPage endCursor } nodes { ...noteDetails } }
  }`

const issueDiscussions = discussionDetails + `
  query GetIssueDiscussions($namespaceWithPath: ID!, $iid: String!, $afterCursor: String) {
    project(fullPath: $namespaceWithPath) {
      id
      issue(iid: $iid) {
        id
        discussions(after: $afterCursor) { pageInfo { hasNextPage endCursor } nodes { ...discussionDetails } }
      }
    }
  }`

const createNote = noteDetails + `
  mutation CreateNote($issuableId: NoteableID!, $body: String!, $replyId: DiscussionID) {
    createNote(input: { noteableId: $issuableId, body: $body, discussionId: $replyId }) { errors note { ...noteDetails } }
  }`

// world is a private project with an issue, and callers.
type world struct {
	*harness.H
	web                         model.Project
	dev, guest, outsider, owner *harness.Caller
	issue                       string // its global ID
}

func newWorld(t *testing.T) world {
	t.Helper()
	h := harness.New(t)
	acme := h.Group(named("acme", model.Private))
	w := world{H: h, web: h.Project(acme.ID, called("web", model.Private)), outsider: h.NewUser()}
	w.owner, w.dev, w.guest = h.Member(acme, model.Owner), h.Member(acme, model.Developer), h.Member(acme, model.Guest)
	got := w.dev.JSON("POST", fmt.Sprintf("/projects/%d/issues", w.web.ID), `{"title":"It fails","labels":"bug","description":"Text."}`)
	if got.Status != 201 {
		t.Fatal(got.Body)
	}
	answer := ask(t, w.dev, `{ project(fullPath: "acme/web") { issue(iid: "1") { id } } }`, nil)
	w.issue, _ = find(t, answer, "data.project.issue.id").(string)
	return w
}

// write comments on the issue, or replies to a thread, and returns the ID of the note.
func (w world) write(t *testing.T, c *harness.Caller, text, reply string) string {
	t.Helper()
	v := vars{"issuableId": w.issue, "body": text}
	if reply != "" {
		v["replyId"] = reply
	}
	got := ask(t, c, createNote, v)
	id, _ := find(t, got, "data.createNote.note.id").(string)
	if id == "" || !strings.Contains(got, `"errors":[]`) {
		t.Fatal(got)
	}
	return id
}

func TestVisualStudioCodeCommentsOnAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := vars{"namespaceWithPath": "acme/web", "iid": "1"}
	first := w.write(t, w.dev, "**Why?**", "")
	got := ask(t, w.dev, issueDiscussions, v)
	for _, want := range []string{
		`"body":"**Why?**","bodyHtml":"`, `\u003cstrong\u003eWhy?\u003c/strong\u003e`, `"userPermissions":{"resolveNote":false,` +
			`"adminNote":true,"createNote":true},"position":null`,
		`"url":"` + w.URL + `/acme/web/-/issues/1#note_`, `"username":"` + w.dev.User.Username + `"`, `"resolvable":false`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	answer := ask(t, w.dev, `query ($id: NoteID!) { note(id: $id) { discussion { replyId } } }`, vars{"id": first})
	reply, _ := find(t, answer, "data.note.discussion.replyId").(string)
	second := w.write(t, w.guest, "Because.", reply)
	got = ask(t, w.owner, issueDiscussions, v)
	if strings.Count(got, `"replyId"`) != 1 || !strings.Contains(got, second) {
		t.Errorf("the reply is not in the thread: %s", got)
	}
	const update = `mutation UpdateNoteBody($noteId: NoteID!, $body: String!) { updateNote(input: { id: $noteId, body: $body }) { ` +
		`errors note { body } } }`
	expectData(t, w.dev, update, vars{"noteId": first, "body": "Why not?"}, `{"updateNote":{"errors":[],"note":{"body":"Why not?"}}}`)
	expectData(t, w.dev, update, vars{"noteId": first, "body": " "}, `{"updateNote":{"errors":["body is empty"],"note":null}}`)
	const remove = `mutation DeleteNote($noteId: NoteID!) { destroyNote(input: { id: $noteId }) { errors note { id } } }`
	for name, c := range map[string]*harness.Caller{"guest": w.guest, "outsider": w.outsider, "anonymous": w.Anonymous()} {
		for _, text := range []string{
			ask(t, c, update, vars{"noteId": first, "body": "x"}), ask(t, c, remove, vars{"noteId": first}),
		} {
			if failure(t, text) != hiddenText {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
	expectData(t, w.dev, remove, vars{"noteId": first}, `{"destroyNote":{"errors":[],"note":null}}`)
	if got := ask(t, w.dev, remove, vars{"noteId": first}); failure(t, got) != hiddenText || !strings.Contains(got, `"data":{`+
		`"destroyNote":null}`) {
		t.Error(got)
	}
}

const hiddenText = "The resource that you are attempting to access does not exist or you don't have permission to perform this action"

func TestOutsidersDoNotSeeAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.write(t, w.dev, "Secret", "")
	for name, c := range map[string]*harness.Caller{"outsider": w.outsider, "anonymous": w.Anonymous()} {
		expectData(t, c, issueDiscussions, vars{"namespaceWithPath": "acme/web", "iid": "1"}, `{"project":null}`)
		expectData(t, c, `query ($i: IssueID!, $n: NoteID!) { issue(id: $i) { title } note(id: $n) { body } }`, vars{"i": w.issue, "n": id},
			`{"issue":null,"note":null}`)
		if got := ask(t, c, createNote, vars{"issuableId": w.issue, "body": "x"}); failure(t, got) != hiddenText {
			t.Errorf("%s: %s", name, got)
		}
	}
	reader := w.WithToken(w.dev.User, "read_api")
	got := reader.JSON("POST", "/api/graphql", body(createNote, vars{"issuableId": w.issue, "body": "x"}))
	if got.Status != 403 {
		t.Errorf("read_api: %d %s", got.Status, got.Body)
	}
	if got := w.dev.Send("GET", "/api/graphql?query=mutation%7Ba%7D", ""); got.Status != 422 ||
		got.Body != `{"errors":[{"message":"Mutations are forbidden in GET requests"}]}` {
		t.Errorf("GET: %d %s", got.Status, got.Body)
	}
}

func TestQuickActionsRunInANote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	expectData(t, w.dev, `mutation ($i: NoteableID!) { createNote(input: { noteableId: $i, body: "/close", clientMutationId: "7" }) {
		clientMutationId errors note { id } quickActionsStatus { commandsOnly } } }`, vars{"i": w.issue},
		`{"createNote":{"clientMutationId":"7","errors":[],"note":null,"quickActionsStatus":{"commandsOnly":true}}}`)
	expectData(t, w.guest, `{ project(fullPath: "acme/web") { closed: issues(state: closed) {
		count nodes { iid title state labels { nodes { title } } } }
		opened: issues(state: opened) { count } issue(iid: "1") { reference full: reference(full: true)
		userPermissions { updateIssue } } } }`, nil,
		`{"project":{"closed":{"count":1,"nodes":[{"iid":"1","title":"It fails","state":"closed","labels":{"nodes":[{"title":"bug"}]}}]},`+
			`"opened":{"count":0},"issue":{"reference":"#1","full":"acme/web#1","userPermissions":{"updateIssue":false}}}}`)
}

func TestLabelsHaveTheirTimes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := ask(t, w.dev, `{ project(fullPath: "acme/web") { labels(includeAncestorGroups: true) {
		nodes { title createdAt updatedAt } } } }`, nil)
	nodes := find(t, got, "data.project.labels.nodes").([]any)
	if len(nodes) == 0 {
		t.Fatal("no labels")
	}
	for _, node := range nodes {
		for _, name := range []string{"createdAt", "updatedAt"} {
			if at, err := time.Parse(time.RFC3339, node.(map[string]any)[name].(string)); err != nil || time.Since(at) > time.Hour {
				t.Errorf("%s: %v, %v", name, node, err)
			}
		}
	}
}

func TestGlabPaginatesIssues(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 4 {
		if got := w.dev.JSON("POST", fmt.Sprintf("/projects/%d/issues", w.web.ID), fmt.Sprintf(`{"title":"more `+
			`%d"}`, i)); got.Status != 201 {
			t.Fatal(got.Body)
		}
	}
	const query = `query ($endCursor: String) { project(fullPath: "acme/web") { issues(first: 2, after: $endCursor, sort: "created_asc") {
		edges { node { iid } } pageInfo { endCursor hasNextPage } } } }`
	var seen []string
	cursor := any(nil)
	for range 3 {
		got := ask(t, w.dev, query, vars{"endCursor": cursor})
		for _, edge := range find(t, got, "data.project.issues.edges").([]any) {
			seen = append(seen, edge.(map[string]any)["node"].(map[string]any)["iid"].(string))
		}
		cursor = find(t, got, "data.project.issues.pageInfo.endCursor")
		if find(t, got, "data.project.issues.pageInfo.hasNextPage") != (len(seen) < 5) {
			t.Error(got)
		}
	}
	if strings.Join(seen, " ") != "1 2 3 4 5" {
		t.Error(seen)
	}
	expectData(t, w.dev, `{ project(fullPath: "acme/web") { issues(last: 2, sort: "created_asc") { nodes { iid } } boards { nodes { `+
		`name } } } }`, nil,
		`{"project":{"issues":{"nodes":[{"iid":"4"},{"iid":"5"}]},"boards":{"nodes":[]}}}`)
}

// A list of discussions with their notes and people takes as many statements for many as for one.
func TestDiscussionsTakeAFixedNumberOfStatements(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := vars{"namespaceWithPath": "acme/web", "iid": "1"}
	count := func() uint64 {
		before := w.Store.Statements()
		ask(t, w.dev, issueDiscussions, v)
		return uint64(w.Store.Statements() - before)
	}
	w.write(t, w.dev, "one", "")
	one := count()
	for i := range 10 {
		w.write(t, w.guest, fmt.Sprint("more ", i), "")
	}
	if many := count(); many > one {
		t.Errorf("%d statements for one, %d for many", one, many)
	}
}

func TestSnippetsAreWrittenAndRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := ask(t, w.dev, `mutation ($path: ID!) { createSnippet(input: { title: "patch", visibilityLevel: private, projectPath: $path,
		blobActions: [{ action: create, filePath: "a.patch", content: "+ line\n" }] }) { errors snippet { id webUrl } } }`,
		vars{"path": "acme/web"})
	id, _ := find(t, got, "data.createSnippet.snippet.id").(string)
	if !strings.HasPrefix(id, "gid://gitlab/ProjectSnippet/") {
		t.Fatal(got)
	}
	expectData(t, w.guest, `query ($ids: [SnippetID!]) { snippets(ids: $ids) { nodes { title blobs { nodes { path rawPlainData } } } }
		project(fullPath: "acme/web") { snippets { nodes { id title description blobs { nodes { name path } } } } } }`,
		vars{"ids": []string{id}},
		`{"snippets":{"nodes":[{"title":"patch","blobs":{"nodes":[{"path":"a.patch","rawPlainData":"+ line\n"}]}}]},`+
			`"project":{"snippets":{"nodes":[{"id":"`+id+`","title":"patch","description":null,`+
			`"blobs":{"nodes":[{"name":"a.patch","path":"a.patch"}]}}]}}}`)
	expectData(t, w.outsider, `query ($ids: [SnippetID!]) { snippets(ids: $ids) { nodes { title } } }`, vars{"ids": []string{id}},
		`{"snippets":{"nodes":[]}}`)
	const update = `mutation ($id: SnippetID!) { updateSnippet(input: { id: $id, title: "new" }) { errors snippet { title } } }`
	const destroy = `mutation ($id: SnippetID!) { destroySnippet(input: { id: $id }) { errors } }`
	for _, c := range []*harness.Caller{w.guest, w.outsider} {
		for _, query := range []string{update, destroy} {
			if got := ask(t, c, query, vars{"id": id}); failure(t, got) != hiddenText {
				t.Error(got)
			}
		}
	}
	expectData(t, w.dev, update, vars{"id": id}, `{"updateSnippet":{"errors":[],"snippet":{"title":"new"}}}`)
	expectData(t, w.dev, destroy, vars{"id": id}, `{"destroySnippet":{"errors":[]}}`)
}

// Introspection shows types that tools can read, and every type has __typename.
func TestIntrospectionShowsTheSchema(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	got := ask(t, h.Anonymous(), introspection, nil)
	for _, want := range []string{`{"kind":"OBJECT","name":"Project"`, `"name":"createNote"`, `"kind":"INPUT_OBJECT",` +
		`"name":"DiffPositionInput"`, `"queryType":{"name":"Query"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not shown", want)
		}
	}
	if strings.Contains(got, `"errors":[{"message"`) {
		t.Errorf("%.500s", got)
	}
	expectData(t, h.Root(), `{ __typename currentUser { __typename ... on User { username } } projects { __typename pageInfo { `+
		`__typename } } }`, nil,
		`{"__typename":"Query","currentUser":{"__typename":"CurrentUser","username":"root"},`+
			`"projects":{"__typename":"ProjectConnection","pageInfo":{"__typename":"PageInfo"}}}`)
}

// introspection is the query of graphql-js.
const introspection = `query IntrospectionQuery { __schema { description queryType { name } mutationType { name } subscriptionType { name }
  types { ...FullType } directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } } } }
  fragment FullType on __Type { kind name description specifiedByURL isOneOf
    fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...InputValue }
		type { ...TypeRef } isDeprecated deprecationReason }
    inputFields(includeDeprecated: true) { ...InputValue } interfaces { ...TypeRef }
    enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
  fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
  fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
    ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }`
