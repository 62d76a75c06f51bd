package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// deployJobs makes a pipeline whose only job deploys to an environment.
func deployJobs(h *harness.H, p model.Project, u model.User, name, when string) model.Job {
	h.T.Helper()
	ship := aJob("ship", 0)
	ship.When = when
	return h.Pipeline(p, u, []syntax.Job{ship}, func(n *store.NewPipeline) {
		start := "start"
		n.Jobs[0].Environment, n.Jobs[0].EnvironmentAction = &name, &start
		n.Jobs[0].Ref, n.Pipeline.Ref = "topic", "topic" // not protected, so that developers run jobs there
	}).Jobs[0]
}

// jobState returns the status of a job, with the reason if it has failed.
func jobState(t *testing.T, c *harness.Caller, p model.Project, j model.Job) string {
	t.Helper()
	got := read[struct {
		Status string
		Reason *string `json:"failure_reason"`
	}](t, c.Send("GET", fmt.Sprintf("/projects/%d/jobs/%d", p.ID, j.ID), ""), 200)
	if got.Reason != nil {
		return got.Status + " " + *got.Reason
	}
	return got.Status
}

// deploymentOf is a deployment in a response.
type deploymentOf struct {
	ID        int64
	Status    string
	Pending   int64 `json:"pending_approval_count"`
	Approvals []struct {
		Status  string
		Comment *string
		User    struct{ ID int64 }
	}
	Summary struct {
		Rules []struct {
			Words     string                    `json:"access_level_description"`
			Approvals []struct{ Status string } `json:"deployment_approvals"`
		}
	} `json:"approval_summary"`
}

// lastDeployment returns the newest deployment of a project.
func lastDeployment(t *testing.T, c *harness.Caller, p model.Project) deploymentOf {
	t.Helper()
	path := fmt.Sprintf("/projects/%d/deployments", p.ID)
	id := read[[]struct{ ID int64 }](t, c.Send("GET", path+"?sort=desc", ""), 200)[0].ID
	return read[deploymentOf](t, c.Send("GET", fmt.Sprintf("%s/%d", path, id), ""), 200)
}

func TestProtectedEnvironmentsAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(func(g *model.Namespace) { g.Path = "acme" }).ID, called("web", model.Private))
	guests, maintainer, developer := h.Group(), h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/projects/%d/share", p.ID),
		fmt.Sprintf(`{"group_id":%d,"group_access":30}`, guests.ID)), 201, "")
	const path = "/projects/acme%2Fweb/protected_environments"
	body := fmt.Sprintf(`{"name":"review/app","deploy_access_levels":[{"access_level":40},{"user_id":%d},
		{"group_id":%d,"group_inheritance_type":1}],"approval_rules":[{"access_level":40,"required_approvals":2}]}`,
		developer.User.ID, guests.ID)
	made := maintainer.JSON("POST", path, body)
	if made.Status != 201 || !strings.Contains(made.Body, `"access_level_description":"Maintainers"`) ||
		!strings.Contains(made.Body, `"access_level_description":"`+developer.User.Name+`"`) {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	const one = path + "/review%2Fapp"
	expect(t, maintainer.Send("GET", one, ""), 200, made.Body)
	expect(t, maintainer.Send("GET", path, ""), 200, "["+made.Body+"]")
	expect(t, maintainer.JSON("POST", path, body), 409, `{"message":"Protected environment 'review/app' already exists"}`)
	shown := read[protectedEnvironment](t, made, 201)
	changed := read[protectedEnvironment](t, maintainer.JSON("PUT", one, fmt.Sprintf(
		`{"required_approval_count":3,"deploy_access_levels":[{"id":%d,"access_level":30},{"id":%d,"_destroy":true},{"access_level":60}],
		"approval_rules":[{"id":%d,"required_approvals":1}]}`,
		shown.Deployers[0].ID, shown.Deployers[1].ID, shown.Approvers[0].ID)), 200)
	if got := fmt.Sprint(changed); got != fmt.Sprintf("{[{%d 30} {%d 0} {%d 60}] [{%d 1}] 3}",
		shown.Deployers[0].ID, shown.Deployers[2].ID, changed.Deployers[2].ID, shown.Approvers[0].ID) {
		t.Error(got)
	}
	expectBadProtections(t, h, maintainer, path, one)
	other := h.Project(h.Group().ID)
	expect(t, h.Root().Send("GET", fmt.Sprintf("/projects/%d/protected_environments/review%%2Fapp", other.ID), ""), 404, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
}

// protectedEnvironment is a protected environment in a response.
type protectedEnvironment struct {
	Deployers []struct {
		ID    int64
		Level int64 `json:"access_level"`
	} `json:"deploy_access_levels"`
	Approvers []struct {
		ID       int64
		Required int64 `json:"required_approvals"`
	} `json:"approval_rules"`
	Count int64 `json:"required_approval_count"`
}

// expectBadProtections sends rules that are refused, and checks that they change nothing.
func expectBadProtections(t *testing.T, h *harness.H, c *harness.Caller, path, one string) {
	t.Helper()
	before := c.Send("GET", one, "").Body
	outsider, hidden := h.NewUser(), h.Group()
	for _, body := range []string{
		`{"name":"a"}`, `{"name":"a","deploy_access_levels":[]}`, `{"deploy_access_levels":[{"access_level":40}]}`,
		`{"name":"a","deploy_access_levels":[{"access_level":20}]}`, `{"name":"a","deploy_access_levels":[{}]}`,
		fmt.Sprintf(`{"name":"a","deploy_access_levels":[{"access_level":40,"user_id":%d}]}`, c.User.ID),
		fmt.Sprintf(`{"name":"a","deploy_access_levels":[{"user_id":%d}]}`, outsider.User.ID),
		fmt.Sprintf(`{"name":"a","deploy_access_levels":[{"group_id":%d}]}`, hidden.ID),
		`{"name":"a","deploy_access_levels":[{"user_id":99999999}]}`,
		`{"name":"a","deploy_access_levels":[{"access_level":40}],"required_approval_count":6}`,
		`{"name":"a","deploy_access_levels":[{"access_level":40}],"approval_rules":[{"access_level":40,"required_approvals":0}]}`,
	} {
		expect(t, c.JSON("POST", path, body), 400, "")
	}
	for _, body := range []string{
		`{"deploy_access_levels":[{"id":99999999,"_destroy":true}]}`, `{"deploy_access_levels":[{"_destroy":true}]}`,
		fmt.Sprintf(`{"approval_rules":[{"user_id":%d}]}`, outsider.User.ID),
	} {
		expect(t, c.JSON("PUT", one, body), 400, "")
	}
	all := read[protectedEnvironment](t, c.Send("GET", one, ""), 200)
	var gone []string
	for _, level := range all.Deployers {
		gone = append(gone, fmt.Sprintf(`{"id":%d,"_destroy":true}`, level.ID))
	}
	expect(t, c.JSON("PUT", one, `{"deploy_access_levels":[`+strings.Join(gone, ",")+`]}`), 400,
		`{"message":{"deploy_access_levels":["can't be blank"]}}`)
	expect(t, c.Send("GET", one, ""), 200, before)
}

func TestOnlyMaintainersProtectEnvironments(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	p := h.Project(group.ID)
	const body = `{"name":"production","deploy_access_levels":[{"access_level":40}]}`
	for _, path := range []string{
		fmt.Sprintf("/projects/%d/protected_environments", p.ID), fmt.Sprintf("/groups/%d/protected_environments", group.ID),
	} {
		for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
			c := h.NewUser()
			h.Join(group, c.User, role)
			want := [5]int{403, 403, 403, 403, 403}
			if role >= model.Maintainer {
				want = [5]int{201, 200, 200, 200, 204}
			}
			for i, call := range []struct{ method, at, body string }{
				{"POST", path, body},
				{"GET", path, ""},
				{"GET", path + "/production", ""},
				{"PUT", path + "/production", `{"required_approval_count":1}`},
				{"DELETE", path + "/production", ""},
			} {
				if got := c.JSON(call.method, call.at, call.body); got.Status != want[i] {
					t.Errorf("%d: %s %s: %d %s, want %d", role, call.method, call.at, got.Status, got.Body, want[i])
				}
			}
		}
		expect(t, h.NewUser().Send("GET", path, ""), 404, "")
		expect(t, h.NewUser().JSON("POST", path, body), 404, "")
		expect(t, h.Anonymous().JSON("POST", path, body), 401, "")
	}
}

