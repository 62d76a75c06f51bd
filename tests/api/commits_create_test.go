package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func commitsOf(p model.Project) string { return fmt.Sprintf("/projects/%d/repository/commits", p.ID) }

func TestACommitAppliesAllOfItsActions(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	got := ann.JSON(
		"POST",
		commitsOf(p),
		`{"branch":"main","commit_message":"Begin\n\nSigned-off-by: Ann <a@b.c>\nIssue: 1\n","author_name":"Bo",
			"author_email":"bo@example.com","actions":[
		{"action":"create","file_path":"a","content":"1\n2\n"},{"action":"create","file_path":"b/c",
		"content":"aGVsbG8=","encoding":"base64"},
		{"action":"create","file_path":"run","content":"#!","execute_filemode":true},{"action":"create",
		"file_path":"gone"},{"action":"delete","file_path":"gone"}]}`,
	)
	if got.Status != 201 || member(t, got, "title") != "Begin" || member(t, got, "author_name") != "Bo" ||
		member(t, got, "committer_name") != ann.User.Name ||
		fmt.Sprint(member(t, got, "stats")) != "map[additions:4 deletions:0 total:4]" ||
		member(t, got, "trailers").(map[string]any)["Issue"] != "1" {
		t.Errorf("the first commit: %d %s", got.Status, got.Body)
	}
	first := member(t, got, "id").(string)
	got = ann.JSON(
		"POST",
		commitsOf(p),
		fmt.Sprintf(`{"branch":"next","start_branch":"main","commit_message":"Go on","stats":false,"actions":[
		{"action":"update","file_path":"a","content":"1\n","last_commit_id":%q},{"action":"move",
		"previous_path":"b/c","file_path":"b"},{"action":"chmod","file_path":"run","execute_filemode":false}]}`, first),
	)
	if got.Status != 201 || strings.Contains(got.Body, "stats") || fmt.Sprint(member(t, got, "parent_ids")) != "["+first+"]" {
		t.Errorf("the second commit: %d %s", got.Status, got.Body)
	}
	for path, want := range map[string]string{"a": "1\n", "b": "hello", "run": "#!"} {
		if raw := ann.Send("GET", filePath(p, path)+"/raw?ref=next", ""); raw.Body+"\n" != want && raw.Body != want ||
			raw.Header.Get("X-Svc-Execute-Filemode") != "false" {
			t.Errorf("%s is %q", path, raw.Body)
		}
	}
	expect(t, ann.JSON("POST", commitsOf(p), `{"branch":"main","commit_message":"Nothing","actions":[]}`), 201, "")
}

func TestACommitWithAnInvalidActionChangesNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	commitFiles(t, ann, p, "a", "a", "b/c", "c")
	commitFiles(t, ann, p, "d", "d")
	tip := member(t, ann.Send("GET", filePath(p, "a")+"?ref=main", ""), "commit_id").(string)
	for actions, want := range map[string]string{
		`{"action":"create","file_path":"new"},{"action":"create","file_path":"a"}`: `{"message":"A file with this name already exists"}`,
		`{"action":"create","file_path":"a/x"}`:                                     `{"message":"A file with this name already exists"}`,
		`{"action":"create","file_path":"b"}`:                                       `{"message":"A file with this name already exists"}`,
		`{"action":"update","file_path":"x","content":""}`:                          `{"message":"A file with this name doesn't exist"}`,
		`{"action":"delete","file_path":"b"}`:                                       `{"message":"A file with this name doesn't exist"}`,
		`{"action":"move","file_path":"d","previous_path":"a"}`:                     `{"message":"A file with this name already exists"}`,
		`{"action":"move","file_path":"e","previous_path":"x"}`:                     `{"message":"A file with this name doesn't exist"}`,
		`{"action":"move","file_path":"e"}`:                                         `{"error":"actions[0][previous_path] is missing"}`,

		`{"action":"move","file_path":"e","previous_path":"../a"}`: `{"error":"actions[0][previous_path] should be a valid file path"}`,

		`{"action":"chmod","file_path":"a"}`:                                      `{"error":"actions[0][execute_filemode] is missing"}`,
		`{"action":"update","file_path":"a"}`:                                     `{"error":"actions[0][content] is missing"}`,
		`{"action":"update","file_path":"a","content":"%%%","encoding":"base64"}`: `{"error":"actions[0][content] is invalid"}`,
		`{"action":"update","file_path":"a","content":"x","encoding":"rot13"}`: `{"error":"actions[0][encoding] ` +
			`does not have a valid value"}`,

		`{"action":"break","file_path":"a"}`:     `{"error":"actions[0][action] does not have a valid value"}`,
		`{"action":"create","file_path":"/abs"}`: `{"error":"actions[0][file_path] should be a valid file path"}`,

		`{"action":"create"}`: `{"error":"actions[0][file_path] is missing"}`,
		`{"action":"update","file_path":"a","content":"x","last_commit_id":"` + tip +
			`"}`: `{"message":"The file has changed since you started editing it: a"}`,
		`{"action":"delete","file_path":"a","last_commit_id":"x"},{"action":"create","file_path":"z","content":""}`: `{"message":` +
			`"The file has changed since you started editing it: a"}`,
	} {
		expect(t, ann.JSON("POST", commitsOf(p), `{"branch":"main","commit_message":"x","actions":[`+actions+`]}`), 400, want)
	}
	for body, want := range map[string]string{
		`{"branch":"main","commit_message":"x"}`: `{"error":"actions is missing"}`,

		`{"branch":"main","commit_message":"","actions":[]}`: `{"error":"commit_message is empty"}`,

		`{"branch":"main","start_branch":"main","start_sha":"main","commit_message":"x","actions":[]}`: `{"error":` +
			`"start_branch, start_sha are mutually exclusive"}`,

		`{"branch":"other","commit_message":"x","actions":[]}`: `{"message":"You can only create ` +
			`or edit files when you are on a branch"}`,
		`{"branch":"-x","start_branch":"main","commit_message":"x","actions":[]}`: `{"message":"The branch refname is invalid"}`,

		`{"branch":"main/x","start_branch":"main","commit_message":"x","actions":[]}`: `{"message":"Could not update ` +
			`refs/heads/main/x. Please refresh and try again."}`,

		`{"branch":"x","start_sha":"--all","commit_message":"x","actions":[]}`: `{"message":"Invalid reference name: --all"}`,

		`{"branch":"main","start_sha":"` + tip +
			`","commit_message":"x","actions":[]}`: `{"message":"A branch called 'main' already exists. Switch to ` +
			`that branch in order to make changes"}`,
		`{"branch":"x","start_sha":"ffffffffffffffffffffffffffffffffffffffff","commit_message":"x","actions":[]}`: `{"message":` +
			`"Invalid reference name: ffffffffffffffffffffffffffffffffffffffff"}`,
	} {
		expect(t, ann.JSON("POST", commitsOf(p), body), 400, want)
	}
	if now := member(t, ann.Send("GET", filePath(p, "a")+"?ref=main", ""), "commit_id"); now != tip {
		t.Errorf("main is %s now", now)
	}
}

