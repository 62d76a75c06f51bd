package api

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/tests/harness"
	"svc/tests/wait"
)

// announced returns what was announced to a receiver: the header, the action and a detail of each delivery.
func announced(t *testing.T, received []harness.Delivery) []string {
	t.Helper()
	var all []string
	for _, d := range received {
		body := d.Read(t)
		attributes, _ := body["object_attributes"].(map[string]any)
		action := attributes["action"]
		if action == nil {
			action = body["action"]
		}
		if action == nil {
			action = attributes["status"]
		}
		if action == nil {
			action = body["build_status"]
		}
		all = append(all, fmt.Sprint(d.Header.Get("X-Gitlab-Event"), " ", action))
	}
	return all
}

// expectAnnounced waits for deliveries and compares them.
func (w hooked) expectAnnounced(t *testing.T, want ...string) []harness.Delivery {
	t.Helper()
	received := w.to.Wait(len(want))
	if got := announced(t, received); !slices.Equal(got, want) {
		t.Fatalf("announced %q, want %q", got, want)
	}
	return received
}

func TestHooksGetIssuesAndComments(t *testing.T) {
	t.Parallel()
	w := withHook(t,
		`,"push_events":false,"issues_events":true,"confidential_issues_events":true,"note_events":true,"confidential_note_events":true`)
	issues := fmt.Sprintf("/projects/%d/issues", w.project.ID)
	expect(t, w.root.JSON("POST", issues, `{"title":"Bug","labels":"a"}`), 201, "")
	expect(t, w.root.JSON("PUT", issues+"/1", `{"title":"Bigger bug","add_labels":"b"}`), 200, "")
	expect(t, w.root.JSON("PUT", issues+"/1", `{"title":"Bigger bug"}`), 200, "") // changes nothing
	expect(t, w.root.JSON("POST", issues+"/1/notes", `{"body":"Hello"}`), 201, "")
	expect(t, w.root.JSON("POST", issues+"/1/notes", `{"body":"Secret","internal":true}`), 201, "")
	expect(t, w.root.JSON("POST", issues+"/1/add_spent_time", `{"duration":"1h"}`), 201, "")
	expect(t, w.root.JSON("PUT", issues+"/1", `{"state_event":"close"}`), 200, "")
	expect(t, w.root.JSON("PUT", issues+"/1", `{"state_event":"reopen"}`), 200, "")
	expect(t, w.root.JSON("POST", issues, `{"title":"Hidden","confidential":true}`), 201, "")
	got := w.expectAnnounced(t, "Issue Hook open", "Issue Hook update", "Note Hook create", "Confidential Note Hook create",
		"Issue Hook update", "Issue Hook close", "Issue Hook reopen", "Confidential Issue Hook open")
	changes := got[1].Read(t)["changes"].(map[string]any)
	title, _ := changes["title"].(map[string]any)
	if title["previous"] != "Bug" || title["current"] != "Bigger bug" || changes["labels"] == nil {
		t.Errorf("%v", changes)
	}
}

func TestHooksGetMergeRequests(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"merge_requests_events":true`)
	w.commit(t, "feature", "a.txt")
	requests := fmt.Sprintf("/projects/%d/merge_requests", w.project.ID)
	expect(t, w.root.JSON("POST", requests, `{"source_branch":"feature","target_branch":"main","title":"Add a"}`), 201, "")
	expect(t, w.root.JSON("PUT", requests+"/1", `{"title":"Draft: Add a"}`), 200, "")
	expect(t, w.root.JSON("PUT", requests+"/1", `{"title":"Add a","labels":"x"}`), 200, "")
	body := `{"branch":"feature","commit_message":"m","actions":[{"action":"create","file_path":"b.txt","content":"x"}]}`
	expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), body), 201, "")
	expect(t, w.root.JSON("POST", requests+"/1/approve", `{}`), 201, "")
	expect(t, w.root.JSON("POST", requests+"/1/unapprove", `{}`), 201, "")
	expect(t, w.root.JSON("PUT", requests+"/1", `{"state_event":"close"}`), 200, "")
	expect(t, w.root.JSON("PUT", requests+"/1", `{"state_event":"reopen"}`), 200, "")
	wait.Until(t, "it can be merged", func() bool { return w.root.JSON("PUT", requests+"/1/merge", `{}`).Status == 200 })
	const hook = "Merge Request Hook "
	got := w.expectAnnounced(t, hook+"open", hook+"update", hook+"update", hook+"update", hook+"approved", hook+"unapproved",
		hook+"close", hook+"reopen", hook+"merge")
	attributes := got[3].Read(t)["object_attributes"].(map[string]any)
	if attributes["oldrev"] == nil || attributes["last_commit"].(map[string]any)["title"] != "m" {
		t.Errorf("%s", got[3].Body)
	}
	if first := got[1].Read(t)["object_attributes"].(map[string]any); first["oldrev"] != nil || first["draft"] != true {
		t.Errorf("%s", got[1].Body)
	}
}

func TestHooksGetPipelinesAndJobs(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"pipeline_events":true,"job_events":true,"deployment_events":true`)
	runner := newFakeRunner(t, w.H, `{"runner_type":"instance_type","run_untagged":true}`)
	ci := `{"branch":"main","commit_message":"CI","actions":[{"action":"create","file_path":".gitlab-ci.yml",` +
		`"content":"unit: {stage: test, script: make, environment: staging}"}]}`
	expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), ci), 201, "")
	w.to.Wait(4)
	expect(t, runner.update(runner.job(), "success", ""), 200, "")
	w.expectAnnounced(t, "Job Hook created", "Pipeline Hook created", "Job Hook pending", "Pipeline Hook pending",
		"Job Hook running", "Deployment Hook <nil>", "Pipeline Hook running", "Job Hook success", "Deployment Hook <nil>",
		"Pipeline Hook success")
}

