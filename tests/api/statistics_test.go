package api

import (
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestTheThingsOnTheInstanceAreCounted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	before := root.Send("GET", "/application/statistics", "")
	h.Project(h.Group().ID)
	after := root.Send("GET", "/application/statistics", "")
	if member(t, before, "projects") != "0" || member(t, after, "projects") != "1" || member(t, after, "groups") != "1" ||
		member(t, after, "users") == "0" || member(t, after, "active_users") == "" || member(t, after, "forks") != "0" {
		t.Errorf("%s\n%s", before.Body, after.Body)
	}
	for _, path := range []string{
		"/application/statistics", "/sidekiq/queue_metrics", "/sidekiq/process_metrics", "/sidekiq/job_stats", "/sidekiq/compound_metrics",
	} {
		expect(t, h.NewUser().Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
	}
}

func TestBackgroundJobsAreCounted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	queues := root.Send("GET", "/sidekiq/queue_metrics", "")
	if !strings.Contains(queues.Body, `"default":{"backlog":`) || !strings.Contains(queues.Body, `"mail":{`) {
		t.Error(queues.Body)
	}
	processes := root.Send("GET", "/sidekiq/process_metrics", "")
	list, _ := member(t, processes, "processes").([]any)
	if len(list) != 1 || list[0].(map[string]any)["hostname"] == "" || list[0].(map[string]any)["pid"] == 0.0 ||
		list[0].(map[string]any)["concurrency"] == 0.0 {
		t.Error(processes.Body)
	}
	before := member(t, root.Send("GET", "/sidekiq/job_stats", ""), "jobs").(map[string]any)
	created := root.JSON("POST", "/users", `{"email":"a@example.com","name":"A","username":"aaa","reset_password":true}`)
	if created.Status != 201 {
		t.Fatal(created.Body)
	}
	after := member(t, root.Send("GET", "/sidekiq/job_stats", ""), "jobs").(map[string]any)
	if after["enqueued"].(float64) <= before["enqueued"].(float64) {
		t.Errorf("a queued mail is not counted: %v, %v", before, after)
	}
	h.StartWorker()
	h.WaitForMails()
	compound := root.Send("GET", "/sidekiq/compound_metrics", "")
	if member(t, compound, "queues") == nil || member(t, compound, "processes") == nil ||
		member(t, compound, "jobs").(map[string]any)["processed"] == 0.0 {
		t.Error(compound.Body)
	}
}

func TestTheActivityOfAGroupIsCounted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(n *model.Namespace) { n.Visibility = model.Private })
	owner := h.Member(group, model.Owner)
	web := h.Project(group.ID, called("web", model.Private))
	if got := owner.JSON("POST", "/projects/"+itoa(web.ID)+"/issues", `{"title":"One"}`); got.Status != 201 {
		t.Fatal(got.Body)
	}
	at := func(what string) string { return "/analytics/group_activity/" + what + "?group_path=" + group.FullPath }
	expect(t, owner.Send("GET", at("issues_count"), ""), 200, `{"issues_count":1}`)
	expect(t, owner.Send("GET", at("merge_requests_count"), ""), 200, `{"merge_requests_count":0}`)
	expect(t, owner.Send("GET", at("new_members_count"), ""), 200, `{"new_members_count":1}`)
	for _, what := range []string{"issues_count", "merge_requests_count", "new_members_count"} {
		expect(t, h.NewUser().Send("GET", at(what), ""), 404, `{"message":"404 Group Not Found"}`)
		expect(t, h.Anonymous().Send("GET", at(what), ""), 404, `{"message":"404 Group Not Found"}`)
		expect(t, owner.Send("GET", "/analytics/group_activity/"+what, ""), 400, `{"error":"group_path is missing"}`)
	}
}
