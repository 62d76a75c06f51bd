package api

import (
	"encoding/json"
	"fmt"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	civars "svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// environment is an environment in a response.
type environment struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Slug        string  `json:"slug"`
	Tier        string  `json:"tier"`
	State       string  `json:"state"`
	ExternalURL *string `json:"external_url"`
	Last        *struct {
		IID    int64  `json:"iid"`
		Status string `json:"status"`
		Job    job    `json:"deployable"`
	} `json:"last_deployment"`
}

// deploymentPipeline makes a pipeline with a job that deploys an environment and a manual job that stops it.
func deploymentPipeline(h *harness.H, p model.Project, u model.User) store.NewPipeline {
	stop := aJob("stop", 2)
	stop.When = "manual"
	return h.Pipeline(p, u, []syntax.Job{aJob("deploy", 0), stop}, func(n *store.NewPipeline) {
		name, address, start, end := "review/fix", "https://fix.example.com", "start", "stop"
		n.Jobs[0].Environment, n.Jobs[0].EnvironmentAction, n.Jobs[0].EnvironmentURL = &name, &start, &address
		n.Jobs[1].Environment, n.Jobs[1].EnvironmentAction = &name, &end
	})
}

func TestJobsDeployToEnvironments(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	path := fmt.Sprintf("/projects/%d", p.ID)
	first := deploymentPipeline(h, p, owner.User)
	rows := read[[]environment](t, owner.Send("GET", path+"/environments", ""), 200)
	if len(rows) != 1 || rows[0].Name != "review/fix" || rows[0].Tier != "development" || rows[0].ExternalURL != nil {
		t.Fatalf("%+v", rows)
	}
	one := fmt.Sprintf("%s/environments/%d", path, rows[0].ID)
	if got := read[environment](t, owner.Send("GET", one, ""), 200); got.Last != nil {
		t.Errorf("%+v", got)
	}
	end(h, first.Jobs[0], engine.Outcome{Success: true})
	got := read[environment](t, owner.Send("GET", one, ""), 200)
	if got.Last == nil || got.Last.IID != 1 || got.Last.Job.Name != "deploy" || got.ExternalURL == nil ||
		*got.ExternalURL != "https://fix.example.com" || got.State != "available" {
		t.Errorf("%+v", got)
	}
	second := deploymentPipeline(h, p, owner.User)
	end(h, second.Jobs[0], engine.Outcome{Reason: "script_failure"})
	expectDeployments(t, owner, path)

	expect(t, owner.Send("DELETE", one, ""), 403, "")
	if got := read[environment](t, owner.Send("POST", one+"/stop", ""), 200); got.State != "stopped" {
		t.Errorf("the newest job that stops it was skipped, so nothing is run: %+v", got)
	}
	expect(t, owner.Send("DELETE", one, ""), 204, "")
}

// expectDeployments lists and reads the deployments of a project: one that succeeded, then one that failed.
func expectDeployments(t *testing.T, c *harness.Caller, project string) {
	t.Helper()
	for query, want := range map[string]string{
		"": "[success failed]", "?sort=desc": "[failed success]", "?status=failed": "[failed]",
		"?environment=none": "[]", "?order_by=ref": "[success failed]",
	} {
		var states []string
		for _, d := range read[[]struct{ Status string }](t, c.Send("GET", project+"/deployments"+query, ""), 200) {
			states = append(states, d.Status)
		}
		if fmt.Sprint(states) != want {
			t.Errorf("%s: %v, want %s", query, states, want)
		}
	}
	id := read[[]struct{ ID int64 }](t, c.Send("GET", project+"/deployments", ""), 200)[0].ID
	expect(t, c.Send("GET", fmt.Sprintf("%s/deployments/%d", project, id), ""), 200, "")
	expect(t, c.Send("GET", fmt.Sprintf("%s/deployments/%d", project, id+100), ""), 404,
		`{"message":"404 Deployment Not Found"}`)
}

func TestAnEnvironmentIsStoppedByItsJob(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	path := fmt.Sprintf("/projects/%d/environments", p.ID)
	pipeline := deploymentPipeline(h, p, owner.User)
	end(h, pipeline.Jobs[0], engine.Outcome{Success: true})
	id := read[[]environment](t, owner.Send("GET", path, ""), 200)[0].ID
	if got := read[environment](t, owner.Send("POST", fmt.Sprintf("%s/%d/stop", path, id), ""), 200); got.State != "stopping" {
		t.Errorf("%+v", got)
	}
	end(h, pipeline.Jobs[1], engine.Outcome{Success: true})
	if got := read[environment](t, owner.Send("GET", fmt.Sprintf("%s/%d", path, id), ""), 200); got.State != "stopped" {
		t.Errorf("%+v", got)
	}
}

func TestEnvironmentsAreCreatedAndChangedThroughTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	path := fmt.Sprintf("/projects/%d/environments", p.ID)
	made := read[environment](t, owner.JSON("POST", path, `{"name":"Production EU","external_url":"https://eu.example.com"}`), 201)
	if made.Tier != "production" || made.Slug == "" || made.State != "available" {
		t.Errorf("%+v", made)
	}
	expect(t, owner.JSON("POST", path, `{"name":"Production EU"}`), 400, `{"message":{"name":["has already been taken"]}}`)
	expect(t, owner.JSON("POST", path, `{"name":"a","external_url":"javascript:alert(1)"}`), 400,
		`{"message":{"external_url":["must be a valid URL"]}}`)
	expect(t, owner.JSON("POST", path, `{"name":"<b>"}`), 400, "")
	expect(t, owner.JSON("POST", path, `{"name":"/a"}`), 400, "")
	one := fmt.Sprintf("%s/%d", path, made.ID)
	changed := read[environment](t, owner.JSON("PUT", one, `{"tier":"staging","external_url":null}`), 200)
	if changed.Tier != "staging" || changed.ExternalURL != nil {
		t.Errorf("%+v", changed)
	}
	if rows := read[[]environment](t, owner.Send("GET", path+"?search=prod&states=available", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, owner.JSON("POST", one+"/stop", `{"force":true}`), 200, "")
	if rows := read[[]environment](t, owner.Send("GET", path+"?states=available", ""), 200); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	expect(t, h.ProjectMember(p, model.Reporter).JSON("POST", path, `{"name":"x"}`), 403, "")
}

