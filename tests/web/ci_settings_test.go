package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

func TestSchedulesAreMadeChangedRunAndDeleted(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	p.commit(".gitlab-ci.yml", "unit: {script: make}\n")
	path := p.at("pipeline_schedules")
	has(t, openPage(t, p.H, p.reporter, path, 8), "There are no schedules yet")
	hidden(t, p.reporter, path+"/new")
	p.owner.Get(path + "/new")
	page := p.owner.Submit(path+"/new", url.Values{"description": {"Nightly"}, "cron": {"every day"}})
	checkPage(t, page, 422, path+"/new", "Times")
	has(t, page, `value="every day"`, `id="cron-error"`)
	page = p.owner.Submit(path+"/new", url.Values{"cron": {"0 3 * * *"}, "ref": {"main"}, "cron_timezone": {"UTC"}})
	checkPage(t, page, 200, "", "The schedule was created.")
	edit := page.URL.Path
	one := strings.TrimSuffix(edit, "/edit")
	page = p.owner.Submit(one+"/variables", url.Values{"key": {"bad key"}, "value": {"x"}, "variable_type": {"env_var"}})
	checkPage(t, page, 422, one+"/variables", "can contain only letters")
	page = p.owner.Submit(one+"/variables", url.Values{"key": {"DEPTH"}, "value": {"deep <er>"}, "variable_type": {"file"}})
	checkPage(t, page, 200, edit, "DEPTH")
	has(t, page, "deep &lt;er&gt;", `class="tag">file`)
	checkPage(t, p.owner.Submit(one+"/variables/DEPTH/delete", url.Values{}), 200, edit, "was removed")
	hidden(t, p.developer, edit)
	hidden(t, p.reporter, edit)
	page = openPage(t, p.H, p.developer, path, 8)
	has(t, page, "Nightly", one+"/play")
	lacks(t, page, one+"/delete", one+"/take_ownership")
	lacks(t, p.reporter.Get(path), one+"/play")
	p.maintainer.Get(path)
	checkPage(t, p.maintainer.Submit(one+"/take_ownership", url.Values{}), 200, path, "You own the schedule")
	checkPage(t, p.maintainer.Submit(one+"/play", url.Values{}), 200, path, "starts soon")
	p.owner.Get(edit)
	checkPage(t, p.owner.Submit(edit, url.Values{"description": {"Weekly"}, "active": nil}), 200, path, "The schedule was saved")
	has(t, p.owner.Page, "Weekly", ">inactive<")
	lacks(t, p.owner.Get(path+"?scope=active"), "Weekly")
	p.owner.Get(path)
	checkPage(t, p.owner.Submit(one+"/delete", url.Values{}), 200, path, "was deleted")
	p.hides(path)
}

