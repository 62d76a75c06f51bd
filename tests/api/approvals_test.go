package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// approvalRule is what the tests read of an approval rule.
type approvalRule struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Type     string `json:"rule_type"`
	Required int64  `json:"approvals_required"`
	Approved bool   `json:"approved"`
	Eligible []struct {
		Username string `json:"username"`
	} `json:"eligible_approvers"`
	ApprovedBy []struct {
		Username string `json:"username"`
	} `json:"approved_by"`
}

func TestApprovalRulesOfAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public })
	p := h.Project(group.ID, called("web", model.Public))
	callers := newCallersByRole(h, p)
	maintainer, member := callers["maintainer"], h.Member(group, model.Developer)
	const path = "/projects/acme%2Fweb/approval_rules"
	body := fmt.Sprintf(`{"name":"Security","approvals_required":1,"user_ids":[%d],"usernames":[%q],"group_ids":[%d]}`,
		callers["developer"].User.ID, callers["owner"].User.Username, group.ID)
	made := read[approvalRule](t, maintainer.JSON("POST", path, body), 201)
	if made.Type != "regular" || made.Required != 1 || len(made.Eligible) != 3 {
		t.Errorf("%+v", made)
	}
	one := fmt.Sprintf("%s/%d", path, made.ID)
	first := maintainer.Send("GET", one, "")
	if !strings.Contains(first.Body, member.User.Username) || !strings.Contains(first.Body, `"full_path":"acme"`) {
		t.Error(first.Body)
	}
	anyone := maintainer.JSON("POST", path,
		`{"name":"All","rule_type":"any_approver","approvals_required":2,"user_ids":null,"group_ids":null}`)
	expect(t, anyone, 201, "")
	expect(t, maintainer.Send("GET", path, ""), 200, "["+first.Body+","+anyone.Body+"]")
	expect(t, maintainer.Send("GET", path+"?per_page=1&page=2", ""), 200, "["+anyone.Body+"]")
	const missing = `["has an unknown element"]`
	for body, want := range map[string]string{
		`{"name":"x"}`:                               `{"error":"approvals_required is missing"}`,
		`{"name":" ","approvals_required":1}`:        `{"message":{"name":["can't be blank"]}}`,
		`{"name":"x","approvals_required":101}`:      `{"message":{"approvals_required":["must be between 0 and 100"]}}`,
		`{"name":"x","approvals_required":-1}`:       `{"message":{"approvals_required":["must be between 0 and 100"]}}`,
		`{"name":"Security","approvals_required":1}`: `{"message":{"name":["has already been taken"]}}`,
	} {
		expect(t, maintainer.JSON("POST", path, body), 400, want)
	}
	for member, want := range map[string]string{
		`"rule_type":"any_approver"`:     `{"message":{"rule_type":["any-approver for the project already exists"]}}`,
		`"rule_type":"report_approver"`:  `{"error":"rule_type does not have a valid value"}`,
		`"user_ids":[99999]`:             `{"message":{"user_ids":` + missing + `}}`,
		`"group_ids":[99999]`:            `{"message":{"group_ids":` + missing + `}}`,
		`"usernames":["nobody"]`:         `{"message":{"usernames":` + missing + `}}`,
		`"protected_branch_ids":[99999]`: `{"message":{"protected_branch_ids":` + missing + `}}`,
	} {
		body := `{"name":"x","approvals_required":1,` + member + `}`
		expect(t, maintainer.JSON("POST", path, body), 400, want)
	}
	changed := read[approvalRule](t, maintainer.JSON("PUT", one, `{"approvals_required":2,"user_ids":[],"group_ids":[]}`), 200)
	if changed.Required != 2 || changed.Name != "Security" || len(changed.Eligible) != 0 {
		t.Errorf("%+v", changed)
	}
	callers.statuses(t, "list", "401 200 200 200 200 200 200 200 200",
		func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") })
	const roles = "401 403 403 403 403 403 200 200 200"
	callers.statuses(t, "change", roles, func(c *harness.Caller) harness.Answer { return c.JSON("PUT", one, `{}`) })
	hidden := h.Group(at("hidden"))
	expect(t, h.Root().JSON("PUT", one, fmt.Sprintf(`{"group_ids":[%d]}`, hidden.ID)), 200, "")
	seen := maintainer.JSON("PUT", one, `{"group_ids":[]}`)
	if !strings.Contains(seen.Body, `"contains_hidden_groups":true`) || strings.Contains(seen.Body, "hidden\"") {
		t.Error(seen.Body)
	}
	seen = maintainer.JSON("PUT", one, `{"remove_hidden_groups":true}`)
	if !strings.Contains(seen.Body, `"contains_hidden_groups":false`) {
		t.Error(seen.Body)
	}
	expect(t, callers["developer"].Send("DELETE", one, ""), 403, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
}

func TestApprovalSettingsOfAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public })
	p := h.Project(group.ID, called("web", model.Public))
	callers := newCallersByRole(h, p)
	const path = "/projects/acme%2Fweb/approvals"
	callers.statuses(t, "read", "401 403 403 200 200 200 200 200 200",
		func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") })
	h.Golden("getProjectApprovals/default", callers["guest"].Send("GET", path, "").Body)
	changed := callers["maintainer"].JSON("POST", path, `{"approvals_before_merge":2,"reset_approvals_on_push":false,
		"merge_requests_author_approval":true,"merge_requests_disable_committers_approval":true,
		"disable_overriding_approvers_per_merge_request":true,"require_password_to_approve":false}`)
	expect(t, changed, 201, "")
	h.Golden("updateProjectApprovals/all", changed.Body)
	expect(t, callers["guest"].Send("GET", path, ""), 200, changed.Body)
	rules := read[[]approvalRule](t, callers["guest"].Send("GET", "/projects/acme%2Fweb/approval_rules", ""), 200)
	if len(rules) != 1 || rules[0].Type != "any_approver" || rules[0].Required != 2 {
		t.Errorf("%+v", rules)
	}
	for _, name := range []string{"selective_code_owner_removals", "require_password_to_approve", "require_reauthentication_to_approve"} {
		expect(t, callers["maintainer"].JSON("POST", path, `{"`+name+`":true}`), 400,
			`{"message":{"`+name+`":["is not offered by this instance"]}}`)
	}
	expect(t, callers["maintainer"].JSON("POST", path, `{"approvals_before_merge":101}`), 400, "")
	callers.statuses(t, "change", "401 403 403 403 403 403 201 201 201",
		func(c *harness.Caller) harness.Answer { return c.JSON("POST", path, `{}`) })
}

