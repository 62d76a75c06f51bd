package api

import (
	"fmt"
	"net/url"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// restricted makes a project that accepts pipeline variables from maintainers only, with a branch that every developer
// may run.
func restricted(t *testing.T, h *harness.H) (ciFixture, callersByRole) {
	t.Helper()
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": "go: {script: a, rules: [{if: '$A'}]}\nplain: {script: a}\nchild: {variables: {A: b}, " +
			"trigger: {include: child.yml}, rules: [{if: '$CHILD'}]}\n",
		"child.yml": "inner: {script: a}\n",
	}, func(p *model.Project) { p.RestrictUserDefinedVariables = true })
	r.commit("topic", "Text [skip ci]", map[string]string{"a": "b"})
	waitForQueue(t, h)
	return r, newCallersByRole(h, r.project)
}

// run returns the number of pipelines with the given source that a user has in the project.
func (r ciFixture) run(c *harness.Caller, source string) int {
	r.t.Helper()
	if c.User.Username == "" {
		return 0
	}
	return len(read[[]pipeline](r.t, r.maintainer.Send("GET", r.path+"/pipelines?source="+source+"&username="+c.User.Username, ""), 200))
}

func TestRestrictedVariablesComeFromMaintainersOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r, people := restricted(t, h)
	people.statuses(t, "a pipeline", "401 404 404 403 403 400 201 201 201", func(c *harness.Caller) harness.Answer {
		return c.JSON("POST", r.path+"/pipeline", `{"ref":"topic","variables":[{"key":"A","value":"b"}]}`)
	})
	people.statuses(t, "a pipeline without variables", "401 404 404 403 403 201 201 201 201", func(c *harness.Caller) harness.Answer {
		return c.JSON("POST", r.path+"/pipeline", `{"ref":"topic"}`)
	})
	manual := func() int64 {
		job := aJob("deploy", 0)
		job.When = "manual"
		made := h.Pipeline(r.project, r.maintainer.User, []syntax.Job{job}, func(n *store.NewPipeline) {
			n.Pipeline.Ref, n.Jobs[0].Ref = "topic", "topic"
		})
		return made.Jobs[0].ID
	}
	people.statuses(t, "play with variables", "401 404 404 403 403 403 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.JSON("POST", fmt.Sprintf("%s/jobs/%d/play", r.path, manual()), `{"job_variables_attributes":[{"key":"A","value":"b"}]}`)
	})
	people.statuses(t, "play", "401 404 404 403 403 200 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.JSON("POST", fmt.Sprintf("%s/jobs/%d/play", r.path, manual()), `{}`)
	})
	trigger := read[struct{ Token string }](t, r.maintainer.JSON("POST", r.path+"/triggers", `{"description":"a"}`), 201).Token
	expect(t, h.Anonymous().JSON("POST", r.path+"/trigger/pipeline",
		`{"token":"`+trigger+`","ref":"topic","variables":{"A":"b"}}`), 201, "")
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE members SET access_level = 30 WHERE user_id = $1",
		r.maintainer.User.ID); err != nil {
		t.Fatal(err)
	}
	expect(t, h.Anonymous().JSON("POST", r.path+"/trigger/pipeline", `{"token":"`+trigger+`","ref":"topic","variables":{"A":"b"}}`), 400,
		`{"message":{"base":["Insufficient permissions to set pipeline variables"]}}`)
	expect(t, h.Anonymous().JSON("POST", r.path+"/trigger/pipeline", `{"token":"`+trigger+`","ref":"topic"}`), 201, "")
}