func TestEnvironmentsShowTheirDeployments(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	path := p.at("environments")
	has(t, openPage(t, p.H, p.reporter, path, 8), "There are no environments yet")
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{
		{Name: "ship", Stage: "deploy", Environment: &syntax.Environment{Name: "production", Action: "start"}},
	}, func(n *store.NewPipeline) {
		name, action := "production", "start"
		n.Jobs[0].Environment, n.Jobs[0].EnvironmentAction = &name, &action
	})
	p.ClaimJob(n.Jobs[0])
	p.FinishJob(n.Jobs[0], engine.Outcome{Success: true})
	page := openPage(t, p.H, p.reporter, path, 14)
	has(t, page, "production", p.at("jobs/%d", n.Jobs[0].ID))
	one := strings.Split(strings.SplitN(page.Body, `<a href="`+path+"/", 2)[1], `"`)[0]
	page = openPage(t, p.H, p.reporter, path+"/"+one, 14)
	has(t, page, "ship", "Mend the roof", "passed")
	lacks(t, page, "/stop")
	p.developer.Get(path + "/" + one)
	checkPage(t, p.developer.Submit(path+"/"+one+"/stop", url.Values{}), 200, path+"/"+one, "The environment was stopped")
	checkPage(t, p.developer.Submit(path+"/"+one+"/delete", url.Values{}), 200, path, "was deleted")
	p.developer.Get(path + "/new")
	page = p.developer.Submit(path+"/new", url.Values{"name": {"a?b"}, "external_url": {"https://x.example"}})
	checkPage(t, page, 422, path+"/new", "can contain only letters")
	page = p.developer.Submit(path+"/new", url.Values{"name": {"review/x"}, "external_url": {"javascript:alert(1)"}})
	checkPage(t, page, 422, path+"/new", "must be a valid URL")
	page = p.developer.Submit(path+"/new", url.Values{"external_url": {"https://x.example"}, "tier": {"staging"}})
	checkPage(t, page, 200, "", "The environment was created")
	checkPage(t, p.reporter.Get(path+"?states=odd"), 400, path, "valid value")
	has(t, p.reporter.Get(path+"?search=VIEW"), "review/x")
	lacks(t, p.reporter.Get(path+"?states=stopped"), "review/x")
	hidden(t, p.reporter, path+"/new")
	p.hides(path)
}

func TestVariablesNeverShowWhatIsMasked(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	group := p.Group()
	owner := p.NewUserWithPassword()
	p.Join(group, owner.User, model.Owner)
	admin := p.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	for _, place := range []struct {
		path    string
		b       *harness.Browser
		without []*harness.Browser
		scoped  bool
	}{
		{p.at("settings/variables"), p.maintainer, []*harness.Browser{p.developer, p.reporter}, true},
		{"/groups/" + group.FullPath + "/-/settings/variables", p.SignedIn(owner.User), []*harness.Browser{p.owner}, true},
	} {
		b, path := place.b, place.path
		p.hides(path, place.without...)
		p.hides(path+"/new", place.without...)
		has(t, openPage(t, p.H, b, path, 6), "There are no variables yet")
		variableRound(t, p, b, path, place.scoped)
	}
	b := p.SignedIn(admin.User)
	if got := p.owner.Get("/admin/variables"); got.Status != 404 {
		t.Error(got.Status)
	}
	variableRound(t, p, b, "/admin/variables", false)
}

// variableRound makes, changes and removes variables on a page.
func variableRound(t *testing.T, p *ciPlace, b *harness.Browser, path string, scoped bool) {
	t.Helper()
	const secret = "not-for-your-eyes"
	b.Get(path + "/new")
	page := b.Submit(path+"/new", url.Values{"key": {"bad key"}, "value": {"a"}, "visibility": {"masked"}, "variable_type": {"env_var"}})
	checkPage(t, page, 422, path+"/new", "can contain only letters")
	has(t, page, `id="value-error"`)
	page = b.Submit(path+"/new", url.Values{"key": {"TOKEN"}, "value": {secret}, "visibility": {"masked"}, "variable_type": {"env_var"}})
	checkPage(t, page, 200, path, "TOKEN")
	lacks(t, page, secret)
	b.Get(path + "/new")
	plain := url.Values{
		"key": {"PLAIN"}, "value": {"two\nlines"}, "visibility": {"visible"}, "variable_type": {"file"}, "description": {"<why>"},
	}
	page = b.Submit(path+"/new", plain)
	has(t, page, "two\nlines", "&lt;why&gt;", ">file<", ">masked<")
	if scoped {
		b.Get(path + "/new")
		page = b.Submit(path+"/new", url.Values{
			"key": {"TOKEN"}, "value": {secret}, "visibility": {"hidden"}, "variable_type": {"env_var"}, "environment_scope": {"review/*"},
		})
		has(t, page, ">hidden<", "review/*")
		lacks(t, page, secret)
		hidden(t, b, path+"/TOKEN/edit") // two variables have this key
	}
	openPage(t, p.H, b, path, 6)
	edit := path + "/TOKEN/edit"
	query := ""
	if scoped {
		query = "?scope=*"
	}
	page = b.Get(edit + query)
	lacks(t, page, secret)
	has(t, page, "Leave this empty to keep it")
	masked := url.Values{"description": {"kept"}, "visibility": {"masked"}, "variable_type": {"env_var"}}
	checkPage(t, b.Submit(edit, masked), 200, path, "was saved")
	b.Get(edit + query)
	masked.Set("value", "short")
	checkPage(t, b.Submit(edit, masked), 422, edit, "is invalid")
	lacks(t, b.Page, secret)
	b.Get(path)
	checkPage(t, b.Submit(path+"/PLAIN/delete", url.Values{}), 200, path, "The variable PLAIN was removed")
	hidden(t, b, path+"/PLAIN/edit")
}

