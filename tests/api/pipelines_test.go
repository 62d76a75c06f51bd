package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// pipeline is a pipeline in a response.
type pipeline struct {
	ID         int64   `json:"id"`
	IID        int64   `json:"iid"`
	SHA        string  `json:"sha"`
	BeforeSHA  string  `json:"before_sha"`
	Ref        string  `json:"ref"`
	Tag        bool    `json:"tag"`
	Status     string  `json:"status"`
	Source     string  `json:"source"`
	Name       *string `json:"name"`
	YamlErrors *string `json:"yaml_errors"`
	Coverage   *string `json:"coverage"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
}

const simpleCI = "build:\n  stage: build\n  script: make\ntest:\n  script: make test\n"

// waitForQueue waits until the queue of background jobs is empty.
func waitForQueue(t *testing.T, h *harness.H) {
	t.Helper()
	var left map[string]int64
	empty := func() bool { return left["available"]+left["running"]+left["retryable"] == 0 }
	defer func() {
		if !empty() {
			t.Logf("work is left: %v", left)
		}
	}()
	wait.Until(t, "the queue of background jobs is empty", func() bool {
		var err error
		if left, err = h.Store.QueueDepth(t.Context()); err != nil {
			t.Fatal(err)
		}
		return empty()
	})
}

// ciFixture is a project with a maintainer.
type ciFixture struct {
	t          *testing.T
	h          *harness.H
	project    model.Project
	maintainer *harness.Caller
	path       string
}

// ciProject makes the project acme/web with these files on its branch main. Only maintainers may push there.
func ciProject(t *testing.T, h *harness.H, files map[string]string, edit ...func(*model.Project)) ciFixture {
	t.Helper()
	r := ciFixture{t: t, h: h}
	r.project = h.Project(h.Group(at("acme"), seen(model.Public)).ID,
		append([]func(*model.Project){called("web", model.Private)}, edit...)...)
	r.maintainer = h.ProjectMember(r.project, model.Maintainer)
	r.path = "/projects/" + url.PathEscape(r.project.FullPath)
	r.commit("main", "Begin", files)
	return r
}

// commit writes files to a branch and returns the SHA of the commit.
func (r ciFixture) commit(branch, message string, files map[string]string) string {
	r.t.Helper()
	body := map[string]any{"branch": branch, "commit_message": message}
	from := branch
	if branch != "main" && r.maintainer.Send("GET", r.path+"/repository/branches/"+url.PathEscape(branch), "").Status == 404 {
		body["start_branch"], from = "main", "main"
	}
	var actions []map[string]string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		action := "create"
		if r.maintainer.Send("GET", r.path+"/repository/files/"+url.PathEscape(name)+"?ref="+url.QueryEscape(from), "").Status == 200 {
			action = "update"
		}
		actions = append(actions, map[string]string{"action": action, "file_path": name, "content": files[name]})
	}
	body["actions"] = actions
	text, _ := json.Marshal(body)
	made := r.maintainer.JSON("POST", r.path+"/repository/commits", string(text))
	expect(r.t, made, 201, "")
	return member(r.t, made, "id").(string)
}

// pipelines lists the pipelines of the project as «source ref status».
func (r ciFixture) pipelines(query string) []string {
	r.t.Helper()
	out := []string{}
	for _, p := range read[[]pipeline](r.t, r.maintainer.Send("GET", r.path+"/pipelines?"+query, ""), 200) {
		out = append(out, p.Source+" "+p.Ref+" "+p.Status)
	}
	return out
}

func (r ciFixture) shows(query string, want ...string) {
	r.t.Helper()
	if got := r.pipelines(query); !slices.Equal(got, want) {
		r.t.Errorf("%s: %q, want %q", query, got, want)
	}
}

func (r ciFixture) jobs(id int64) string {
	r.t.Helper()
	rows := read[[]job](r.t, r.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d/jobs", r.path, id), ""), 200)
	slices.Reverse(rows)
	return jobNames(rows)
}

func TestPushesCreatePipelines(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{"README.md": "nothing to run"})
	waitForQueue(t, h)
	r.shows("")
	sha := r.commit("main", "Build it", map[string]string{".svc-ci.yml": simpleCI})
	waitForQueue(t, h)
	rows := read[[]pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines", ""), 200)
	if len(rows) != 1 || rows[0].SHA != sha || rows[0].IID != 1 || rows[0].Status != "pending" || rows[0].Source != "push" {
		t.Fatalf("%+v", rows)
	}
	if got := r.jobs(rows[0].ID); got != "build=pending test=created" {
		t.Error(got)
	}
	one := read[pipeline](t, r.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d", r.path, rows[0].ID), ""), 200)
	if one.BeforeSHA == git.Zero || one.User.Username != r.maintainer.User.Username || one.Tag {
		t.Errorf("%+v", one)
	}
	if latest := read[pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines/latest", ""), 200); latest.ID != one.ID {
		t.Errorf("latest: %+v", latest)
	}

	r.commit("skipped", "Mend the text [skip ci]", map[string]string{"README.md": "a"})
	r.commit("wrong", "Break it", map[string]string{".svc-ci.yml": "build:\n  script: 5\n  needs: [none]\n"})
	r.commit("filtered", "Never", map[string]string{".svc-ci.yml": simpleCI + "workflow: {rules: [{if: '$NONE'}]}\n"})
	r.commit("ruled", "Nothing", map[string]string{".svc-ci.yml": "build: {script: make, rules: [{if: '$NONE'}]}\n"})
	expect(t, r.maintainer.JSON("POST", r.path+"/repository/tags", `{"tag_name":"v1","ref":"main"}`), 201, "")
	waitForQueue(t, h)
	r.shows("ref=skipped", "push skipped skipped")
	r.shows("ref=v1", "push v1 pending")
	r.shows("ref=filtered")
	r.shows("ref=ruled")
	r.shows("yaml_errors=true", "push wrong failed")
	wrong := read[pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines/latest?ref=wrong", ""), 200)
	if wrong.YamlErrors == nil || !strings.Contains(*wrong.YamlErrors, "build") {
		t.Errorf("%+v", wrong)
	}
	if v1 := read[pipeline](t, r.maintainer.Send("GET", r.path+"/pipelines/latest?ref=v1", ""), 200); !v1.Tag || v1.BeforeSHA != git.Zero {
		t.Errorf("%+v", v1)
	}
	expect(t, r.maintainer.Send("DELETE", r.path+"/repository/branches/skipped", ""), 204, "")
	waitForQueue(t, h)
	r.shows("ref=skipped", "push skipped skipped")
}

func TestPushOptionsControlThePipeline(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{".gitlab-ci.yml": "show: {script: 'echo $COLOUR', rules: [{if: '$COLOUR == \"red\"'}]}\n"})
	waitForQueue(t, h)
	r.shows("")
	local := harness.NewHistory(t)
	address, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	address.User, address.Path = url.UserPassword("oauth2", r.maintainer.Token), "/"+r.project.FullPath+".git"
	local.Git("fetch", "-q", address.String(), "main")
	local.Git("checkout", "-q", "-b", "work", "FETCH_HEAD")
	push := func(option, ref string) {
		t.Helper()
		local.Commit("Ann <ann@example.com>", "More")
		local.Git("push", "-q", "-o", option, address.String(), "HEAD:refs/heads/"+ref)
	}
	push("ci.skip", "skip")
	push("ci.variable=COLOUR=red", "red")
	push("ci.variable=COLOUR=blue", "blue")
	waitForQueue(t, h)
	r.shows("order_by=ref&sort=asc", "push red pending", "push skip skipped")
	many := []string{"push", "-q", address.String()}
	for i := range 6 {
		many = append(many, fmt.Sprintf("HEAD:refs/heads/many-%d", i))
	}
	local.Git("push", "-q", "-o", "ci.variable=\"COLOUR=red\"", address.String(), "HEAD:refs/heads/many-a")
	local.Git(slices.Insert(many, 1, "-o", "ci.variable=COLOUR=red")...)
	waitForQueue(t, h)
	if n := len(r.pipelines("per_page=100")); n != 2+1+4 {
		t.Errorf("%d pipelines", n)
	}
}

func TestAPushCreatesItsPipelineOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{".svc-ci.yml": simpleCI})
	sha := member(t, r.maintainer.Send("GET", r.path+"/repository/commits/main", ""), "id").(string)
	for range 3 {
		pushed := launch.Pushed{
			ProjectID: r.project.ID,
			UserID:    r.maintainer.User.ID,
			Batch:     "again",
			Ref:       "refs/heads/main",
			Old:       git.Zero,
			New:       sha,
		}
		if err := h.Server.Worker.Enqueue(t.Context(), pushed); err != nil {
			t.Fatal(err)
		}
	}
	h.StartWorker()
	waitForQueue(t, h)
	if got := r.pipelines(""); len(got) != 2 { // the commit itself has a pipeline, too
		t.Errorf("%q", got)
	}
}

func TestAPipelineIsCreatedThroughTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{".svc-ci.yml": simpleCI + "deploy: {script: ship, rules: [{if: '$SHIP'}]}\n"})
	r.commit("topic", "Text", map[string]string{"a": "b"})
	r.commit("wrong", "Break it", map[string]string{".svc-ci.yml": "build: {scrip: make}\n"})
	r.commit("never", "Never", map[string]string{".svc-ci.yml": simpleCI + "workflow: {rules: [{when: never}]}\n"})
	r.commit("ruled", "Nothing", map[string]string{".svc-ci.yml": "build: {script: make, rules: [{if: '$NONE'}]}\n"})
	developer, reporter := h.ProjectMember(r.project, model.Developer), h.ProjectMember(r.project, model.Reporter)
	made := read[pipeline](t, developer.JSON("POST", r.path+"/pipeline",
		`{"ref":"topic","variables":[{"key":"SHIP","value":"1"},{"key":"F","value":"x","variable_type":"file"}]}`), 201)
	if made.Source != "api" || made.Ref != "topic" || made.BeforeSHA != git.Zero ||
		r.jobs(made.ID) != "build=pending test=created deploy=created" {
		t.Errorf("%+v %s", made, r.jobs(made.ID))
	}
	if plain := read[pipeline](t,
		developer.JSON("POST", r.path+"/pipeline?ref=refs/heads/topic", ""), 201); r.jobs(plain.ID) != "build=pending test=created" {
		t.Error(r.jobs(plain.ID))
	}
	expect(t, developer.Send("GET", fmt.Sprintf("%s/pipelines/%d/variables", r.path, made.ID), ""), 200,
		`[{"variable_type":"file","key":"F","value":"x","raw":false},{"variable_type":"env_var","key":"SHIP","value":"1","raw":false}]`)
	other := h.ProjectMember(r.project, model.Developer)
	expect(t, other.Send("GET", fmt.Sprintf("%s/pipelines/%d/variables", r.path, made.ID), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, r.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d/variables", r.path, made.ID), ""), 200, "")

	for _, c := range []struct {
		who    *harness.Caller
		body   string
		status int
		answer string
	}{
		{developer, `{"ref":"none"}`, 400, `{"message":{"base":["Reference not found"]}}`},
		{developer, `{"ref":"main"}`, 400, `{"message":{"base":["You are not allowed to run pipelines on this ref"]}}`},
		{developer, `{"ref":"never"}`, 400, `{"message":{"base":["Pipeline filtered out by workflow rules."]}}`},
		{developer, `{"ref":"ruled"}`, 400, `{"message":{"base":["Pipeline will not run for the selected trigger. ` +
			`The rules configuration prevented any jobs from being added to the pipeline."]}}`},
		{
			developer, `{"ref":"topic","variables":[{"key":"A","value":"1"},{"key":"A","value":"2"}]}`, 400,
			`{"message":{"variables":["have duplicate values (A)"]}}`,
		},
		{developer, `{"ref":"topic","variables":[{"key":"A B","value":"1"}]}`, 400, ""},
		{developer, `{"ref":"topic","variables":[{"value":"1"}]}`, 400, ""},
		{developer, `{}`, 400, `{"error":"ref is missing"}`},
		{reporter, `{"ref":"topic"}`, 403, `{"message":"403 Forbidden"}`},
		{h.NewUser(), `{"ref":"topic"}`, 404, `{"message":"404 Project Not Found"}`},
		{h.Anonymous(), `{"ref":"topic"}`, 401, ""},
	} {
		expect(t, c.who.JSON("POST", r.path+"/pipeline", c.body), c.status, c.answer)
	}
	wrong := developer.JSON("POST", r.path+"/pipeline", `{"ref":"wrong"}`)
	if expect(t, wrong, 400, ""); !strings.HasPrefix(wrong.Body, `{"message":{"base":["`) || !strings.Contains(wrong.Body, "build") {
		t.Error(wrong.Body)
	}
	r.shows("", "api topic pending", "api topic pending")
	if main := read[pipeline](t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201); main.IID <= made.IID {
		t.Errorf("%+v", main)
	}
	expect(t, r.maintainer.JSON("PUT", r.path, `{"restrict_user_defined_variables":true}`), 200, "")
	expect(t, developer.JSON("POST", r.path+"/pipeline", `{"ref":"topic","variables":[{"key":"A","value":"1"}]}`), 400,
		`{"message":{"base":["Insufficient permissions to set pipeline variables"]}}`)
	expect(t, r.maintainer.JSON("PUT", r.path, `{"ci_config_path":"ci/none.yml"}`), 200, "")
	expect(t, developer.JSON("POST", r.path+"/pipeline", `{"ref":"topic"}`), 400, `{"message":{"base":["Missing CI config file"]}}`)
	expect(t, r.maintainer.JSON("PUT", r.path, `{"builds_access_level":"disabled"}`), 200, "")
	expect(t, developer.JSON("POST", r.path+"/pipeline", `{"ref":"topic"}`), 403, "")
}

func TestACIFileUsesIncludesAndVariables(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{
		"ci/main.yml": `
include: [{local: /ci/more.yml}, {project: acme/shared, file: jobs.yml}]
workflow: {name: 'Number $CI_PIPELINE_IID of $CI_PROJECT_PATH'}
exists: {script: a, rules: [{exists: [ci/*.yml]}]}
missing: {script: a, rules: [{exists: [none]}]}
scoped: {script: a, environment: {name: 'live/$CI_COMMIT_REF_SLUG', url: 'https://x.example.com'}, rules: [{if: '$WHERE == "live"'}]}
grouped: {script: a, rules: [{if: '$TEAM == "red"'}]}
secret: {script: a, rules: [{if: '$GUARDED'}]}
`,
		"ci/more.yml": "more: {script: a, tags: [z, a], timeout: 10m, needs: [exists]}\n",
	}, func(p *model.Project) { path := "ci/main.yml"; p.CiConfigPath = &path })
	shared := h.Project(r.project.NamespaceID, called("shared", model.Private))
	h.JoinProject(shared, r.maintainer.User, model.Maintainer)
	expect(t, r.maintainer.JSON("POST", "/projects/acme%2Fshared/repository/commits",
		`{"branch":"main","commit_message":"a","actions":[{"action":"create","file_path":"jobs.yml","content":"shared: {script: a}"}]}`),
		201, "")
	addScopedVariables(t, r)
	made := read[pipeline](t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201)
	if made.Name == nil || *made.Name != fmt.Sprintf("Number %d of acme/web", made.IID) {
		t.Errorf("%+v", made)
	}
	if got := r.jobs(made.ID); got != "more=created shared=pending exists=pending scoped=pending grouped=pending secret=pending" {
		t.Error(got)
	}
	expectIncludedAndScopedJobs(t, h, made.ID)
	// The branch is not protected, and the developer cannot read the shared project.
	r.commit("open", "Topic", map[string]string{"x": "y"})
	developer := h.ProjectMember(r.project, model.Developer)
	got := developer.JSON("POST", r.path+"/pipeline", `{"ref":"open"}`)
	if expect(t, got, 400, ""); !strings.Contains(got.Body, "Project `acme/shared` not found or access denied!") {
		t.Error(got.Body)
	}
	h.JoinProject(shared, developer.User, model.Reporter)
	open := read[pipeline](t, developer.JSON("POST", r.path+"/pipeline", `{"ref":"open"}`), 201)
	if got := r.jobs(open.ID); strings.Contains(got, "secret") || !strings.Contains(got, "scoped") {
		t.Error(got)
	}
}