func TestACommitMayStartFromAnyProjectOfTheForkNetwork(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	fork := h.Project(*ann.User.NamespaceID, func(f *model.Project) { f.ForkedFromID = &p.ID })
	stranger := h.Project(*ann.User.NamespaceID)
	hidden := h.Project(h.Group().ID)
	first := commitFiles(t, ann, p, "a", "a")
	commitFiles(t, ann, stranger, "s", "s")
	body := func(more string) string {
		return `{"branch":"topic","commit_message":"x","actions":[{"action":"create","file_path":"b","content":"b"}],` + more + `}`
	}
	got := ann.JSON("POST", commitsOf(fork), body(fmt.Sprintf(`"start_project":%d,"start_branch":"main"`, p.ID)))
	if got.Status != 201 || fmt.Sprint(member(t, got, "parent_ids")) != "["+first+"]" {
		t.Errorf("from the origin: %d %s", got.Status, got.Body)
	}
	if raw := ann.Send("GET", filePath(fork, "a")+"/raw?ref=topic", ""); raw.Body != "a" {
		t.Errorf("what was behind it: %d %s", raw.Status, raw.Body)
	}
	got = ann.JSON("POST", commitsOf(p), body(`"start_project":"`+fork.FullPath+`","start_branch":"topic","branch":"back"`))
	expect(t, got, 400, "") // b exists
	expect(t, ann.JSON("POST", commitsOf(p), body(fmt.Sprintf(`"start_project":"%d","start_branch":"main"`, stranger.ID))), 403,
		`{"message":"403 Forbidden - Project is not included in the fork network for `+p.FullName+`"}`)
	expect(t, ann.JSON("POST", commitsOf(p), body(fmt.Sprintf(`"start_project":"%d","start_branch":"main"`, hidden.ID))),
		404, `{"message":"404 Project Not Found"}`)
	expect(t, ann.JSON("POST", commitsOf(p), body(fmt.Sprintf(`"start_project":"%d"`, fork.ID))), 400, "")
	// With force, the branch is reset and loses its commits, unless it is protected.
	second := commitFiles(t, ann, p, "c", "c")
	expect(t, ann.JSON("POST", commitsOf(p), body(`"start_branch":"main"`)), 201, "")
	got = ann.JSON("POST", commitsOf(p), body(`"start_sha":"`+first+`","force":true`))
	if got.Status != 201 || fmt.Sprint(member(t, got, "parent_ids")) != "["+first+"]" {
		t.Errorf("by force: %d %s", got.Status, got.Body)
	}
	force := strings.Replace(body(`"start_sha":"`+first+`","force":true`), "topic", "main", 1)
	if got := ann.JSON("POST", commitsOf(p), force); got.Status != 403 || !strings.Contains(got.Body, "force push") {
		t.Errorf("a protected branch by force: %d %s", got.Status, got.Body)
	}
	if now := member(t, ann.Send("GET", filePath(p, "a")+"?ref=main", ""), "commit_id"); now != second {
		t.Errorf("main is %s", now)
	}
}

