package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// The rules of a merge request are changed by maintainers and by its author, unless the project forbids it. They replace
// those of the project.
func TestAMergeRequestCanHaveRulesOfItsOwn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	mr := w.openMergeRequest("topic", "Topic")
	callers := newCallersByRole(h, w.project)
	project := read[approvalRule](t, w.maintainer.JSON("POST", w.path+"/approval_rules", `{"name":"Two","approvals_required":2}`), 201)
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"approvals_before_merge":1}`), 201, "")
	rules := w.at(mr.IID, "/approval_rules")
	if got := read[[]approvalRule](t, w.reporter.Send("GET", rules, ""), 200); len(got) != 2 || got[0].ID != project.ID {
		t.Errorf("%+v", got)
	}
	one := func(id int64) string { return fmt.Sprintf("%s/%d", rules, id) }
	callers.statuses(t, "change", "401 404 404 403 403 403 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.JSON("PUT", one(project.ID), `{"approvals_required":1}`)
	})
	// The author removes the rule by the ID that the list had before, as Renovate does, and switches the other one off.
	expect(t, w.developer.Send("DELETE", one(project.ID), ""), 204, "")
	expect(t, w.developer.Send("DELETE", one(project.ID), ""), 404, `{"message":"404 Not found"}`)
	left := read[[]approvalRule](t, w.developer.Send("GET", rules, ""), 200)
	if len(left) != 1 || left[0].Type != "any_approver" {
		t.Fatalf("%+v", left)
	}
	expect(t, w.developer.JSON("PUT", one(left[0].ID),
		`{"id":1,"name":"All Members","rule_type":"any_approver","approvals_required":0,`+
			`"eligible_approvers":[],"overridden":true}`), 200, "")
	if got := w.get(mr.IID).Detailed; got != "mergeable" {
		t.Error(got)
	}
	state := w.developer.Send("GET", w.at(mr.IID, "/approval_state"), "")
	if !strings.Contains(state.Body, `"approval_rules_overwritten":true`) {
		t.Error(state.Body)
	}
	expect(t, w.developer.JSON("POST", rules, fmt.Sprintf(
		`{"approval_project_rule_id":%d,"approvals_required":3}`, project.ID)), 201, "")
	expect(t, w.developer.JSON("POST", rules, `{"approvals_required":3}`), 400, `{"message":{"name":["can't be blank"]}}`)
	expect(t, w.developer.JSON("POST", rules, `{"name":"Mine","approvals_required":1}`), 201, "")
	expect(t, w.developer.JSON("POST", rules, `{"name":"Mine","approvals_required":1}`), 400,
		`{"message":{"name":["has already been taken"]}}`)
	expect(t, w.reporter.Send("GET", one(project.ID), ""), 200, "")
	if got := read[approvalRule](t, w.maintainer.Send("GET", fmt.Sprintf("%s/approval_rules/%d", w.path, project.ID), ""),
		200); got.Required != 2 {
		t.Errorf("the rule of the project has changed: %+v", got)
	}
	// If the project forbids it, its rules bind again.
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"disable_overriding_approvers_per_merge_request":true}`), 201, "")
	callers.statuses(t, "forbidden", "401 404 404 403 403 403 403 403 403", func(c *harness.Caller) harness.Answer {
		return c.JSON("PUT", one(project.ID), `{"approvals_required":0}`)
	})
	if got := read[[]approvalRule](t, w.reporter.Send("GET", rules, ""), 200); len(got) != 2 || got[0].ID != project.ID {
		t.Errorf("%+v", got)
	}
}

