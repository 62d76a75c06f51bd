package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const settings = "/application/settings"

// put changes settings as an administrator.
func put(t *testing.T, h *harness.H, body string) harness.Answer {
	t.Helper()
	got := h.Root().JSON("PUT", settings, body)
	if got.Status != 200 {
		t.Fatalf("%s: %d %s", body, got.Status, got.Body)
	}
	return got
}

func TestSettingsAreReadAndChangedByAdministratorsOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	first := root.Send("GET", settings, "")
	if member(t, first, "default_projects_limit") != 100000.0 || member(t, first, "created_at") != nil ||
		member(t, first, "polling_interval_multiplier") != "1.0" || member(t, first, "id") != 1.0 {
		t.Errorf("%d %s", first.Status, first.Body)
	}
	changed := put(t, h, `{"default_projects_limit":42,"home_page_url":"https://www.example.com","unheard_of":1}`)
	again := root.Send("GET", settings, "")
	if changed.Body != again.Body || member(t, again, "default_projects_limit") != 42.0 || member(t, again, "created_at") == nil ||
		strings.Contains(again.Body, "unheard_of") {
		t.Errorf("%s\n%s", changed.Body, again.Body)
	}
	put(t, h, `{"home_page_url":null}`)
	if member(t, root.Send("GET", settings, ""), "home_page_url") != nil {
		t.Error("null does not remove a text")
	}
	if got := root.Form("PUT", settings, "can_create_group=false&domain_allowlist=a.example,b.example"); got.Status != 200 ||
		member(t, got, "can_create_group") != false || len(member(t, got, "domain_allowlist").([]any)) != 2 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	for _, method := range []string{"GET", "PUT"} {
		body := map[string]string{"PUT": `{"signup_enabled":true}`}[method]
		expect(t, h.NewUser().JSON(method, settings, body), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.Anonymous().JSON(method, settings, body), 401, `{"message":"401 Unauthorized"}`)
	}
}

func TestSettingsThatCannotBeSetAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	before := root.Send("GET", settings, "").Body
	for body, want := range map[string]string{
		`{"default_projects_limit":-1}`:                            "must be greater than or equal to 0",
		`{"maintenance_mode":true}`:                                "cannot be changed on this instance: it is always false",
		`{"search_rate_limit":5}`:                                  "is not supported by this instance",
		`{"akismet_api_key":"x"}`:                                  "is a secret of a service that this instance does not use",
		`{"default_project_visibility":"secret"}`:                  "default_project_visibility does not have a valid value",
		`{"restricted_visibility_levels":["private"]}`:             "cannot be a restricted visibility level",
		`{"email_restrictions":"("}`:                               "is not a valid regular expression",
		`{"domain_denylist_enabled":true}`:                         "can't be blank if domain_denylist_enabled is true",
		`{"default_branch_name":"a..b"}`:                           "is not a valid branch name",
		`{"default_artifacts_expire_in":"soon"}`:                   "is not a correct duration",
		`{"after_sign_out_path":"javascript:alert(1)"}`:            "must be a path or a valid URL",
		`{"home_page_url":"ftp://example.com"}`:                    "must be a valid URL",
		`{"rsa_key_restriction":17}`:                               "is not included in the list",
		`{"enabled_git_access_protocol":"ftp"}`:                    "is not included in the list",
		`{"throttle_authenticated_api_period_in_seconds":0}`:       "must be greater than or equal to 1",
		`{"domain_allowlist":["not a domain"]}`:                    "must contain only domains",
		`{"unheard_of":1}`:                                         "at least one parameter must be provided",
		`{"plantuml_url":"` + strings.Repeat("x", 20000) + `"}`:    "is too long",
		`{"default_projects_limit":7,"minimum_password_length":7}`: "must be greater than or equal to 8",
	} {
		if got := root.JSON("PUT", settings, body); got.Status != 400 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	if after := root.Send("GET", settings, "").Body; after != before {
		t.Errorf("a refused change changed something:\n%s\n%s", before, after)
	}
	put(t, h, `{"maintenance_mode":false}`)
}