func TestTheURLOfAnEnvironmentIsAWebPage(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	m := newFakeRunner(t, h, anyJobs)
	for i, c := range []struct{ address, want string }{
		{"https://example.com/a", "https://example.com/a"},
		{"javascript:alert(1)", ""},
		{"data:text/html,x", ""},
		{"//example.com", ""},
		{"example.com", ""},
		{"https://", ""},
	} {
		owner := h.NewUser()
		p := h.Project(*owner.User.NamespaceID)
		at := fmt.Sprintf("/projects/%d", p.ID)
		file := fmt.Sprintf("deploy: {script: a, environment: {name: production, url: '%s'}}\n", c.address)
		body, _ := json.Marshal(map[string]any{
			"branch": "main", "commit_message": "a",
			"actions": []map[string]string{{"action": "create", "file_path": ".svc-ci.yml", "content": file}},
		})
		expect(t, owner.JSON("POST", at+"/repository/commits", string(body)), 201, "")
		waitForQueue(t, h)
		expect(t, m.update(m.job(), "success", ""), 200, "200")
		waitForQueue(t, h)
		got := ""
		for _, e := range read[[]environment](t, owner.Send("GET", at+"/environments", ""), 200) {
			if e.ExternalURL != nil {
				got = *e.ExternalURL
			}
		}
		if got != c.want {
			t.Errorf("%d: %s is kept as %q, want %q", i, c.address, got, c.want)
		}
		if c.want == "" {
			made := read[environment](t, owner.JSON("POST", at+"/environments", `{"name":"x"}`), 201)
			bad, _ := json.Marshal(map[string]string{"external_url": c.address})
			expect(t, owner.JSON("PUT", fmt.Sprintf("%s/environments/%d", at, made.ID), string(bad)), 400,
				`{"message":{"external_url":["must be a valid URL"]}}`)
		}
	}
}

func TestTheURLOfAnEnvironmentExpandsVariables(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	m := newFakeRunner(t, h, anyJobs)
	path := fmt.Sprintf("/projects/%d/environments", p.ID)
	for address, want := range map[string]string{
		"https://$CI_ENVIRONMENT_SLUG.example.com/$GREETING": "https://review-fix.example.com/hello",
		"https://${HOST}/$NONE":                              "https://dynamic.example.com/", // of the report that the job leaves
		"$HOST/x":                                            "",                             // not the URL of a web page
		"javascript:alert('$HOST')":                          "",
		"$CI_ENVIRONMENT_URL":                                "",
	} {
		deploy := aJob("deploy", 0)
		deploy.Environment = &syntax.Environment{Name: "review-fix", URL: address, Action: "start"}
		deploy.Variables = []civars.Variable{{Key: "GREETING", Value: "hello"}}
		h.Pipeline(p, owner.User, []syntax.Job{deploy}, func(n *store.NewPipeline) {
			name, start := "review-fix", "start"
			n.Jobs[0].Environment, n.Jobs[0].EnvironmentAction = &name, &start
		})
		rows := read[[]environment](t, owner.Send("GET", path, ""), 200)
		if _, err := h.Store.Environments.Update(t.Context(), p.ID, rows[0].ID, map[string]any{"external_url": nil}); err != nil {
			t.Fatal(err)
		}
		g := m.job()
		expect(t, m.upload(g, "artifact_format=raw&artifact_type=dotenv", ".env", "HOST=dynamic.example.com\n"), 201, "201")
		expect(t, m.update(g, "success", ""), 200, "200")
		got := ""
		if shown := read[environment](t, owner.Send("GET", fmt.Sprintf("%s/%d", path, rows[0].ID), ""), 200); shown.ExternalURL != nil {
			got = *shown.ExternalURL
		}
		if got != want {
			t.Errorf("%s became %q, want %q", address, got, want)
		}
	}
}

func TestTheNameOfAnEnvironmentExpandsVariables(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{".svc-ci.yml": `
deploy:
  script: a
  variables: {WHERE: "$CI_COMMIT_REF_SLUG"}
  environment: {name: "review-$WHERE", url: "https://$CI_ENVIRONMENT_SLUG.example.com"}
`})
	expect(t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201, "")
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	if g.variable("CI_ENVIRONMENT_NAME") != "review-main" || g.variable("CI_ENVIRONMENT_URL") != "https://review-main.example.com" {
		t.Errorf("the job is told %s at %s", g.variable("CI_ENVIRONMENT_NAME"), g.variable("CI_ENVIRONMENT_URL"))
	}
	expect(t, m.update(g, "success", ""), 200, "200")
	rows := read[[]environment](t, r.maintainer.Send("GET", r.path+"/environments?name=review-main", ""), 200)
	if len(rows) != 1 || rows[0].ExternalURL == nil || *rows[0].ExternalURL != "https://review-main.example.com" {
		t.Errorf("%+v", rows)
	}
}