// The job that a retry creates is announced before it starts.
func TestHooksGetRetriedJobs(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"job_events":true,"deployment_events":true`)
	runner := newFakeRunner(t, w.H, `{"runner_type":"instance_type","run_untagged":true}`)
	ci := `{"branch":"main","commit_message":"CI","actions":[{"action":"create","file_path":".gitlab-ci.yml",` +
		`"content":"unit: {stage: test, script: make, retry: 1, environment: staging}"}]}`
	expect(t, w.root.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", w.project.ID), ci), 201, "")
	w.to.Wait(2)
	expect(t, runner.update(runner.job(), "failed", `,"failure_reason":"script_failure"`), 200, "")
	w.to.Wait(8)
	again := runner.job()
	expect(t, runner.update(again, "failed", `,"failure_reason":"script_failure"`), 200, "")
	w.to.Wait(12)
	expect(t, w.root.Send("POST", fmt.Sprintf("/projects/%d/jobs/%d/retry", w.project.ID, again.ID), ""), 201, "")
	const run, deployment = "Job Hook running", "Deployment Hook <nil>"
	got := w.expectAnnounced(t, "Job Hook created", "Job Hook pending", run, deployment, "Job Hook failed", "Job Hook created",
		deployment, "Job Hook pending", run, deployment, "Job Hook failed", deployment, "Job Hook created", "Job Hook pending")
	if first, second := got[4].Read(t)["build_id"], got[5].Read(t)["build_id"]; first == second {
		t.Errorf("the jobs %v and %v", first, second)
	}
	if ended := got[6].Read(t)["status"]; ended != "failed" {
		t.Errorf("the deployment of the replaced job is %v", ended)
	}
}

func TestHooksGetMilestonesWikiPagesAndEmoji(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"milestone_events":true,"wiki_page_events":true,"emoji_events":true`)
	at := func(rest string) string { return fmt.Sprintf("/projects/%d/%s", w.project.ID, rest) }
	expect(t, w.root.JSON("POST", at("milestones"), `{"title":"v1"}`), 201, "")
	wiki := w.root.JSON("POST", at("wikis"), `{"title":"Home","content":"hi"}`)
	expect(t, wiki, 201, "")
	expect(t, w.root.JSON("PUT", at("wikis/Home"), `{"content":"ho"}`), 200, "")
	expect(t, w.root.JSON("PUT", at("wikis/Home"), `{"title":"Start"}`), 200, "")
	expect(t, w.root.Send("DELETE", at("wikis/Start"), ""), 204, "")
	expect(t, w.root.JSON("POST", at("issues"), `{"title":"Bug"}`), 201, "")
	award := read[struct{ ID int64 }](t, w.root.JSON("POST", at("issues/1/award_emoji"), `{"name":"rocket"}`), 201)
	expect(t, w.root.Send("DELETE", at(fmt.Sprintf("issues/1/award_emoji/%d", award.ID)), ""), 204, "")
	got := w.expectAnnounced(t, "Milestone Hook create", "Wiki Page Hook create", "Wiki Page Hook update",
		"Wiki Page Hook update", "Wiki Page Hook delete",
		"Emoji Hook award", "Emoji Hook revoke")
	if page := got[2].Read(t)["object_attributes"].(map[string]any); page["content"] != "ho" || page["slug"] != "Home" {
		t.Errorf("%s", got[2].Body)
	}
	if page := got[3].Read(t)["object_attributes"].(map[string]any); page["content"] != "ho" || page["slug"] != "Start" {
		t.Errorf("a renamed page: %s", got[3].Body)
	}
}