// Each way to name users allows exactly these users to run a job at once and to play a manual one.
func TestOnlyNamedUsersDeployToAProtectedEnvironment(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group, above := h.Group(), h.Group()
	invited := h.Group(func(g *model.Namespace) { g.ParentID = &above.ID })
	p := h.Project(group.ID)
	path := fmt.Sprintf("/projects/%d", p.ID)
	expect(t, h.Root().JSON("POST", path+"/share", fmt.Sprintf(`{"group_id":%d,"group_access":40}`, invited.ID)), 201, "")
	people := map[string]*harness.Caller{"admin": h.Root()}
	for name, role := range map[string]model.Access{
		"named": model.Developer, "developer": model.Developer, "maintainer": model.Maintainer, "owner": model.Owner,
	} {
		people[name] = h.NewUser()
		h.Join(group, people[name].User, role)
	}
	people["direct"], people["inherited"] = h.NewUser(), h.NewUser()
	h.Join(invited, people["direct"].User, model.Maintainer)
	h.Join(above, people["inherited"].User, model.Maintainer)
	for rule, allowed := range map[string]string{
		`{"access_level":30}`: "named developer maintainer owner direct inherited admin",
		`{"access_level":40}`: "maintainer owner direct inherited admin",
		`{"access_level":60}`: "admin",
		fmt.Sprintf(`{"user_id":%d}`, people["named"].User.ID):                     "named admin",
		fmt.Sprintf(`{"group_id":%d}`, invited.ID):                                 "direct admin",
		fmt.Sprintf(`{"group_id":%d,"group_inheritance_type":1}`, invited.ID):      "direct inherited admin",
		fmt.Sprintf(`{"user_id":%d},{"access_level":60}`, people["owner"].User.ID): "owner admin",
	} {
		expect(t, h.Root().JSON("POST", path+"/protected_environments",
			`{"name":"production","deploy_access_levels":[`+rule+`]}`), 201, "")
		for name, c := range people {
			state, status := "failed protected_environment_failure", 403
			if strings.Contains(" "+allowed+" ", " "+name+" ") {
				state, status = "pending", 200
			}
			job := deployJobs(h, p, c.User, "production", "on_success")
			if got := jobState(t, h.Root(), p, job); got != state {
				t.Errorf("%s: a job of %s is %s, want %s", rule, name, got, state)
			}
			manual := deployJobs(h, p, h.Root().User, "production", "manual")
			if got := c.Send("POST", fmt.Sprintf("%s/jobs/%d/play", path, manual.ID), ""); got.Status != status {
				t.Errorf("%s: %s plays: %d %s, want %d", rule, name, got.Status, got.Body, status)
			}
			if free := deployJobs(h, p, c.User, "staging", "on_success"); jobState(t, h.Root(), p, free) != "pending" {
				t.Errorf("%s: an environment that is not protected is refused to %s", rule, name)
			}
		}
		expect(t, h.Root().Send("DELETE", path+"/protected_environments/production", ""), 204, "")
	}
	outsider := h.NewUser()
	job := deployJobs(h, p, h.Root().User, "production", "manual")
	expect(t, outsider.Send("POST", fmt.Sprintf("%s/jobs/%d/play", path, job.ID), ""), 404, "")
}

func TestAProtectedEnvironmentIsStoppedDeletedAndRetriedOnlyByThoseWhoMayDeploy(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	developer := h.ProjectMember(p, model.Developer)
	path := fmt.Sprintf("/projects/%d", p.ID)
	expect(t, owner.JSON("POST", path+"/protected_environments",
		`{"name":"production","deploy_access_levels":[{"access_level":40}]}`), 201, "")
	job := deployJobs(h, p, owner.User, "production", "on_success")
	end(h, job, engine.Outcome{Reason: "script_failure"})
	expect(t, developer.Send("POST", fmt.Sprintf("%s/jobs/%d/retry", path, job.ID), ""), 403, "")
	expect(t, developer.Send("POST", fmt.Sprintf("%s/pipelines/%d/retry", path, job.PipelineID), ""), 201, "")
	if got := jobState(t, owner, p, job); got != "failed script_failure" {
		t.Error(got)
	}
	one := fmt.Sprintf("%s/environments/%d", path, read[[]environment](t, owner.Send("GET", path+"/environments", ""), 200)[0].ID)
	expect(t, developer.JSON("POST", one+"/stop", `{"force":true}`), 403, "")
	expect(t, owner.JSON("POST", one+"/stop", `{"force":true}`), 200, "")
	expect(t, developer.Send("DELETE", one, ""), 403, "")
	expect(t, owner.Send("POST", fmt.Sprintf("%s/jobs/%d/retry", path, job.ID), ""), 201, "")
	expect(t, owner.Send("DELETE", one, ""), 204, "")
}

