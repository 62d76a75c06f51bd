package api

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// flagProject returns a public project, its path in the API and callers with every role.
func flagProject(h *harness.H) (model.Project, string, callersByRole) {
	p := h.Project(h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	return p, fmt.Sprintf("/projects/%d", p.ID), newCallersByRole(h, p)
}

type featureFlag struct {
	Name        string
	Description *string
	Active      bool
	Strategies  []struct {
		ID         int64
		Name       string
		Parameters map[string]string
		Scopes     []struct {
			ID               int64
			EnvironmentScope string `json:"environment_scope"`
		}
		UserList *struct {
			ID, IID  int64
			UserXids string `json:"user_xids"`
		} `json:"user_list"`
	}
}

// text describes a flag in one line.
func (f featureFlag) text() string {
	var parts []string
	for _, s := range f.Strategies {
		var scopes []string
		for _, scope := range s.Scopes {
			scopes = append(scopes, scope.EnvironmentScope)
		}
		parts = append(parts, fmt.Sprint(s.Name, s.Parameters, scopes))
	}
	return fmt.Sprint(f.Name, " ", f.Active, " ", strings.Join(parts, "; "))
}

func TestFeatureFlagsAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, project, callers := flagProject(h)
	developer, path := callers["developer"], "/projects/acme%2Fweb/feature_flags"
	made := developer.JSON("POST", path, `{"name":"new_checkout","description":"One page","version":"new_version_flag",
		"strategies":[{"name":"userWithId","parameters":{"userIds":"17,23"},"scopes":[{"environment_scope":"production"}]},
		{"name":"default"}]}`)
	expect(t, made, 201, "")
	h.Golden("createProjectFeatureFlag/usual", made.Body)
	second := developer.Form("POST", path, "name=beta&active=false")
	expect(t, second, 201, "")
	expect(t, developer.Send("GET", path, ""), 200, "["+second.Body+","+made.Body+"]")
	expect(t, developer.Send("GET", path+"?per_page=1&page=2", ""), 200, "["+made.Body+"]")
	expect(t, developer.Send("GET", path+"?scope=enabled", ""), 200, "["+made.Body+"]")
	expect(t, developer.Send("GET", path+"?scope=disabled", ""), 200, "["+second.Body+"]")
	expect(t, developer.Send("GET", path+"?scope=x", ""), 400, `{"error":"scope does not have a valid value"}`)
	expect(t, developer.Send("GET", path+"/new_checkout", ""), 200, made.Body)
	expect(t, developer.Send("GET", path+"/other", ""), 404, `{"message":"404 Not found"}`)

	changed := read[featureFlag](t, developer.JSON("PUT", path+"/beta", `{"name":"gamma","active":true,"description":"x"}`), 200)
	if changed.text() != "gamma true " || changed.Description == nil {
		t.Error(changed.text())
	}
	changed = read[featureFlag](t, developer.JSON("PUT", path+"/gamma", `{"description":null}`), 200)
	if changed.Description != nil {
		t.Error("the description is still there")
	}
	expect(t, developer.Send("GET", path+"/beta", ""), 404, "")
	expect(t, developer.JSON("PUT", path+"/gamma", `{"name":"new_checkout"}`), 400, `{"message":["Name has already been taken"]}`)
	expect(t, developer.JSON("POST", path, `{"name":"gamma"}`), 400, `{"message":["Name has already been taken"]}`)

	const roles = "401 403 403 403 403 "
	callers.statuses(t, "list", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") })
	callers.statuses(t, "get", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", path+"/gamma", "") })
	callers.statuses(t, "change", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.JSON("PUT", path+"/gamma", `{}`)
	})
	callers.statuses(t, "create", roles+"400 400 400 400", func(c *harness.Caller) harness.Answer {
		return c.JSON("POST", path, `{"name":"gamma"}`)
	})
	expect(t, developer.Send("DELETE", path+"/new_checkout", ""), 200, made.Body)
	expect(t, developer.Send("DELETE", path+"/new_checkout", ""), 404, "")
	if got := developer.Send("GET", path, "").Body; strings.Count(got, `"name"`) != 1 {
		t.Error(got)
	}
	expect(t, callers["maintainer"].JSON("PUT", project, `{"feature_flags_access_level":"disabled"}`), 200, "")
	expect(t, developer.Send("GET", path, ""), 403, "")
	hidden := h.Project(h.Group().ID, called("hidden", model.Private))
	outside := fmt.Sprintf("/projects/%d/feature_flags", hidden.ID)
	expect(t, developer.Send("GET", outside, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, developer.JSON("POST", outside, `{"name":"gamma"}`), 404, `{"message":"404 Project Not Found"}`)
}

func TestStrategiesAndScopesAreAddedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, project, callers := flagProject(h)
	developer, path := callers["developer"], project+"/feature_flags"
	change := func(body string) featureFlag {
		t.Helper()
		return read[featureFlag](t, developer.JSON("PUT", path+"/door", body), 200)
	}
	made := read[featureFlag](t, developer.JSON("POST", path, `{"name":"door","strategies":[{"name":"default","scopes":[
		{"environment_scope":"staging"},{"environment_scope":"review/*"}]}]}`), 201)
	first := made.Strategies[0]
	added := change(`{"strategies":[{"name":"gradualRolloutUserId","parameters":{"groupId":"default","percentage":"40"}}]}`)
	if len(added.Strategies) != 2 || added.Strategies[0].ID != first.ID || added.Strategies[1].Parameters["percentage"] != "40" ||
		added.Strategies[1].Scopes[0].EnvironmentScope != "*" {
		t.Fatalf("%+v", added)
	}
	second := added.Strategies[1]
	changed := change(fmt.Sprintf(`{"strategies":[
		{"id":%d,"name":"flexibleRollout","parameters":{"groupId":"a","rollout":"5","stickiness":"random"}},
		{"id":%d,"scopes":[{"id":%d,"environment_scope":"production"},{"id":%d,"_destroy":true},{"environment_scope":"canary"}]}]}`,
		second.ID, first.ID, first.Scopes[0].ID, first.Scopes[1].ID))
	if s := changed.Strategies; s[1].Name != "flexibleRollout" || s[1].ID != second.ID || s[1].Scopes[0].ID != second.Scopes[0].ID ||
		len(s[0].Scopes) != 2 || s[0].Scopes[0].EnvironmentScope != "production" || s[0].Scopes[0].ID != first.Scopes[0].ID ||
		s[0].Scopes[1].EnvironmentScope != "canary" {
		t.Errorf("%+v", changed)
	}
	left := change(fmt.Sprintf(`{"strategies":[{"id":%d,"_destroy":true}]}`, first.ID))
	if len(left.Strategies) != 1 || left.Strategies[0].ID != second.ID {
		t.Errorf("%+v", left)
	}
	same := read[featureFlag](t, developer.Send("GET", path+"/door", ""), 200)
	if same.text() != left.text() {
		t.Errorf("%s, then %s", left.text(), same.text())
	}
	for _, body := range []string{
		fmt.Sprintf(`{"strategies":[{"id":%d,"name":"default"}]}`, first.ID),
		fmt.Sprintf(`{"strategies":[{"id":%d,"scopes":[{"id":%d,"_destroy":true}]}]}`, second.ID, first.Scopes[0].ID),
		`{"strategies":[{"id":0,"name":"default"}]}`,
	} {
		expect(t, developer.JSON("PUT", path+"/door", body), 404, `{"message":"404 Not found"}`)
	}
}

func TestInvalidFeatureFlagsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, project, callers := flagProject(h)
	developer, path := callers["developer"], project+"/feature_flags"
	const name = "Name can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'"
	for body, want := range map[string]string{
		`{}`:                                    `{"error":"name is missing"}`,
		`{"name":"ok","version":"legacy_flag"}`: `{"error":"version does not have a valid value"}`,
		`{"name":"a"}`:                          `{"message":["Name is too short (minimum is 2 characters)"]}`,
		`{"name":"` + strings.Repeat("a", 64) + `"}`: `{"message":["Name is too long (maximum is 63 characters)"]}`,
		`{"name":"Door"}`:  `{"message":["` + name + `"]}`,
		`{"name":"1door"}`: `{"message":["` + name + `"]}`,
		`{"name":"door_"}`: `{"message":["` + name + `"]}`,
		`{"name":"ok","description":"` + strings.Repeat("a", 256) + `"}`: `{"message":["Description is too long (maximum is 255 ` +
			`characters)"]}`,
	} {
		expect(t, developer.JSON("POST", path, body), 400, want)
	}
	const parameters, scopes = "Strategies parameters ", "Strategies scopes environment scope "
	const users = parameters + "userIds must be a string of comma separated values each 256 characters or less"
	long := strings.Repeat("a", 257)
	for strategy, want := range map[string]string{
		`{"name":"x"}`: "Strategies name is invalid",
		`{"name":"default","parameters":{"a":"b"}}`:                     parameters + "are invalid",
		`{"name":"gitlabUserList"}`:                                     "Strategies user list can't be blank",
		`{"name":"gitlabUserList","user_list_id":99999}`:                "Strategies user list must exist",
		`{"name":"userWithId","parameters":{}}`:                         users,
		`{"name":"userWithId","parameters":{"userIds":"a, b"}}`:         users,
		`{"name":"userWithId","parameters":{"userIds":"` + long + `"}}`: users,
		`{"name":"gradualRolloutUserId","parameters":{"groupId":"a","percentage":"101"}}`: parameters +
			"percentage must be a string between 0 and 100 inclusive",
		`{"name":"gradualRolloutUserId","parameters":{"groupId":"a","percentage":40}}`: parameters +
			"percentage must be a string between 0 and 100 inclusive",
		`{"name":"gradualRolloutUserId","parameters":{"groupId":"a b","percentage":"1"}}`: parameters + "groupId parameter is invalid",
		`{"name":"flexibleRollout","parameters":{"groupId":"a","rollout":"-1","stickiness":"random"}}`: parameters +
			"rollout must be a string between 0 and 100 inclusive",
		`{"name":"flexibleRollout","parameters":{"groupId":"a","rollout":"1","stickiness":"x"}}`: parameters +
			"stickiness parameter must be default, userId, sessionId, or random",
		`{"name":"default","scopes":[{"environment_scope":"a"},{"environment_scope":"a"}]}`: scopes + "has already been taken",
		`{"name":"default","scopes":[{` +
			`"environment_scope":"` + long + `"}]}`: scopes + "is too long (maximum is 255 characters)",
		`{"name":"default","scopes":[{"environment_scope":"a!"}]}`: scopes + "can contain only letters, digits, " +
			"'-', '_', '/', '$', '{', '}', '.', '*' and spaces",
	} {
		expect(t, developer.JSON("POST", path, `{"name":"door","strategies":[`+strategy+`]}`), 400, `{"message":["`+want+`"]}`)
	}
	expect(t, developer.Send("GET", path, ""), 200, "[]")
	made := read[featureFlag](t, developer.JSON("POST", path, `{"name":"door","strategies":[{"name":"default"}]}`), 201)
	expect(t, developer.JSON("PUT", path+"/door", `{"strategies":[{"parameters":{}}]}`), 400, `{"message":["Strategies name is invalid"]}`)
	expect(t, developer.JSON("PUT", path+"/door", fmt.Sprintf(`{"strategies":[{"id":%d,"scopes":[{}]}]}`, made.Strategies[0].ID)), 400,
		`{"message":["Strategies scopes environment scope can't be blank"]}`)
	var more []string
	for range 50 {
		more = append(more, `{"name":"default"}`)
	}
	expect(t, developer.JSON("PUT", path+"/door", `{"strategies":[`+strings.Join(more, ",")+`]}`), 400,
		`{"message":["Strategies are too many (maximum is 50)"]}`)
	if got := read[featureFlag](t, developer.Send("GET", path+"/door", ""), 200); got.text() != made.text() {
		t.Error(got.text())
	}
}

