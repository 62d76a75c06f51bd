package main

import (
	"fmt"
	"net/http"
	"strings"
)

// listRows is how many rows each list gets: a page and some more.
const listRows = 22

// made is a request that is sent listRows times: {n} is a number from 1, {next} the number after it.
type made struct{ path, body string }

// fillLists creates what the lists show and returns the IDs for their paths.
func (b *ciBench) fillLists() (*strings.Replacer, error) {
	var group, other, project struct{ ID int64 }
	for _, first := range []struct {
		path, body string
		into       any
	}{
		{"/groups", `{"name":"lists","path":"lists","visibility":"public"}`, &group},
		{"/groups", `{"name":"other","path":"other","visibility":"public"}`, &other},
	} {
		if err := b.call(rawRequest(http.MethodPost, "/api/v4"+first.path, first.body), http.StatusCreated, first.into); err != nil {
			return nil, err
		}
	}
	body := fmt.Sprintf(`{"name":"bench","namespace_id":%d,"initialize_with_readme":true,"visibility":"public"}`, group.ID)
	if err := b.call(rawRequest(http.MethodPost, "/api/v4/projects", body), http.StatusCreated, &project); err != nil {
		return nil, err
	}
	ci := `{"branch":"main","commit_message":"CI","actions":[{"action":"create","file_path":".gitlab-ci.yml",` +
		`"content":"workflow: {rules: [{if: $CI_PIPELINE_SOURCE == \"api\"}]}\nbuild: {script: [make]}"}]}`
	if err := b.send(http.MethodPost, fmt.Sprintf("/api/v4/projects/%d/repository/commits", project.ID), ci); err != nil {
		return nil, err
	}
	if err := b.send(http.MethodPost, fmt.Sprintf("/api/v4/projects/%d/issues", project.ID), `{"title":"First"}`); err != nil {
		return nil, err
	}
	ids := strings.NewReplacer("{group}", fmt.Sprint(group.ID), "{other}", fmt.Sprint(other.ID), "{project}", fmt.Sprint(project.ID))
	for _, m := range listContents() {
		for n := range listRows {
			numbers := strings.NewReplacer("{n}", fmt.Sprint(n+1), "{next}", fmt.Sprint(n+2))
			method, path, _ := strings.Cut(ids.Replace(numbers.Replace(m.path)), " ")
			if err := b.send(method, "/api/v4"+path, ids.Replace(numbers.Replace(m.body))); err != nil {
				return nil, err
			}
		}
	}
	return ids, nil
}

// send sends a request that must succeed.
func (b *ciBench) send(method, path, body string) error {
	status, err := b.conn.do(rawRequest(method, path, body))
	if err == nil && status >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s answered %d: %.300s", method, path, status, b.conn.body)
	}
	return err
}