// A push that changes what a merge request brings removes its approvals, unless the project keeps them. A rebase keeps them.
func TestAPushRemovesApprovals(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	mr := w.openMergeRequest("topic", "Topic")
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"approvals_before_merge":1}`), 201, "")
	approved := func() bool {
		return strings.Contains(w.maintainer.Send("GET", w.at(mr.IID, "/approvals"), "").Body, `"approved":true`)
	}
	expect(t, w.maintainer.JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	w.commit("main", "Elsewhere", map[string]string{"other": "x"})
	expect(t, w.maintainer.Send("PUT", w.at(mr.IID, "/rebase"), ""), 202, "")
	waitForQueue(t, h)
	if w.get(mr.IID).SHA == mr.SHA || !approved() {
		t.Error("the rebase has removed the approval, or has done nothing")
	}
	w.commit("topic", "More", map[string]string{"topic": "y"})
	if status := w.get(mr.IID).Detailed; status == "mergeable" {
		t.Error("it can be merged right after the push")
	}
	waitForQueue(t, h)
	if approved() || w.get(mr.IID).Detailed != "not_approved" {
		t.Error("the approval has stayed")
	}
	if !strings.Contains(w.notes(mr.ID), "reset the approvals because commits were pushed") {
		t.Error(w.notes(mr.ID))
	}
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"reset_approvals_on_push":false}`), 201, "")
	expect(t, w.maintainer.JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	w.commit("topic", "Even more", map[string]string{"topic": "z"})
	waitForQueue(t, h)
	if !approved() {
		t.Error("the approval has not stayed")
	}
}

// The settings say whether the author and the users who wrote commits can approve.
func TestAuthorsAndCommittersApproveAsTheProjectAllows(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"}) // by the maintainer
	mr := w.openMergeRequest("topic", "Topic")
	approve := func(c *harness.Caller, want int) {
		t.Helper()
		expect(t, c.JSON("POST", w.at(mr.IID, "/approve"), `{}`), want, "")
		if want == 201 {
			expect(t, c.JSON("POST", w.at(mr.IID, "/unapprove"), ``), 201, "")
		}
	}
	approve(w.developer, 201) // the project uses no rules, so an approval is a remark
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"merge_requests_author_approval":false}`), 201, "")
	approve(w.developer, 401)
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"merge_requests_author_approval":true}`), 201, "")
	approve(w.developer, 201)
	approve(w.maintainer, 201)
	if err := h.Store.MergeRequests.SetCommitters(t.Context(), mr.ID, []int64{w.maintainer.User.ID}); err != nil {
		t.Fatal(err)
	}
	expect(t, w.maintainer.JSON("POST", w.path+"/approvals", `{"merge_requests_disable_committers_approval":true}`), 201, "")
	approve(w.maintainer, 401)
	approve(h.ProjectMember(w.project, model.Developer), 201)
}

// Only the bot of a project or group removes all approvals, and only of an open merge request.
func TestBotsResetApprovals(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	mr := w.openMergeRequest("topic", "Topic")
	callers := newCallersByRole(h, w.project)
	reset := func(c *harness.Caller) harness.Answer { return c.Send("PUT", w.at(mr.IID, "/reset_approvals"), "") }
	expect(t, w.maintainer.JSON("POST", w.at(mr.IID, "/approve"), `{}`), 201, "")
	callers.statuses(t, "reset", "401 404 404 403 403 401 401 401 401", reset)
	bot := func(level int) harness.Answer {
		made := read[struct {
			Token string `json:"token"`
		}](t, w.maintainer.JSON("POST", w.path+"/access_tokens",
			fmt.Sprintf(`{"name":"bot","scopes":["api"],"access_level":%d,"expires_at":"2027-01-01"}`, level)), 201)
		return h.Anonymous().Send("PUT", w.at(mr.IID, "/reset_approvals"), "", "PRIVATE-TOKEN", made.Token)
	}
	expect(t, bot(20), 403, "")
	expect(t, bot(30), 202, `{"message":"202 Accepted"}`)
	if got := w.maintainer.Send("GET", w.at(mr.IID, "/approvals"), ""); !strings.Contains(got.Body, `"approved_by":[]`) {
		t.Error(got.Body)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, ""), `{"state_event":"close"}`), 200, "")
	expect(t, bot(30), 401, `{"message":"401 Unauthorized"}`)
}