func TestUserListsOfFeatureFlags(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, project, callers := flagProject(h)
	developer, path := callers["developer"], project+"/feature_flags_user_lists"
	made := developer.JSON("POST", path, `{"name":"Beta testers","user_xids":" 17, 23,17"}`)
	expect(t, made, 201, "")
	h.Golden("createProjectFeatureFlagsUserList/usual", made.Body)
	id := read[struct{ ID int64 }](t, made, 201).ID
	second := developer.Form("POST", path, "name=Staff&user_xids=a@example.com")
	expect(t, second, 201, "")
	expect(t, developer.Send("GET", path, ""), 200, "["+made.Body+","+second.Body+"]")
	expect(t, developer.Send("GET", path+"?per_page=1&page=2", ""), 200, "["+second.Body+"]")
	expect(t, developer.Send("GET", path+"?search=TEST", ""), 200, "["+made.Body+"]")
	expect(t, developer.Send("GET", path+"/1", ""), 200, made.Body)
	expect(t, developer.Send("GET", path+"/3", ""), 404, `{"message":"404 Not found"}`)
	changed := developer.JSON("PUT", path+"/1", `{"user_xids":"17,42"}`)
	if changed.Status != 200 || !strings.Contains(changed.Body, `"name":"Beta testers","user_xids":"17,42"`) {
		t.Error(changed.Body)
	}
	for body, want := range map[string]string{
		`{"name":"x"}`:                     `{"error":"user_xids is missing"}`,
		`{"name":"Staff","user_xids":"1"}`: `{"message":["Name has already been taken"]}`,
		`{"name":"x","user_xids":","}`:     `{"message":["User xids can't be blank"]}`,

		`{"name":"` + strings.Repeat("a", 256) + `","user_xids":"1"}`: `{"message":["Name is too long (maximum is 255 characters)"]}`,
		`{"name":"x","user_xids":"` + strings.Repeat("a", 257) + `,b"}`: `{"message":["User xids must be a string of comma ` +
			`separated values each 256 characters or less"]}`,
	} {
		expect(t, developer.JSON("POST", path, body), 400, want)
	}
	expect(t, developer.JSON("PUT", path+"/1", `{"name":"Staff"}`), 400, `{"message":["Name has already been taken"]}`)
	body := fmt.Sprintf(`{"name":"door","strategies":[{"name":"gitlabUserList","user_list_id":%d}]}`, id)
	used := developer.JSON("POST", project+"/feature_flags", body)
	if list := read[featureFlag](t, used, 201).Strategies[0].UserList; list == nil || list.ID != id || list.UserXids != "17,42" {
		t.Error(used.Body)
	}
	expect(t, developer.Send("DELETE", path+"/1", ""), 409, `{"message":["User list is associated with a strategy"]}`)
	other := h.Project(h.Group().ID)
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/projects/%d/feature_flags", other.ID),
		fmt.Sprintf(`{"name":"door","strategies":[{"name":"gitlabUserList","user_list_id":%d}]}`, id)), 400,
		`{"message":["Strategies user list must exist"]}`)
	expect(t, h.Root().Send("GET", fmt.Sprintf("/projects/%d/feature_flags_user_lists/1", other.ID), ""), 404, "")
	const roles = "401 403 403 403 403 "
	callers.statuses(t, "list", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") })
	callers.statuses(t, "change", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.JSON("PUT", path+"/2", `{}`) })
	expect(t, developer.Send("DELETE", project+"/feature_flags/door", ""), 200, "")
	expect(t, developer.Send("DELETE", path+"/1", ""), 204, "")
	expect(t, developer.Send("DELETE", path+"/1", ""), 404, "")
	third := read[struct{ IID int64 }](t, developer.JSON("POST", path, `{"name":"Beta testers","user_xids":"1"}`), 201)
	if third.IID != 3 {
		t.Errorf("the number %d was used again", third.IID)
	}
}