func TestAGroupProtectsTheEnvironmentsOfATier(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	sub := h.Group(func(g *model.Namespace) { g.ParentID = &group.ID })
	p, other := h.Project(sub.ID), h.Project(h.Group().ID)
	developer := h.ProjectMember(p, model.Developer)
	h.JoinProject(other, developer.User, model.Developer)
	path := fmt.Sprintf("/groups/%d/protected_environments", group.ID)
	expect(t, h.Root().JSON("POST", path, `{"name":"live","deploy_access_levels":[{"access_level":40}]}`), 400, "")
	expect(t, h.Root().JSON("POST", path, fmt.Sprintf(`{"name":"production","deploy_access_levels":[{"user_id":%d}]}`,
		developer.User.ID)), 400, `{"message":{"user_id":["must be a member"]}}`)
	expect(t, h.Root().JSON("POST", path, `{"name":"production","deploy_access_levels":[{"access_level":40}]}`), 201, "")
	for name, want := range map[string]string{
		"production": "failed protected_environment_failure", "live/eu": "failed protected_environment_failure", "staging": "pending",
	} {
		if got := jobState(t, h.Root(), p, deployJobs(h, p, developer.User, name, "on_success")); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := jobState(t, h.Root(), other, deployJobs(h, other, developer.User, "production", "on_success")); got != "pending" {
		t.Errorf("a project of another group: %s", got)
	}
	// The project allows the developer, the group does not.
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/projects/%d/protected_environments", p.ID),
		`{"name":"production","deploy_access_levels":[{"access_level":30}]}`), 201, "")
	both := deployJobs(h, p, developer.User, "production", "on_success")
	if got := jobState(t, h.Root(), p, both); got != "failed protected_environment_failure" {
		t.Error(got)
	}
	expect(t, h.Root().JSON("PUT", path+"/production", `{"required_approval_count":1}`), 200, "")
	job := deployJobs(h, p, h.Root().User, "production", "on_success")
	if got := jobState(t, h.Root(), p, job); got != "manual" {
		t.Error(got)
	}
}