func TestHooksGetReleases(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"releases_events":true`)
	at := fmt.Sprintf("/projects/%d/releases", w.project.ID)
	w.commit(t, "main", "a.txt")
	expect(t, w.root.JSON("POST", at, `{"tag_name":"v1","ref":"main","name":"One"}`), 201, "")
	expect(t, w.root.JSON("POST", at+"/v1/assets/links", `{"name":"notes","url":"https://example.com/notes"}`), 201, "")
	expect(t, w.root.JSON("PUT", at+"/v1", `{"description":"Better"}`), 200, "")
	expect(t, w.root.Send("DELETE", at+"/v1", ""), 200, "")
	got := w.expectAnnounced(t, "Release Hook create", "Release Hook update", "Release Hook update", "Release Hook delete")
	last := got[2].Read(t)
	assets := last["assets"].(map[string]any)
	if last["name"] != "One" || last["description"] != "Better" || len(assets["links"].([]any)) != 1 || last["commit"] == nil {
		t.Errorf("%s", got[2].Body)
	}
}

// Each test sends the newest object of its kind.
func TestEveryTriggerCanBeTested(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false`)
	at := func(rest string) string { return fmt.Sprintf("/projects/%d/%s", w.project.ID, rest) }
	w.commit(t, "feature", "a.txt")
	for path, body := range map[string]string{
		"milestones": `{"title":"v1"}`, "wikis": `{"title":"Home","content":"hi"}`,
		"merge_requests": `{"source_branch":"feature","target_branch":"main","title":"Add a"}`,
	} {
		expect(t, w.root.JSON("POST", at(path), body), 201, "")
	}
	expect(t, w.root.JSON("POST", at("releases"), `{"tag_name":"v1","ref":"main"}`), 201, "")
	expect(t, w.root.JSON("POST", at("issues"), `{"title":"Bug"}`), 201, "")
	expect(t, w.root.JSON("POST", at("issues"), `{"title":"Hidden","confidential":true}`), 201, "")
	note := read[struct{ ID int64 }](t, w.root.JSON("POST", at("issues/1/notes"), `{"body":"Hello"}`), 201)
	expect(t, w.root.JSON("POST", at(fmt.Sprintf("issues/1/notes/%d/award_emoji", note.ID)), `{"name":"rocket"}`), 201, "")
	w.Pipeline(w.project, w.root.User, []syntax.Job{{Name: "unit", Stage: "test"}})

	inGroup := fmt.Sprintf("/groups/%d/hooks", w.group.ID)
	made := read[hook](t, w.root.JSON("POST", inGroup, fmt.Sprintf(`{"url":%q,"push_events":false}`, w.to.URL)), 201)
	ofGroup := fmt.Sprintf("%s/%d", inGroup, made.ID)
	triggers := []string{
		"push", "tag_push", "issues", "confidential_issues", "note", "merge_requests", "job", "pipeline", "wiki_page", "milestone",
		"emoji", "resource_access_token", "releases",
	}
	for i, trigger := range triggers {
		place := []string{w.hook, ofGroup}[i%2]
		expect(t, w.root.Send("POST", place+"/test/"+trigger+"_events", ""), 201, `{"message":"201 Created"}`)
		if trigger == "wiki_page" {
			page := w.to.Received()[i].Read(t)["object_attributes"].(map[string]any)
			if page["content"] != "hi" || page["version_id"] == "" {
				t.Errorf("the page %v", page)
			}
		}
	}
	expect(t, w.root.Send("POST", ofGroup+"/test/project_events", ""), 201, "")
	expect(t, w.root.Send("POST", w.hook+"/test/project_events", ""), 400, `{"error":"trigger does not have a valid value"}`)
	if n := len(w.to.Received()); n != len(triggers)+1 {
		t.Error(n)
	}
	rows := read[[]delivery](t, w.root.Send("GET", ofGroup+"/events", ""), 200)
	resent := w.root.Send("POST", fmt.Sprintf("%s/events/%d/resend", ofGroup, rows[0].ID), "")
	expect(t, resent, 201, `{"response_status":200}`)
}