func TestRunnersShowTheCommandThatConnectsAMachine(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	group := p.Group()
	owner := p.NewUserWithPassword()
	p.Join(group, owner.User, model.Owner)
	admin := p.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	for _, place := range []struct {
		path string
		b    *harness.Browser
	}{
		{p.at("settings/runners"), p.owner},
		{"/groups/" + group.FullPath + "/-/settings/runners", p.SignedIn(owner.User)},
		{"/admin/runners", p.SignedIn(admin.User)},
	} {
		runnerRound(t, p, place.b, place.path)
	}
	p.hides(p.at("settings/runners"), p.developer)
	hidden(t, p.maintainer, p.at("settings/runners/new"))
	hidden(t, p.owner, "/groups/"+group.FullPath+"/-/settings/runners")
	hidden(t, p.owner, "/admin/runners")
	page := p.maintainer.Get(p.at("settings/runners"))
	has(t, page, "Instance", "Project")
	checkPage(t, p.maintainer.Get(p.at("settings/runners")+"?type=odd"), 400, "", "valid value")
}

func TestARunnerIsAddedToAnotherProject(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	wall := p.Project(*p.ownerUser.User.NamespaceID, func(project *model.Project) { project.Path = "wall" })
	foreign := p.Project(*p.NewUser().User.NamespaceID)
	p.owner.Get(p.at("settings/runners/new"))
	one := p.owner.Submit(p.at("settings/runners/new"), url.Values{"run_untagged": {"1"}, "locked": nil}).URL.Path
	add := func(b *harness.Browser, path string) harness.Page {
		b.Get(one)
		return b.Submit(one+"/assign", url.Values{"project": {path}})
	}
	checkPage(t, add(p.owner, ""), 422, one+"/assign", "Another project does not exist")
	checkPage(t, add(p.owner, foreign.FullPath), 422, one+"/assign", "Another project does not exist")
	checkPage(t, add(p.owner, p.project.FullPath), 422, one+"/assign", "has this runner already")
	checkPage(t, add(p.maintainer, wall.FullPath), 422, one+"/assign", "Another project does not exist")
	checkPage(t, add(p.owner, wall.FullPath), 200, one, "The runner also runs the jobs of "+wall.FullPath)
	has(t, openPage(t, p.H, p.owner, one, 12), `<a href="/`+wall.FullPath+`">`)
	lacks(t, p.maintainer.Get(one), wall.FullPath) // maintainers of one project do not see the other one
	has(t, p.owner.Get("/"+wall.FullPath+"/-/settings/runners"), "#")
	hidden(t, p.developer, one)
	checkPage(t, again(p.developer, one+"/assign", url.Values{"project": {wall.FullPath}}), 403, "", "")
	p.owner.Get(one)
	checkPage(t, p.owner.Submit(one, url.Values{"locked": {"1"}}), 200, one, "The runner was saved")
	lacks(t, p.owner.Page, one+"/assign")
	page := again(p.owner, one+"/assign", url.Values{"project": {foreign.FullPath}})
	checkPage(t, page, 400, "", "Project does not exist")
}