func TestAProjectHasALimitedNumberOfFeatureFlags(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p, project, callers := flagProject(h)
	ctx := store.Background(t.Context())
	for i := range 199 {
		flag := model.FeatureFlag{ProjectID: p.ID, Name: fmt.Sprintf("flag_%d", i), Active: true}
		list := model.FeatureFlagUserList{ProjectID: p.ID, Name: fmt.Sprint(i), UserXIDs: "1"}
		err := errors.Join(h.Store.FeatureFlags.Create(ctx, &flag, 200), h.Store.FeatureFlagUserLists.Create(ctx, &list, 200))
		if err != nil {
			t.Fatal(err)
		}
	}
	developer := callers["developer"]
	expect(t, developer.JSON("POST", project+"/feature_flags", `{"name":"last"}`), 201, "")
	expect(t, developer.JSON("POST", project+"/feature_flags", `{"name":"more"}`), 400,
		`{"message":["Maximum number of feature flags (200) exceeded"]}`)
	expect(t, developer.JSON("POST", project+"/feature_flags_user_lists", `{"name":"last","user_xids":"1"}`), 201, "")
	expect(t, developer.JSON("POST", project+"/feature_flags_user_lists", `{"name":"more","user_xids":"1"}`), 400,
		`{"message":["Maximum number of user lists (200) exceeded"]}`)
}

func TestHooksHearThatAFeatureFlagIsSwitched(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"feature_flag_events":true`)
	path := fmt.Sprintf("/projects/%d/feature_flags", w.project.ID)
	expect(t, w.root.JSON("POST", path, `{"name":"door","description":"d"}`), 201, "")
	expect(t, w.root.JSON("PUT", path+"/door", `{"description":"e","active":true}`), 200, "")
	expect(t, w.root.JSON("PUT", path+"/door", `{"active":false}`), 200, "")
	expect(t, w.root.JSON("PUT", path+"/door", `{"active":true}`), 200, "")
	got := w.to.Wait(2)
	for i, active := range []bool{false, true} {
		body := got[i].Read(t)
		attributes, _ := body["object_attributes"].(map[string]any)
		if got[i].Header.Get("X-Gitlab-Event") != "Feature Flag Hook" || body["object_kind"] != "feature_flag" ||
			attributes["name"] != "door" || attributes["description"] != "e" || attributes["active"] != active {
			t.Errorf("%d: %v", i, body)
		}
	}
}