// addScopedVariables adds WHERE for environments below live, GUARDED for protected branches, and TEAM to the group.
func addScopedVariables(t *testing.T, r ciFixture) {
	t.Helper()
	for _, query := range []string{
		"INSERT INTO project_variables (project_id, key, value, variable_type, protected, masked, raw, hidden, " +
			"environment_scope, created_at, updated_at) VALUES ($1, 'WHERE', 'live', 'env_var', false, false, " +
			"false, false, 'live/*', '2026-01-02 03:04:05', '2026-01-02 03:04:05')",
		"INSERT INTO project_variables (project_id, key, value, variable_type, protected, masked, raw, hidden, " +
			"environment_scope, created_at, updated_at) VALUES ($1, 'GUARDED', 'x', 'env_var', true, false, false, " +
			"false, '*', '2026-01-02 03:04:05', '2026-01-02 03:04:05')",
		"INSERT INTO group_variables (group_id, key, value, variable_type, protected, masked, raw, hidden, " +
			"environment_scope, created_at, updated_at) SELECT namespace_id, 'TEAM', 'red', 'env_var', false, " +
			"false, false, false, '*', created_at, updated_at FROM projects WHERE id = $1",
	} {
		_, err := r.h.Store.SQL().ExecContext(t.Context(), query, r.project.ID)
		must(t, err)
	}
}