func TestRestrictedVariablesOfPushesAndSchedules(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r, people := restricted(t, h)
	local := harness.NewHistory(t)
	address := func(c *harness.Caller) string {
		u, err := url.Parse(h.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword("oauth2", c.Token), "/"+r.project.FullPath+".git"
		return u.String()
	}
	local.Git("fetch", "-q", address(r.maintainer), "topic")
	local.Git("checkout", "-q", "FETCH_HEAD")
	for role, want := range map[string]int{"developer": 0, "maintainer": 1} {
		c := people[role]
		local.Commit("Ann <ann@example.com>", "More")
		local.Git("push", "-q", "-o", "ci.variable=A=b", address(c), "HEAD:refs/heads/topic")
		waitForQueue(t, h)
		if got := r.run(c, "push"); got != want {
			t.Errorf("a push with a variable as %s makes %d pipelines, want %d", role, got, want)
		}
	}
	// The schedule has variables from the time before the project restricted them.
	schedules := r.path + "/pipeline_schedules"
	kept := map[string]string{}
	set := func(restrict bool) {
		expect(t, r.maintainer.JSON("PUT", r.path, fmt.Sprintf(`{"restrict_user_defined_variables":%t}`, restrict)), 200, "")
	}
	set(false)
	for _, role := range []string{"developer", "maintainer"} {
		made := read[schedule](t, people[role].JSON("POST", schedules, `{"description":"Nightly","ref":"topic","cron":"0 1 * * *"}`), 201)
		kept[role] = fmt.Sprintf("%s/%d", schedules, made.ID)
		expect(t, people[role].JSON("POST", kept[role]+"/variables", `{"key":"A","value":"b"}`), 201, "")
	}
	set(true)
	for _, c := range []struct {
		owner, player string
		want          int
	}{{"developer", "developer", 0}, {"maintainer", "developer", 1}, {"maintainer", "maintainer", 1}, {"developer", "owner", 1}} {
		expect(t, people[c.player].Send("POST", kept[c.owner]+"/play", ""), 201, "")
		waitForQueue(t, h)
		if got := r.run(people[c.player], "schedule"); got != c.want {
			t.Errorf("%s plays a schedule of %s: %d pipelines, want %d", c.player, c.owner, got, c.want)
		}
	}
	expect(t, people["developer"].JSON("POST", kept["developer"]+"/variables", `{"key":"B","value":"b"}`), 400, "")
}

func TestRestrictedVariablesOfBridges(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r, people := restricted(t, h)
	next := h.Project(r.project.NamespaceID, called("next", model.Private), func(p *model.Project) {
		p.RestrictUserDefinedVariables = true
	})
	up := h.Project(r.project.NamespaceID, called("up", model.Private))
	for _, role := range []string{"developer", "maintainer"} {
		h.JoinProject(up, people[role].User, model.Maintainer)
		h.JoinProject(next, people[role].User, map[string]model.Access{"developer": model.Developer, "maintainer": model.Maintainer}[role])
	}
	commit := func(path, branch, text string) {
		expect(t, people["maintainer"].JSON("POST", "/projects/acme%2F"+path+"/repository/commits", fmt.Sprintf(
			`{"branch":%q,"commit_message":"a [skip ci]","actions":[{"action":"create","file_path":".svc-ci.yml","content":%q}]}`,
			branch, text)), 201, "")
		waitForQueue(t, h)
	}
	commit("next", "main", "go: {script: a}\n")
	expect(t, people["maintainer"].Send("DELETE", "/projects/acme%2Fnext/protected_branches/main", ""), 204, "")
	commit("up", "main", "next: {variables: {A: b}, trigger: {project: acme/next, branch: main}}\n")
	for role, want := range map[string]string{
		"developer": "next=failed downstream_pipeline_creation_failed", "maintainer": "next=success",
	} {
		made := read[pipeline](t, people[role].JSON("POST", "/projects/acme%2Fup/pipeline", `{"ref":"main"}`), 201)
		waitForQueue(t, h)
		far := ciFixture{t: t, h: h, maintainer: people[role], path: "/projects/acme%2Fup", project: up}
		if got, _ := far.bridges(made.ID); got != want {
			t.Errorf("a bridge as %s: %s, want %s", role, got, want)
		}
	}
	// The variables of a child pipeline override those of the project, as in any other pipeline.
	expect(t, people["maintainer"].JSON("POST", r.path+"/variables", `{"key":"CHILD","value":"1"}`), 201, "")
	for role, want := range map[string]string{
		"developer": "child=failed downstream_pipeline_creation_failed", "maintainer": "child=success",
	} {
		made := read[pipeline](t, people[role].JSON("POST", r.path+"/pipeline", `{"ref":"topic"}`), 201)
		waitForQueue(t, h)
		if got, _ := r.bridges(made.ID); got != want {
			t.Errorf("a child as %s: %s, want %s", role, got, want)
		}
	}
}