func TestTestsOfHooksAreLimited(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, _, _, _ := hookPlaces(h)
	to := harness.NewReceiver(t)
	made := read[hook](t, h.Root().JSON("POST", inProject, fmt.Sprintf(`{"url":%q}`, to.URL)), 201)
	harness.WaitForMinute(20 * time.Second)
	for range 5 {
		expect(t, h.Root().Send("POST", fmt.Sprintf("%s/%d/test/push_events", inProject, made.ID), ""), 201, "")
	}
	expect(t, h.Root().Send("POST", fmt.Sprintf("%s/%d/test/push_events", inProject, made.ID), ""), 429, "")
}

// announcedTo returns the event names of the deliveries to a path.
func announcedTo(t *testing.T, received []harness.Delivery, path string) []string {
	t.Helper()
	var names []string
	for _, d := range received {
		if d.Path == path {
			names = append(names, fmt.Sprint(d.Read(t)["event_name"]))
		}
	}
	return names
}

func TestHooksGetPlacesAndPeople(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	to, root := harness.NewReceiver(t), h.Root()
	g := h.Group()
	h.StartWorker()
	expect(t, root.JSON("POST", "/hooks", fmt.Sprintf(`{"url":"%s/system","repository_update_events":false}`, to.URL)), 201, "")
	expect(t, root.JSON("POST", fmt.Sprintf("/groups/%d/hooks", g.ID),
		fmt.Sprintf(`{"url":"%s/group","push_events":false,"member_events":true,"subgroup_events":true,"project_events":true}`,
			to.URL)), 201, "")

	sub := read[struct{ ID int64 }](t, root.JSON("POST", "/groups", fmt.Sprintf(`{"name":"Sub","path":"sub","parent_id":%d}`, g.ID)), 201)
	web := read[struct{ ID int64 }](t, root.JSON("POST", "/projects", fmt.Sprintf(`{"name":"web","namespace_id":%d}`, sub.ID)), 201)
	user := read[struct{ ID int64 }](t, root.JSON("POST", "/users",
		`{"name":"Bo","username":"bo","email":"bo@example.com","force_random_password":true,"skip_confirmation":true}`), 201)
	members := fmt.Sprintf("/groups/%d/members", sub.ID)
	expect(t, root.JSON("POST", members, fmt.Sprintf(`{"user_id":%d,"access_level":30}`, user.ID)), 201, "")
	expect(t, root.JSON("PUT", fmt.Sprintf("%s/%d", members, user.ID), `{"access_level":40}`), 200, "")
	expect(t, root.Send("DELETE", fmt.Sprintf("%s/%d", members, user.ID), ""), 204, "")
	expect(t, root.JSON("POST", fmt.Sprintf("/projects/%d/members", web.ID),
		fmt.Sprintf(`{"user_id":%d,"access_level":30}`, user.ID)), 201, "")
	one := fmt.Sprintf("/projects/%d", web.ID)
	expect(t, root.JSON("PUT", one, `{"description":"x"}`), 200, "")
	expect(t, root.JSON("PUT", one, `{"path":"web2"}`), 200, "")
	expect(t, root.JSON("PUT", fmt.Sprintf("/groups/%d", sub.ID), `{"path":"sub2"}`), 200, "")
	expect(t, root.JSON("PUT", fmt.Sprintf("/users/%d", user.ID), `{"username":"bob"}`), 200, "")
	key := read[struct{ ID int64 }](t, root.JSON("POST", "/user/keys", `{"title":"k","key":"ssh-ed25519 `+
		`AAAAC3NzaC1lZDI1NTE5AAAAIJqcTX1pMWxZyqxDbVPHXvGvMQpQzD8gKrxUqHAAS9Ji"}`), 201)
	expect(t, root.Send("DELETE", fmt.Sprintf("/user/keys/%d", key.ID), ""), 204, "")
	expect(t, root.Send("DELETE", one, ""), 202, "")
	expect(t, root.Send("DELETE", fmt.Sprintf("/groups/%d", sub.ID), ""), 202, "")

	system := []string{
		"group_create", "user_add_to_group", "project_create", "user_create", "user_add_to_group", "user_update_for_group",
		"user_remove_from_group", "user_add_to_team", "project_update", "project_rename", "group_rename", "user_rename",
		"key_create", "key_destroy", "project_destroy", "group_destroy",
	}
	group := []string{
		"subgroup_create", "user_add_to_group", "project_create", "user_add_to_group", "user_update_for_group", "user_remove_from_group",
		"project_destroy", "subgroup_destroy",
	}
	received := to.Wait(len(system) + len(group))
	if got := announcedTo(t, received, "/system"); !slices.Equal(got, system) {
		t.Errorf("system hooks get %q", got)
	}
	if got := announcedTo(t, received, "/group"); !slices.Equal(got, group) {
		t.Errorf("hooks of groups get %q", got)
	}
}