// A merge request that lacks an approval is merged by nobody, whatever their role is. With the approval, it can be merged.
func TestMissingApprovalsHoldBackAMerge(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	mr := w.openMergeRequest("topic", "Topic")
	callers := newCallersByRole(h, w.project)
	approver := h.ProjectMember(w.project, model.Developer)
	expect(t, w.maintainer.JSON("POST", w.path+"/approval_rules",
		fmt.Sprintf(`{"name":"Security","approvals_required":1,"user_ids":[%d]}`, approver.User.ID)), 201, "")
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"approvals_before_merge":2}`), 201, "")
	status := func(want string) {
		t.Helper()
		if got := w.get(mr.IID).Detailed; got != want {
			t.Errorf("status %s, want %s", got, want)
		}
		if list := w.maintainer.Send("GET", w.mrs, ""); !strings.Contains(list.Body, `"detailed_merge_status":"`+want+`"`) {
			t.Error(list.Body)
		}
	}
	merge := func(c *harness.Caller) harness.Answer { return c.JSON("PUT", w.at(mr.IID, "/merge"), `{}`) }
	status("not_approved")
	callers.statuses(t, "merge", "401 404 404 403 401 401 405 405 405", merge)
	expect(t, w.developer.JSON("POST", w.at(mr.IID, "/approve"), `{}`), 401, "") // the author
	expect(t, callers["developer"].JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	expect(t, callers["maintainer"].JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	status("not_approved") // the approver of the rule is missing
	callers.statuses(t, "merge", "401 404 404 403 401 401 405 405 405", merge)
	shown := w.developer.Send("GET", w.at(mr.IID, "/approvals"), "")
	for _, part := range []string{
		`"approved":false`, `"approvals_required":3`, `"approvals_left":1`, `"name":"Security"`, `"user_can_approve":false`,
		`"username":"` + approver.User.Username,
	} {
		if !strings.Contains(shown.Body, part) {
			t.Errorf("%s is not in %s", part, shown.Body)
		}
	}
	expect(t, approver.JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	state := read[struct {
		Overwritten bool           `json:"approval_rules_overwritten"`
		Rules       []approvalRule `json:"rules"`
	}](t, w.developer.Send("GET", w.at(mr.IID, "/approval_state"), ""), 200)
	if state.Overwritten || len(state.Rules) != 2 || !state.Rules[0].Approved || len(state.Rules[0].ApprovedBy) != 1 ||
		len(state.Rules[1].ApprovedBy) != 3 {
		t.Errorf("%+v", state)
	}
	status("mergeable")
	expect(t, approver.JSON("POST", w.at(mr.IID, "/unapprove"), ``), 201, "")
	status("not_approved")
	expect(t, approver.JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	callers.statuses(t, "merge", "401 404 404 403 401 401 200 405 405", merge)
}

// A rule for a protected branch binds merge requests into that branch only.
func TestARuleOfAProtectedBranchBindsMergesIntoItOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	w.commit("release", "A release", map[string]string{"release": "x"})
	into := func(target string) mergeRequest {
		return read[mergeRequest](t, w.developer.JSON("POST", w.mrs,
			fmt.Sprintf(`{"source_branch":"topic","target_branch":%q,"title":"T"}`, target)), 201)
	}
	toMain, toRelease := into("main"), into("release")
	protected := read[approvalRule](t, w.maintainer.JSON("POST", w.path+"/protected_branches", `{"name":"rel*"}`), 201)
	rule := read[approvalRule](t, w.maintainer.JSON("POST", w.path+"/approval_rules",
		fmt.Sprintf(`{"name":"Release","approvals_required":1,"protected_branch_ids":[%d]}`, protected.ID)), 201)
	status := func(want ...string) {
		t.Helper()
		if a, b := w.get(toMain.IID).Detailed, w.get(toRelease.IID).Detailed; a != want[0] || b != want[1] {
			t.Errorf("%s %s, want %v", a, b, want)
		}
	}
	status("mergeable", "not_approved")
	one := fmt.Sprintf("%s/approval_rules/%d", w.path, rule.ID)
	expect(t, w.maintainer.JSON("PUT", one, `{"applies_to_all_protected_branches":true}`), 200, "")
	status("not_approved", "not_approved") // main is protected, too
	expect(t, w.maintainer.JSON("PUT", one, `{"approvals_required":0}`), 200, "")
	status("mergeable", "mergeable")
}
