package graphql

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

const mergeRequestDiscussions = discussionDetails + `
  query GetMrDiscussions($namespaceWithPath: ID!, $iid: String!, $afterCursor: String) {
    project(fullPath: $namespaceWithPath) {
      id
      mergeRequest(iid: $iid) {
        id
        userPermissions { createNote }
        discussions(after: $afterCursor) { pageInfo { hasNextPage endCursor } nodes { ...discussionDetails } }
      }
    }
  }`

// withMergeRequest adds a merge request to a world, and returns its global ID and its head.
func withMergeRequest(t *testing.T, w world) (id, head string) {
	t.Helper()
	r := harness.NewHistory(t)
	r.Write("a.txt", "one\n")
	r.Commit("Ann <ann@example.com>", "First")
	r.Git("checkout", "-q", "-b", "work")
	r.Write("a.txt", "one\ntwo\n")
	head = r.Commit("Ann <ann@example.com>", "Second")
	r.Push(w.owner, w.web)
	got := w.dev.JSON("POST", fmt.Sprintf("/projects/%d/merge_requests", w.web.ID),
		`{"title":"Add a line","source_branch":"work","target_branch":"main"}`)
	if got.Status != 201 {
		t.Fatal(got.Body)
	}
	answer := ask(t, w.dev, `{ project(fullPath: "acme/web") { mergeRequest(iid: "1") { id } } }`, nil)
	id, _ = find(t, answer, "data.project.mergeRequest.id").(string)
	return id, head
}

func TestVisualStudioCodeReviewsAMergeRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, head := withMergeRequest(t, w)
	const create = discussionDetails + `
	  mutation CreateDiffNote($issuableId: NoteableID!, $body: String!, $position: DiffPositionInput!) {
	    createDiffNote(input: { noteableId: $issuableId, body: $body, position: $position }) {
			errors note { discussion { ...discussionDetails } } }
	  }`
	position := vars{
		"baseSha": strings.Repeat("b", 40), "headSha": head, "startSha": strings.Repeat("b", 40),
		"paths": vars{"oldPath": "a.txt", "newPath": "a.txt"}, "newLine": 2,
	}
	got := ask(t, w.dev, create, vars{"issuableId": id, "body": "Really?", "position": position})
	thread, _ := find(t, got, "data.createDiffNote.note.discussion.replyId").(string)
	if thread == "" || !strings.Contains(got, `"filePath":"a.txt","positionType":"text","newLine":2,"oldLine":null,"newPath":"a.txt",`+
		`"oldPath":"a.txt"`) {
		t.Fatal(got)
	}
	position["newLine"] = nil
	expectData(t, w.dev, create, vars{"issuableId": id, "body": "x", "position": position},
		`{"createDiffNote":{"errors":["Position lines are missing"],"note":null}}`)
	const resolve = discussionDetails + `
	  mutation DiscussionToggleResolve($replyId: DiscussionID!, $resolved: Boolean!) {
	    discussionToggleResolve(input: { id: $replyId, resolve: $resolved }) { errors discussion { ...discussionDetails } }
	  }`
	for _, c := range []*harness.Caller{w.guest, w.outsider, w.Anonymous()} {
		if got := ask(t, c, resolve, vars{"replyId": thread, "resolved": true}); failure(t, got) != hiddenText {
			t.Error(got)
		}
	}
	got = ask(t, w.owner, resolve, vars{"replyId": thread, "resolved": true})
	if !strings.Contains(got, `"resolved":true,"resolvable":true`) {
		t.Error(got)
	}
	got = ask(t, w.dev, mergeRequestDiscussions, vars{"namespaceWithPath": "acme/web", "iid": "1"})
	if !strings.Contains(got, `"userPermissions":{"createNote":true},"discussions"`) || !strings.Contains(got, thread) {
		t.Error(got)
	}
	expectData(t, w.guest, mergeRequestDiscussions, vars{"namespaceWithPath": "acme/web", "iid": "1"},
		fmt.Sprintf(`{"project":{"id":"gid://gitlab/Project/%d","mergeRequest":null}}`, w.web.ID))
	expectData(t, w.dev, `{ project(fullPath: "acme/web") { mergeRequests(state: opened, sourceBranches: ["work"]) {
		count nodes { iid title state draft
		sourceBranch diffHeadSha reference approved approvedBy { nodes { username } } author { username } headPipeline { id } } } } }`, nil,
		`{"project":{"mergeRequests":{"count":1,"nodes":[{"iid":"1","title":"Add a line","state":"opened","draft":false,`+
			`"sourceBranch":"work",`+
			`"diffHeadSha":"`+head+`","reference":"!1","approved":false,"approvedBy":{"nodes":[]},"author":{`+
			`"username":"`+w.dev.User.Username+
			`"},"headPipeline":null}]}}}`)
	expectData(t, w.outsider, `query ($id: MergeRequestID!) { mergeRequest(id: $id) { title } }`, vars{"id": id}, `{"mergeRequest":null}`)
}

// The query of a Backstage plugin.
func TestBackstageReadsPipelines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Pipeline(w.web, w.dev.User, []syntax.Job{{Name: "build", Stage: "build"}})
	const query = `query ($path: ID!, $ref: String, $after: Time) { project(fullPath: $path) {
		pipelines(ref: $ref, updatedAfter: $after) { nodes { iid coverage status user { username } 
		jobs { nodes { name status stage { name } } } } } } }`
	expectData(t, w.dev, query, vars{"path": "acme/web", "ref": "main", "after": "2020-01-01T00:00:00Z"},
		`{"project":{"pipelines":{"nodes":[{"iid":"1","coverage":null,"status":"PENDING","user":{"username":"`+w.dev.User.Username+
			`"},"jobs":{"nodes":[{"name":"build","status":"PENDING","stage":{"name":"build"}}]}}]}}}`)
	expectData(t, w.dev, query, vars{"path": "acme/web", "ref": "other"}, `{"project":{"pipelines":{"nodes":[]}}}`)
	if got := ask(t, w.dev, query, vars{"path": "acme/web", "after": "yesterday"}); failure(t, got) != "'updatedAfter' is not a valid "+
		"time" {
		t.Error(got)
	}
}

// A session needs the CSRF token for a mutation, and not for a query.
func TestASessionWritesOnlyWithItsCSRFToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie, csrf := secret.Random(), secret.Random()
	row := model.Session{
		UserID: w.dev.User.ID, Digest: secret.Digest(cookie), CSRFDigest: secret.Digest(csrf), CreatedAt: time.Now().UTC(),
		ExpiresAt: time.Now().Add(time.Hour).UTC(),
	}
	if err := w.Store.Sessions.Create(t.Context(), &row); err != nil {
		t.Fatal(err)
	}
	browser := w.WithHeaders("Cookie", "_svc_session="+cookie)
	expectData(t, browser, "{ currentUser { username } }", nil, `{"currentUser":{"username":"`+w.dev.User.Username+`"}}`)
	write := body(createNote, vars{"issuableId": w.issue, "body": "from a page"})
	if got := browser.JSON("POST", "/api/graphql", write); got.Status != 401 {
		t.Errorf("without the token: %d %s", got.Status, got.Body)
	}
	got := w.WithHeaders("Cookie", "_svc_session="+cookie, "X-CSRF-Token", csrf).JSON("POST", "/api/graphql", write)
	if got.Status != 200 || strings.Contains(got.Body, `"note":null`) {
		t.Errorf("with the token: %d %s", got.Status, got.Body)
	}
}