func TestSettingsOfOtherServicesAreKeptAsTheyWereSent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	put(t, h, `{"plantuml_enabled":true,"plantuml_url":"https://uml.example.com","elasticsearch_shards":{"a":1},"admin_mode":true,
		"bulk_import_enabled":true,"repository_storages_weighted":{"default":100}}`)
	got := h.Root().Send("GET", settings, "")
	if member(t, got, "plantuml_enabled") != true || member(t, got, "plantuml_url") != "https://uml.example.com" ||
		member(t, got, "admin_mode") != true || member(t, got, "bulk_import_enabled") != true ||
		!strings.Contains(got.Body, `"elasticsearch_shards":{"a":1}`) {
		t.Error(got.Body)
	}
}

func TestDefaultsOfTheSettingsApplyToNewProjectsGroupsAndSnippets(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	put(t, h, `{"default_project_visibility":"internal","default_group_visibility":"public","default_snippet_visibility":"internal",
		"default_branch_name":"trunk","default_ci_config_path":"ci/all.yml","shared_runners_enabled":false,"default_project_creation":0,
		"default_branch_protection":1}`)
	u := h.NewUser()
	made := u.JSON("POST", "/projects", `{"name":"one","initialize_with_readme":true}`)
	if member(t, made, "visibility") != "internal" || member(t, made, "default_branch") != "trunk" ||
		member(t, made, "ci_config_path") != "ci/all.yml" || member(t, made, "shared_runners_enabled") != false {
		t.Errorf("%d %s", made.Status, made.Body)
	}
	group := u.JSON("POST", "/groups", `{"name":"Acme","path":"acme"}`)
	if member(t, group, "visibility") != "public" || member(t, group, "project_creation_level") != "noone" ||
		member(t, group, "default_branch_protection") != 1.0 {
		t.Errorf("%d %s", group.Status, group.Body)
	}
	snippet := u.JSON("POST", "/snippets", `{"title":"x","content":"y"}`)
	if member(t, snippet, "visibility") != "internal" {
		t.Errorf("%d %s", snippet.Status, snippet.Body)
	}
	// A default never makes a project more visible than its group.
	private := h.Group(func(n *model.Namespace) { n.Visibility = model.Private })
	owner := h.Member(private, model.Owner)
	inside := owner.JSON("POST", "/projects", fmt.Sprintf(`{"name":"two","namespace_id":%d}`, private.ID))
	below := owner.JSON("POST", "/groups", fmt.Sprintf(`{"name":"Sub","path":"sub","parent_id":%d}`, private.ID))
	if member(t, inside, "visibility") != "private" || member(t, below, "visibility") != "private" {
		t.Errorf("%s\n%s", inside.Body, below.Body)
	}
}

func TestRestrictedVisibilitiesAreForAdministrators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	put(t, h, `{"restricted_visibility_levels":["public","internal"]}`)
	u := h.NewUser()
	own := h.Project(*u.User.NamespaceID)
	group := h.Group(func(n *model.Namespace) { n.Visibility = model.Private })
	h.Join(group, u.User, model.Owner)
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/projects", `{"name":"one","visibility":"public"}`},
		{"PUT", "/projects/" + itoa(own.ID), `{"visibility":"internal"}`},
		{"POST", "/groups", `{"name":"Acme","path":"acme","visibility":"public"}`},
		{"PUT", "/groups/" + itoa(group.ID), `{"visibility":"internal"}`},
		{"POST", "/snippets", `{"title":"x","content":"y","visibility":"public"}`},
	} {
		if got := u.JSON(c.method, c.path, c.body); got.Status != 400 || !strings.Contains(got.Body, "restricted") {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.Status, got.Body)
		}
	}
	if got := h.Root().JSON("POST", "/projects", `{"name":"one","visibility":"public"}`); got.Status != 201 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestSettingsDecideWhatNewUsersMay(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	put(t, h, `{"default_projects_limit":0,"can_create_group":false,"user_default_external":true,"user_defaults_to_private_profile":true,
		"minimum_password_length":12,"password_number_required":true,"password_symbol_required":true,"password_uppercase_required":true}`)
	root := h.Root()
	create := func(password string) harness.Answer {
		return root.JSON("POST", "/users",
			`{"email":"ann@example.com","name":"Ann","username":"ann","skip_confirmation":true,"password":"`+password+`"}`)
	}
	for password, want := range map[string]string{
		"Tr0ub4dor!":         "is too short (minimum is 12 characters)",
		"Troubadour-horse!":  "must contain at least one number",
		"Tr0ub4dourhorse7":   "must contain at least one symbol",
		"tr0ub4dour-horse7!": "must contain at least one uppercase letter",
	} {
		if got := create(password); got.Status != 400 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", password, got.Status, got.Body)
		}
	}
	made := create("Tr0ub4dour-horse7!")
	if member(t, made, "projects_limit") != 0.0 || member(t, made, "can_create_group") != false ||
		member(t, made, "external") != true || member(t, made, "private_profile") != true {
		t.Errorf("%d %s", made.Status, made.Body)
	}
}

func TestSettingsLimitSizesAndKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	p := h.Project(*u.User.NamespaceID)
	upload := func() harness.Answer {
		return u.File("POST", fmt.Sprintf("/projects/%d/uploads", p.ID), nil, "file", "a.txt", "text/plain", strings.Repeat("x", 2<<20))
	}
	if got := upload(); got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	put(t, h, `{"max_attachment_size":1}`)
	if got := upload(); got.Status != 413 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	put(t, h, `{"ed25519_key_restriction":-1}`)
	key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO0CSI1lMMrLUxIVQKVbSOTLoVZKJK2QyQgn7y6aCZqk"
	if got := u.JSON("POST", "/user/keys", `{"title":"k","key":"`+key+`"}`); got.Status != 400 ||
		!strings.Contains(got.Body, "ED25519 keys are not allowed") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	put(t, h, `{"max_personal_access_token_lifetime":7}`)
	if got := h.Root().JSON("POST", fmt.Sprintf("/users/%d/personal_access_tokens", u.User.ID),
		`{"name":"t","scopes":["api"],"expires_at":"2099-01-01"}`); got.Status != 422 || !strings.Contains(got.Body, "must not be after") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestSettingsLimitTheRateOfRequests(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	put(t, h, `{"throttle_authenticated_api_enabled":true,"throttle_authenticated_api_requests_per_period":2,
		"throttle_authenticated_api_period_in_seconds":3600,"rate_limiting_response_text":"Slow down"}`)
	u.Send("GET", "/user", "")
	u.Send("GET", "/user", "")
	if got := u.Send("GET", "/user", ""); got.Status != 429 || strings.TrimSpace(got.Body) != "Slow down" ||
		got.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	other := h.NewUser()
	other.Send("GET", "/user", "")
	if got := other.Send("GET", "/user", ""); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestRegistrationTokensOfRunnersCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	token, _ := member(t, h.Root().JSON("POST", "/runners/reset_registration_token", ""), "token").(string)
	register := func() harness.Answer { return h.Anonymous().JSON("POST", "/runners", `{"token":"`+token+`"}`) }
	if got := register(); got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	put(t, h, `{"allow_runner_registration_token":false}`)
	if got := register(); got.Status != 403 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestEveryChangedSettingIsAnAuditEvent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	put(t, h, `{"default_projects_limit":42,"signup_enabled":false,"can_create_group":true}`)
	got := h.Root().Send("GET", "/audit_events?per_page=100", "")
	var rows []struct{ Details map[string]any }
	if err := json.Unmarshal([]byte(got.Body), &rows); err != nil {
		t.Fatal(err, got.Body)
	}
	found := 0
	for _, row := range rows {
		if row.Details["change"] == "default_projects_limit" && row.Details["to"] == "42" && row.Details["from"] == "100000" {
			found++
		}
		if row.Details["change"] == "can_create_group" {
			t.Error("a value that stayed the same is recorded")
		}
	}
	if found != 1 {
		t.Error(got.Body)
	}
}

const planLimits = "/application/plan_limits"