// runnerRound makes, pauses and changes a runner on a page.
func runnerRound(t *testing.T, p *ciPlace, b *harness.Browser, path string) {
	t.Helper()
	b.Get(path + "/new")
	page := b.Submit(path+"/new", url.Values{"run_untagged": nil, "tags_list": {""}})
	checkPage(t, page, 422, path+"/new", "can not be empty")
	page = b.Submit(path+"/new", url.Values{"description": {"box <1>"}, "tags_list": {"linux, gpu"}, "maximum_timeout": {"5"}})
	checkPage(t, page, 422, path+"/new", "needs to be at least 10 minutes")
	page = b.Submit(path+"/new", url.Values{"maximum_timeout": {"3600"}, "run_untagged": {"1"}})
	checkPage(t, page, 200, "", "Connect a machine")
	has(t, page, "gitlab-runner register --url "+p.URL+" --token glrt-", "box &lt;1&gt;", ">gpu<")
	one := page.URL.Path
	page = openPage(t, p.H, b, one, 8)
	lacks(t, page, "glrt-")
	checkPage(t, b.Submit(one+"/pause", url.Values{}), 200, one, "The runner is paused")
	checkPage(t, b.Submit(one+"/resume", url.Values{}), 200, one, "gets jobs again")
	checkPage(t, b.Submit(one, url.Values{"description": {"renamed"}}), 200, one, "renamed")
	page = b.Submit(one, url.Values{"maximum_timeout": {"soon"}})
	checkPage(t, page, 422, one, "is not a number")
	page = b.Submit(one+"/reset_token", url.Values{})
	has(t, page, "--token glrt-")
	has(t, openPage(t, p.H, b, path, 8), "renamed", one)
	b.Get(path + "/new")
	second := b.Submit(path+"/new", url.Values{}).URL.Path
	checkPage(t, b.Submit(second+"/delete", url.Values{}), 200, path, "was deleted")
	hidden(t, b, second)
	hidden(t, p.stranger, one)
}

func TestTriggerTokensAreShownOnce(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	path := p.at("settings/triggers")
	p.hides(path, p.developer)
	p.maintainer.Get(path)
	checkPage(t, p.maintainer.Submit(path, url.Values{"description": {" "}}), 422, path, "can't be blank")
	page := p.maintainer.Submit(path, url.Values{"description": {"deploys <x>"}})
	has(t, page, `value="svcptt-`, "deploys &lt;x&gt;", fmt.Sprintf("/api/v4/projects/%d/trigger/pipeline", p.project.ID))
	page = openPage(t, p.H, p.maintainer, path, 8)
	lacks(t, page, `value="svcptt-`)
	action := strings.Split(strings.SplitN(page.Body, `action="`+path+"/", 2)[1], `"`)[0]
	checkPage(t, p.maintainer.Submit(path+"/"+action, url.Values{}), 200, path, "was revoked")
}

func TestEnvironmentsShowDeploymentsByAPI(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	p.commit("a.txt", "a")
	api := fmt.Sprintf("/projects/%d/deployments", p.project.ID)
	made := p.ownerUser.JSON("POST", api, `{"environment":"production","sha":"main","ref":"main","tag":false,"status":"success"}`)
	if made.Status != 201 {
		t.Fatal(made.Body)
	}
	path := p.at("environments")
	page := openPage(t, p.H, p.reporter, path, 14)
	has(t, page, "production", "by API", "Add it")
	lacks(t, page, "/-/jobs/0")
	one := strings.Split(strings.SplitN(page.Body, `<a href="`+path+"/", 2)[1], `"`)[0]
	page = openPage(t, p.H, p.reporter, path+"/"+one, 14)
	has(t, page, "by API", "<code>main</code>", "Add it", "passed", p.ownerUser.User.Username)
	lacks(t, page, "/-/jobs/0")
}