func TestADeploymentWaitsForItsApprovals(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	p := h.Project(h.Group().ID)
	path := fmt.Sprintf("/projects/%d", p.ID)
	starter, second := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Maintainer)
	approver := h.ProjectMember(p, model.Reporter)
	expect(t, starter.JSON("POST", path+"/protected_environments", fmt.Sprintf(
		`{"name":"production","deploy_access_levels":[{"access_level":40}],"approval_rules":[{"access_level":40},{"user_id":%d}]}`,
		approver.User.ID)), 201, "")
	job := deployJobs(h, p, starter.User, "production", "on_success")
	if got := jobState(t, starter, p, job); got != "manual" {
		t.Fatal(got)
	}
	first := lastDeployment(t, approver, p)
	if first.Status != "blocked" || first.Pending != 2 || len(first.Summary.Rules) != 2 {
		t.Fatalf("%+v", first)
	}
	play, vote := fmt.Sprintf("%s/jobs/%d/play", path, job.ID), fmt.Sprintf("%s/deployments/%d/approval", path, first.ID)
	expect(t, starter.Send("POST", play, ""), 400, `{"message":"The deployment waits for approvals"}`)
	expectRefusedVotes(t, h, p, vote, starter)
	expect(t, approver.JSON("POST", vote, `{"status":"approved","represented_as":"Maintainers"}`), 400, "")
	got := approver.JSON("POST", vote, `{"status":"approved","comment":"Looks good"}`)
	if got.Status != 201 || !strings.Contains(got.Body, `"status":"approved"`) || !strings.Contains(got.Body, `"comment":"Looks good"`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	expect(t, second.Send("POST", play, ""), 400, "")
	expect(t, second.JSON("POST", vote, `{"status":"approved","represented_as":"Maintainers"}`), 201, "")
	if now := lastDeployment(t, approver, p); now.Pending != 0 || len(now.Approvals) != 2 || now.Status != "blocked" ||
		*now.Approvals[0].Comment != "Looks good" || len(now.Summary.Rules[0].Approvals) != 1 {
		t.Errorf("%+v", now)
	}
	expect(t, starter.Send("POST", play, ""), 200, "")
	if got := jobState(t, starter, p, job); got != "pending" {
		t.Error(got)
	}
	expect(t, second.JSON("POST", vote, `{"status":"rejected"}`), 400, `{"message":"This deployment is not waiting for approvals."}`)
	end(h, job, engine.Outcome{Success: true})
	if now := lastDeployment(t, approver, p); now.Status != "success" || now.Pending != 0 {
		t.Errorf("%+v", now)
	}
	// A retry is a new deployment, which needs approvals of its own.
	expect(t, starter.Send("POST", fmt.Sprintf("%s/jobs/%d/retry", path, job.ID), ""), 201, "")
	if now := lastDeployment(t, approver, p); now.Status != "blocked" || now.Pending != 2 || len(now.Approvals) != 0 {
		t.Errorf("%+v", now)
	}
}

// expectRefusedVotes tries to approve as everybody who may not.
func expectRefusedVotes(t *testing.T, h *harness.H, p model.Project, vote string, starter *harness.Caller) {
	t.Helper()
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer} {
		expect(t, h.ProjectMember(p, role).JSON("POST", vote, `{"status":"approved"}`), 403, "")
	}
	expect(t, starter.JSON("POST", vote, `{"status":"approved"}`), 403,
		`{"message":"403 Forbidden - You cannot approve a deployment that you started"}`)
	expect(t, h.NewUser().JSON("POST", vote, `{"status":"approved"}`), 404, "")
	expect(t, h.Anonymous().JSON("POST", vote, `{"status":"approved"}`), 401, "")
	expect(t, h.ProjectMember(p, model.Maintainer).JSON("POST", vote, `{"status":"maybe"}`), 400, "")
	expect(t, h.ProjectMember(p, model.Maintainer).JSON("POST", vote+"x", `{"status":"approved"}`), 404, "")
}

func TestARejectedDeploymentFailsForGood(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID)
	path := fmt.Sprintf("/projects/%d", p.ID)
	starter, other := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Maintainer)
	// Without approval rules, those who may deploy approve.
	expect(t, starter.JSON("POST", path+"/protected_environments",
		`{"name":"production","deploy_access_levels":[{"access_level":40}],"required_approval_count":1}`), 201, "")
	job := deployJobs(h, p, starter.User, "production", "manual")
	vote := fmt.Sprintf("%s/deployments/%d/approval", path, lastDeployment(t, other, p).ID)
	expect(t, other.JSON("POST", vote, `{"status":"approved"}`), 201, "")
	expect(t, other.JSON("POST", vote, `{"status":"rejected","comment":"Not today"}`), 201, "")
	if got := jobState(t, starter, p, job); got != "failed deployment_rejected" {
		t.Error(got)
	}
	if now := lastDeployment(t, other, p); now.Status != "failed" || len(now.Approvals) != 1 || now.Approvals[0].Status != "rejected" {
		t.Errorf("%+v", now)
	}
	expect(t, starter.Send("POST", fmt.Sprintf("%s/jobs/%d/retry", path, job.ID), ""), 403, "")
	expect(t, starter.Send("POST", fmt.Sprintf("%s/jobs/%d/play", path, job.ID), ""), 400, "")
	expect(t, starter.Send("POST", fmt.Sprintf("%s/pipelines/%d/retry", path, job.PipelineID), ""), 201, "")
	if got := jobState(t, starter, p, job); got != "failed deployment_rejected" {
		t.Error(got)
	}
}