func TestPlanLimitsBind(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	if got := root.Send("GET", planLimits, ""); member(t, got, "ci_instance_level_variables") != 25.0 ||
		member(t, got, "ci_active_jobs") != 0.0 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	changed := root.JSON("PUT", planLimits, `{"plan_name":"default","ci_instance_level_variables":1,"ci_pipeline_schedules":1}`)
	if changed.Status != 200 || member(t, changed, "ci_instance_level_variables") != 1.0 {
		t.Fatalf("%d %s", changed.Status, changed.Body)
	}
	for i, want := range []int{201, 400} {
		if got := root.JSON("POST", variables, fmt.Sprintf(`{"key":"K%d","value":"v"}`, i)); got.Status != want {
			t.Errorf("variable %d: %d %s", i, got.Status, got.Body)
		}
	}
	for body, want := range map[string]int{
		`{"plan_name":"gold","dotenv_size":1}`:              404,
		`{"dotenv_size":1}`:                                 400,
		`{"plan_name":"default","dotenv_size":-1}`:          400,
		`{"plan_name":"default","helm_max_file_size":1}`:    400,
		`{"plan_name":"default","ci_pipeline_size":5}`:      400,
		`{"plan_name":"default","ci_pipeline_size":2000}`:   200,
		`{"plan_name":"default","dotenv_size":"many"}`:      400,
		`{"plan_name":"default","npm_max_file_size":10000}`: 200,
	} {
		if got := root.JSON("PUT", planLimits, body); got.Status != want {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	expect(t, root.Send("GET", planLimits+"?plan_name=gold", ""), 404, `{"message":"404 Plan Not Found"}`)
	expect(t, h.NewUser().Send("GET", planLimits, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", planLimits, ""), 401, `{"message":"401 Unauthorized"}`)
	p := h.Project(*h.NewUser().User.NamespaceID)
	file := fmt.Sprintf("/projects/%d/packages/generic/web/1.0/a.bin", p.ID)
	root.JSON("PUT", planLimits, `{"plan_name":"default","generic_packages_max_file_size":3}`)
	if got := root.Send("PUT", file, "four", "Content-Type", "application/octet-stream"); got.Status != 413 && got.Status != 400 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

const appearance = "/application/appearance"

func TestTheAppearanceIsShownOnPages(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, dot := h.Root(), bytesOf(t, blackDot)
	if got := root.Send("GET", appearance, ""); member(t, got, "title") != "" || member(t, got, "message_background_color") != "#e75e40" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := root.JSON("PUT", appearance, `{"title":"Acme Code","description":"**Welcome**","header_message":"Test system",
		"footer_message":"Ask Ann","message_background_color":"#123456"}`); got.Status != 200 || member(t, got, "title") != "Acme Code" {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	shown := h.Browser().Get("/users/sign_in").Body
	for _, want := range []string{"Acme Code", "<strong>Welcome</strong>", "Test system", "Ask Ann", "/-/appearance.css?v="} {
		if !strings.Contains(shown, want) {
			t.Errorf("the sign-in page does not have %q:\n%s", want, shown)
		}
	}
	if style := h.Browser().Get("/-/appearance.css").Body; !strings.Contains(style, "background:#123456") {
		t.Error(style)
	}
	logo := root.File("PUT", appearance, nil, "logo", "logo.png", "image/png", dot)
	path, _ := member(t, logo, "logo").(string)
	if logo.Status != 200 || !strings.HasPrefix(path, "/uploads/-/system/appearance/logo/1/") {
		t.Fatalf("%d %s", logo.Status, logo.Body)
	}
	if got := h.Anonymous().Send("GET", path, ""); got.Status != 200 || got.Body != dot {
		t.Errorf("%d", got.Status)
	}
	if !strings.Contains(h.Browser().Get("/users/sign_in").Body, path) {
		t.Error("the sign-in page does not show the logo")
	}
	if got := root.JSON("PUT", appearance, `{"logo":""}`); member(t, got, "logo") != "" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := h.Anonymous().Send("GET", path, ""); got.Status != 404 {
		t.Errorf("%d", got.Status)
	}
	for body, want := range map[string]string{
		`{"message_font_color":"red"}`:                           "must be a valid color code",
		`{"pwa_name":"x"}`:                                       "is not supported by this instance",
		`{"email_header_and_footer_enabled":true}`:               "is not supported by this instance",
		`{"title":"` + strings.Repeat("x", 256) + `"}`:           "is too long",
		`{"logo":"` + url.QueryEscape("bm90IGFuIGltYWdl") + `"}`: "file format is not supported",
	} {
		if got := root.JSON("PUT", appearance, body); got.Status != 400 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	expect(t, h.NewUser().Send("GET", appearance, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().JSON("PUT", appearance, `{"title":"x"}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", appearance, ""), 401, `{"message":"401 Unauthorized"}`)
}