// listContents returns what to create, in this order.
func listContents() []made {
	const project = "POST /projects/{project}"
	const issue, merge = project + "/issues/1", project + "/merge_requests/1"
	people := `"milestone_id":1,"assignee_ids":[1]}`
	commit := `"commit_message":"Change","actions":[{"action":"create","file_path":"f{n}","content":"x"}]}`
	return []made{
		{"POST /users", `{"name":"User {n}","username":"user{n}","email":"user{n}@example.com","password":"Bench-{n}-pass-word"}`},
		{"POST /groups", `{"name":"Group {n}","path":"group{n}","parent_id":{group}}`},
		{"POST /projects", `{"name":"Project {n}","namespace_id":{group}}`},
		{project + "/labels", `{"name":"label{n}","color":"#112233"}`},
		{"POST /groups/{group}/labels", `{"name":"shared{n}","color":"#112233"}`},
		{project + "/milestones", `{"title":"Milestone {n}"}`},
		{"POST /groups/{group}/milestones", `{"title":"Shared {n}"}`},
		{project + "/issues", `{"title":"Issue {n}","description":"Something is wrong.",` + `"labels":"label1,label2",` + people},
		{issue + "/notes", `{"body":"Note {n}"}`},
		{issue + "/links", `{"target_project_id":{project},"target_issue_iid":{next}}`},
		{"PUT /projects/{project}/issues/1", `{"add_labels":"label{n}"}`},
		{"POST /projects/{project}/issues/{n}/notes?sudo=user{n}", `{"body":"@root look"}`},
		{"POST /projects/{project}/issues/1/notes?sudo=user{n}", `{"body":"I see it, too"}`},
		{project + "/repository/commits", `{"branch":"b{n}","start_branch":"main",` + commit},
		{project + "/merge_requests", `{"title":"Merge {n}","source_branch":"b{n}","target_branch":"main","labels":"label1",` + people},
		{merge + "/notes", `{"body":"Note {n}"}`},
		{merge + "/draft_notes", `{"note":"Draft {n}"}`},
		{project + "/approval_rules", `{"name":"rule{n}","approvals_required":0,"user_ids":[1]}`},
		{project + "/boards", `{"name":"Board {n}"}`},
		{project + "/members", `{"username":"user{n}","access_level":30}`},
		{"POST /groups/{group}/members", `{"username":"user{n}","access_level":20}`},
		{project + "/invitations", `{"email":"new{n}@example.com","access_level":20}`},
		{"POST /groups/{other}/access_requests?sudo=user{n}", ``},
		{project + "/variables", `{"key":"KEY_{n}","value":"a value"}`},
		{"POST /groups/{group}/variables", `{"key":"KEY_{n}","value":"a value"}`},
		{"POST /admin/ci/variables", `{"key":"KEY_{n}","value":"a value"}`},
		{project + "/triggers", `{"description":"Trigger {n}"}`},
		{project + "/deploy_tokens", `{"name":"token{n}","scopes":["read_repository"]}`},
		{project + "/access_tokens", `{"name":"token{n}","scopes":["read_api"],"access_level":20,"expires_at":"2027-01-01"}`},
		{project + "/protected_branches?name=release-{n}", ``},
		{project + "/protected_tags", `{"name":"v{n}.*"}`},
		{project + "/badges", `{"link_url":"https://example.com/{n}","image_url":"https://example.com/{n}.png"}`},
		{project + "/environments", `{"name":"review-{n}"}`},
		{project + "/freeze_periods", `{"freeze_start":"0 {n} * * 1","freeze_end":"0 8 * * 2"}`},
		{project + "/pipeline_schedules", `{"description":"Schedule {n}","ref":"main","cron":"0 1 * * *"}`},
		{"POST /user/runners", `{"runner_type":"instance_type","description":"Runner {n}"}`},
		{project + "/snippets", `{"title":"Snippet {n}","visibility":"public","files":[{"file_path":"a.txt","content":"x"}]}`},
		{"POST /snippets", `{"title":"Snippet {n}","visibility":"public","files":[{"file_path":"a.txt","content":"x"}]}`},
		{"POST /topics", `{"name":"topic{n}","title":"Topic {n}"}`},
		{"POST /broadcast_messages", `{"message":"Message {n}"}`},
		{"POST /features/switch_{n}", `{"value":true}`},
		{"POST /applications", `{"name":"App {n}","redirect_uri":"https://app{n}.example.com","scopes":"read_user"}`},
		{"POST /service_accounts", `{"name":"Robot {n}","username":"robot{n}"}`},
		{"PUT /projects/{project}/custom_attributes/key{n}", `{"value":"a value"}`},
		{project + "/cluster_agents", `{"name":"agent-{n}"}`},
		{project + "/alert_integrations", `{"type":"http","name":"Alerts {n}"}`},
		{project + "/error_tracking/client_keys", ``},
		{project + "/pipeline?ref=main", ``},
		{project + "/hooks", `{"url":"https://93.184.216.34/{n}"}`},
		{"POST /groups/{group}/hooks", `{"url":"https://93.184.216.34/{n}"}`},
		{"POST /hooks", `{"url":"https://93.184.216.34/{n}"}`},
	}
}