func TestACommitIsPickedAndReverted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	ann, developer := h.Member(group, model.Maintainer), h.Member(group, model.Developer)
	p := h.Project(group.ID)
	commitFiles(t, ann, p, "a", "1\n2\n3\n4\n5\n", "b", "b\n")
	write := func(branch, start, path, content string) string {
		body, _ := json.Marshal(map[string]any{
			"branch": branch, "start_branch": start, "commit_message": "Change " + path, "author_name": "Bo",
			"actions": []any{map[string]any{"action": "update", "file_path": path, "content": content}},
		})
		got := ann.JSON("POST", commitsOf(p), string(body))
		expect(t, got, 201, "")
		return member(t, got, "id").(string)
	}
	topic := write("topic", "main", "a", "1\n2\n3\n4\nfive\n")
	write("main", "main", "a", "one\n2\n3\n4\n5\n")
	at := func(sha, verb string) string { return commitsOf(p) + "/" + sha + "/" + verb }
	expect(t, developer.JSON("POST", at(topic, "cherry_pick"), `{"branch":"main"}`), 403,
		`{"message":"403 Forbidden - You are not allowed to push into this branch"}`)
	expect(t, ann.JSON("POST", at(topic, "cherry_pick"), `{"branch":"main","dry_run":true}`), 200, `{"dry_run":"success"}`)
	picked := ann.JSON("POST", at(topic[:10], "cherry_pick"), `{"branch":"main"}`)
	if picked.Status != 201 || member(t, picked, "message") != "Change a\n\n(cherry picked from commit "+topic+")" ||
		member(t, picked, "author_name") != "Bo" || member(t, picked, "committer_name") != ann.User.Name {
		t.Errorf("picked: %d %s", picked.Status, picked.Body)
	}
	if raw := ann.Send("GET", filePath(p, "a")+"/raw?ref=main", ""); raw.Body != "one\n2\n3\n4\nfive" {
		t.Errorf("a is %q", raw.Body)
	}
	expect(t, ann.JSON("POST", at(topic, "cherry_pick"), `{"branch":"main"}`), 400,
		`{"message":"The commit cannot be cherry-picked: it would not change the branch.","error_code":"empty"}`)
	clash := write("topic", "topic", "a", "uno\n2\n3\n4\nfive\n")
	for _, more := range []string{"", `,"dry_run":true`} {
		expect(t, ann.JSON("POST", at(clash, "cherry_pick"), `{"branch":"main"`+more+`}`), 400,
			`{"message":"The commit cannot be cherry-picked: it conflicts with the branch.","error_code":"conflict"}`)
	}
	id := member(t, picked, "id").(string)
	expect(t, ann.JSON("POST", at(id, "revert"), `{"branch":"main","dry_run":true}`), 200, `{"dry_run":"success"}`)
	reverted := ann.JSON("POST", at(id, "revert"), `{"branch":"main"}`)
	if reverted.Status != 201 || member(t, reverted, "message") != "Revert \"Change a\"\n\nThis reverts commit "+id ||
		member(t, reverted, "author_name") != ann.User.Name {
		t.Errorf("reverted: %d %s", reverted.Status, reverted.Body)
	}
	expect(t, ann.JSON("POST", at(id, "revert"), `{"branch":"main"}`), 400,
		`{"message":"The commit cannot be reverted: it would not change the branch.","error_code":"empty"}`)
	if got := ann.JSON("POST", at(id, "revert"), `{"branch":"topic","message":"Mine"}`); got.Status != 201 ||
		member(t, got, "message") != "Mine" {
		t.Errorf("reverted where it came from: %d %s", got.Status, got.Body)
	}
	expect(t, ann.JSON("POST", at("none", "revert"), `{"branch":"main"}`), 404, `{"message":"404 Commit Not Found"}`)
	expect(t, ann.JSON("POST", at(id, "revert"), `{"branch":"none"}`), 404, `{"message":"404 Branch Not Found"}`)
	expect(t, ann.JSON("POST", at("--all", "revert"), `{"branch":"main"}`), 404, `{"message":"404 Commit Not Found"}`)
	expect(t, ann.JSON("POST", at(id, "cherry_pick"), `{}`), 400, `{"error":"branch is missing"}`)
}

func TestConcurrentCommitsAreAllKept(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	expect(t, owner.JSON("POST", filePath(p, "a"), `{"branch":"main","content":"a","commit_message":"a"}`), 201, "")
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/repository/branches?branch=side&ref=main", p.ID), ""), 201, "")
	const callers, each = 12, 4
	var wait sync.WaitGroup
	for i := range callers {
		wait.Go(func() {
			branch := []string{"main", "side"}[i%2]
			for j := range each {
				name := fmt.Sprintf("f%d-%d", i, j)
				got := owner.JSON("POST", filePath(p, name), fmt.Sprintf(`{"branch":%q,"content":"x","commit_message":%q}`, branch, name))
				if got.Status != 201 {
					t.Errorf("%s: %d %s", name, got.Status, got.Body)
				}
			}
			got := owner.JSON("POST", filePath(p, "a"), fmt.Sprintf(`{"branch":%q,"content":"again","commit_message":"again"}`, branch))
			if got.Status != 400 || !strings.Contains(got.Body, "already exists") {
				t.Errorf("a file that is there: %d %s", got.Status, got.Body)
			}
		})
	}
	wait.Wait()
	for _, branch := range []string{"main", "side"} {
		expect(t, owner.Send("GET", commitsOf(p)+"/"+branch+"/sequence", ""), 200, fmt.Sprintf(`{"count":%d}`, 1+callers/2*each))
	}
	if rows := read[[]eventRow](t,
		owner.Send("GET", fmt.Sprintf("/projects/%d/events?action=pushed&per_page=100", p.ID), ""), 200); len(rows) != 2+callers*each {
		t.Errorf("%d events", len(rows))
	}
}
