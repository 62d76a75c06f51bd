package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/store/model"
	"svc/tests/harness"
)

// bridges lists the bridges of a pipeline as «name=status reason», and the first downstream pipeline.
func (r ciFixture) bridges(id int64) (string, int64) {
	r.t.Helper()
	var out []string
	var downstream int64
	for _, b := range read[[]job](r.t, r.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d/bridges", r.path, id), ""), 200) {
		text := b.Name + "=" + b.Status
		if b.Reason != nil {
			text += " " + *b.Reason
		}
		out = append(out, text)
		if b.Downstream != nil {
			downstream = b.Downstream.ID
		}
	}
	return strings.Join(out, ", "), downstream
}

func TestABridgeStartsAChildPipeline(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": `
child:
  variables: {WHO: 'me-$CI_PROJECT_NAME', PLAIN: '$$HOME'}
  trigger: {include: [{local: ci/child.yml}, {template: Branch-Pipelines.yml}], strategy: depend, forward: {pipeline_variables: true}}
after: {stage: deploy, script: a}
`,
		"ci/child.yml": "inner: {script: a, rules: [{if: '$WHO == \"me-web\" && $FROM == \"above\" && " +
			"$CI_PIPELINE_SOURCE == \"parent_pipeline\"'}]}\n",
	})
	waitForQueue(t, h)
	made := read[pipeline](t,
		r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main","variables":[{"key":"FROM","value":"above"}]}`), 201)
	waitForQueue(t, h)
	text, id := r.bridges(made.ID)
	if text != "child=running" || id == 0 {
		t.Fatal(text, id)
	}
	child := read[pipeline](t, r.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d", r.path, id), ""), 200)
	if child.Source != "parent_pipeline" || child.SHA != made.SHA || r.jobs(id) != "inner=pending" {
		t.Errorf("%+v %s", child, r.jobs(id))
	}
	r.shows("source=api", "api main running")
	rows, err := h.Store.Jobs.Newest(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	end(h, rows[0], engine.Outcome{Success: true})
	if err := h.Server.Worker.Enqueue(t.Context(), engine.UpdateBridge{PipelineID: id}); err != nil { // the harness drops deferred work
		t.Fatal(err)
	}
	waitForQueue(t, h)
	if text, _ := r.bridges(made.ID); text != "child=success" || r.jobs(made.ID) != "after=pending" {
		t.Error(text, r.jobs(made.ID))
	}
}

func TestBridgesThatCannotStartAPipelineFail(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": `
none: {trigger: {include: none.yml}}
wrong: {trigger: {include: wrong.yml}}
artifact: {trigger: {include: [{artifact: a.yml, job: make}]}, needs: [make]}
make: {script: a, when: manual, allow_failure: true}
secret: {trigger: {project: other/secret}}
absent: {trigger: {project: no/where}}
read: {trigger: {project: other/read}}
branch: {trigger: {project: acme/web, branch: none}}
self: {trigger: {project: acme/web}}
deep: {trigger: {include: deep.yml}}
`,
		"wrong.yml": "a: {scrip: a}\n",
		"deep.yml":  "deeper: {trigger: {include: deep.yml}}\n",
	})
	waitForQueue(t, h)
	other := h.Group(at("other"), func(g *model.Namespace) { g.Visibility = model.Public })
	h.Project(other.ID, called("secret", model.Private))
	h.Project(other.ID, called("read", model.Public))
	made := read[pipeline](t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201)
	waitForQueue(t, h)
	text, _ := r.bridges(made.ID)
	for name, want := range map[string]string{
		"none": "failed downstream_pipeline_creation_failed", "wrong": "failed downstream_pipeline_creation_failed",
		"secret": "failed downstream_bridge_project_not_found", "absent": "failed downstream_bridge_project_not_found",
		"read": "failed insufficient_bridge_permissions", "branch": "failed invalid_bridge_trigger",
		"self": "failed pipeline_loop_detected",
		"deep": "success", "artifact": "skipped",
	} {
		if !strings.Contains(", "+text+",", ", "+name+"="+want+",") {
			t.Errorf("%s is not %s: %s", name, want, text)
		}
	}
	children := read[[]pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines?source=parent_pipeline&sort=asc&per_page=100", ""), 200)
	tooDeep := func(p pipeline) bool {
		text, _ := r.bridges(p.ID)
		return text == "deeper=failed reached_max_descendant_pipelines_depth"
	}
	if !slices.ContainsFunc(children, tooDeep) {
		t.Errorf("no bridge reached the limit of depth: %+v", children)
	}
}

func TestABridgeStartsAPipelineInAnotherProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": "next: {variables: {A: b}, trigger: {project: acme/next, branch: main}}\nlast: {stage: deploy, script: a}\n",
	})
	waitForQueue(t, h)
	next := h.Project(r.project.NamespaceID, called("next", model.Private))
	h.JoinProject(next, r.maintainer.User, model.Maintainer)
	expect(t, r.maintainer.JSON("POST", "/projects/acme%2Fnext/repository/commits",
		`{"branch":"main","commit_message":"a","actions":[{"action":"create","file_path":".svc-ci.yml",`+
			`"content":"go: {script: a, rules: [{if: '$A'}]}\nback: {trigger: {project: acme/web}}"}]}`), 201, "")
	waitForQueue(t, h)
	made := read[pipeline](t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201)
	waitForQueue(t, h)
	text, id := r.bridges(made.ID)
	if text != "next=success" || r.jobs(made.ID) != "last=pending" {
		t.Error(text, r.jobs(made.ID))
	}
	far := ciFixture{t: t, h: h, maintainer: r.maintainer, path: "/projects/acme%2Fnext", project: next}
	got := read[pipeline](t, r.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d", far.path, id), ""), 200)
	if got.Source != "pipeline" || far.jobs(id) != "go=pending" {
		t.Errorf("%+v %s", got, far.jobs(id))
	}
	if text, _ := far.bridges(id); text != "back=failed pipeline_loop_detected" {
		t.Error(text)
	}
}