func expectIncludedAndScopedJobs(t *testing.T, h *harness.H, pipelineID int64) {
	t.Helper()
	rows, err := h.Store.Jobs.Newest(t.Context(), pipelineID)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Name == "more" && (row.Tags != `["a","z"]` || row.Timeout != 600 || row.Needs == nil || *row.Needs != `["exists"]`) {
			t.Errorf("%+v", row)
		}
		if row.Name == "scoped" && (row.Environment == nil || *row.Environment != "live/main") {
			t.Errorf("%+v", row)
		}
	}
}

func TestPipelinesAreRetriedCanceledAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{".svc-ci.yml": simpleCI})
	r.commit("topic", "Text", map[string]string{"a": "b"})
	developer := h.ProjectMember(r.project, model.Developer)
	made := read[pipeline](t, developer.JSON("POST", r.path+"/pipeline", `{"ref":"topic"}`), 201)
	protected := read[pipeline](t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201)
	one, two := fmt.Sprintf("%s/pipelines/%d", r.path, made.ID), fmt.Sprintf("%s/pipelines/%d", r.path, protected.ID)
	for range 2 {
		if got := read[pipeline](t, developer.Send("POST", one+"/cancel", ""), 200); got.Status != "canceled" {
			t.Errorf("%+v", got)
		}
	}
	if got := read[pipeline](t, developer.Send("POST", one+"/retry", ""), 201); got.Status != "pending" ||
		r.jobs(made.ID) != "build=pending test=created" {
		t.Errorf("%+v %s", got, r.jobs(made.ID))
	}
	if got := read[pipeline](t, developer.JSON("PUT", one+"/metadata", `{"name":" Mine "}`), 200); got.Name == nil || *got.Name != "Mine" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/cancel", "/retry"} {
		expect(t, developer.Send("POST", two+path, ""), 403, `{"message":"403 Forbidden"}`)
		expect(t, developer.Send("POST", r.path+"/pipelines/999999"+path, ""), 404, `{"message":"404 Not found"}`)
	}
	owner := h.ProjectMember(r.project, model.Owner)
	expect(t, r.maintainer.Send("DELETE", one, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, owner.Send("DELETE", one, "", "If-Unmodified-Since", "Fri, 02 Jan 2015 03:04:05 GMT"), 412, "")
	expect(t, owner.Send("DELETE", one, ""), 204, "")
	expect(t, owner.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
	h.StartWorker()
	waitForQueue(t, h)
	r.shows("source=api", "api main pending")
}

func TestPipelinesAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(named("ann"))
	p := h.Project(*owner.User.NamespaceID, called("web", model.Public))
	path := fmt.Sprintf("/projects/%d/pipelines", p.ID)
	other := h.NewUser(named("bob"))
	make := func(u model.User, edit func(*model.Pipeline)) int64 {
		return h.Pipeline(p, u, []syntax.Job{aJob("build", 0)}, func(n *store.NewPipeline) { edit(&n.Pipeline) }).Pipeline.ID
	}
	name, mistakes := "Nightly", "wrong"
	first := make(owner.User, func(n *model.Pipeline) { n.Name = &name })
	second := make(other.User, func(n *model.Pipeline) { n.Ref, n.SHA = "topic", strings.Repeat("b2", 20) })
	third := make(owner.User, func(n *model.Pipeline) { n.Ref, n.Tag, n.Source = "v1", true, "schedule" })
	child := make(owner.User, func(n *model.Pipeline) { n.Child, n.Source = true, "parent_pipeline" })
	failed := h.Pipeline(p, owner.User, nil, func(n *store.NewPipeline) {
		n.Pipeline.Status, n.Pipeline.YamlErrors = "failed", &mistakes
	}).Pipeline.ID
	for query, want := range map[string][]int64{
		"":                                    {failed, third, second, first},
		"sort=asc":                            {first, second, third, failed},
		"order_by=ref&sort=asc":               {first, failed, second, third},
		"order_by=status":                     {third, second, first, failed},
		"order_by=user_id":                    {second, failed, third, first},
		"order_by=updated_at&sort=asc":        {first, second, third, failed},
		"per_page=2&page=2":                   {second, first},
		"scope=pending":                       {third, second, first},
		"scope=running":                       {},
		"scope=finished":                      {failed},
		"scope=branches":                      {failed, second},
		"scope=tags":                          {third},
		"status=failed":                       {failed},
		"source=schedule":                     {third},
		"source=parent_pipeline":              {child},
		"ref=topic":                           {second},
		"sha=" + strings.Repeat("b2", 20):     {second},
		"username=BOB":                        {second},
		"username=nobody":                     {},
		"name=Nightly":                        {first},
		"yaml_errors=true":                    {failed},
		"yaml_errors=false":                   {third, second, first},
		"created_after=2099-01-01T00:00:00Z":  {},
		"created_before=2099-01-01T00:00:00Z": {failed, third, second, first},
		"updated_after=2000-01-01T00:00:00Z":  {failed, third, second, first},
		"updated_before=2000-01-01T00:00:00Z": {},
	} {
		got := []int64{}
		for _, row := range read[[]pipeline](t, h.Anonymous().Send("GET", path+"?"+query, ""), 200) {
			got = append(got, row.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	h.Golden("listProjectPipelines/named", owner.Send("GET", path+"?name=Nightly", "").Body)
	h.Golden("getProjectPipeline/pending", owner.Send("GET", fmt.Sprintf("%s/%d", path, first), "").Body)
	h.Golden("getProjectPipeline/failed", owner.Send("GET", fmt.Sprintf("%s/%d", path, failed), "").Body)
	for _, query := range []string{"scope=x", "status=x", "order_by=name", "created_after=x", "source=x", "sort=up"} {
		if got := owner.Send("GET", path+"?"+query, ""); got.Status != 400 {
			t.Errorf("%s: %d %s", query, got.Status, got.Body)
		}
	}
	before := h.Store.Statements()
	owner.Send("GET", path+"?per_page=1", "")
	few := h.Store.Statements() - before
	owner.Send("GET", path+"?per_page=4", "")
	if many := h.Store.Statements() - before - few; many > few {
		t.Errorf("%d statements for one pipeline, %d for four", few, many)
	}
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"public_jobs":false}`), 200, "")
	expect(t, h.Anonymous().Send("GET", path, ""), 403, "")
	expect(t, other.Send("GET", path+"/latest", ""), 403, "")
	expect(t, owner.Send("GET", path+"/latest", ""), 404, `{"message":"404 Not found"}`)
	expect(t, owner.Send("GET", path+"/999999", ""), 404, `{"message":"404 Not found"}`)
}
