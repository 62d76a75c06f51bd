package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestPushRulesAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer := h.ProjectMember(p, model.Maintainer)
	const path = "/projects/acme%2Fweb/push_rule"
	expect(t, maintainer.Send("GET", path, ""), 200, `null`)
	expect(t, maintainer.JSON("PUT", path, `{"member_check":true}`), 404, `{"message":"404 Not Found"}`)
	expect(t, maintainer.Send("DELETE", path, ""), 404, `{"message":"404 Not Found"}`)
	made := maintainer.JSON("POST", path, `{}`)
	expect(t, made, 201, "")
	h.Golden("createProjectPushRule/usual", made.Body)
	expect(t, maintainer.JSON("POST", path, `{"member_check":true}`), 422, `{"message":"Project push rule exists"}`)
	full := maintainer.Form("PUT", path, "commit_message_regex=a&commit_message_negative_regex=b&branch_name_regex=c&"+
		"author_email_regex=d&file_name_regex=e&max_file_size=5&deny_delete_tag=true&member_check=1&prevent_secrets=yes&"+
		"commit_committer_check=true&commit_committer_name_check=true&reject_unsigned_commits=false&reject_non_dco_commits=true")
	expect(t, full, 200, "")
	h.Golden("updateProjectPushRule/full", full.Body)
	expect(t, maintainer.Send("GET", path, ""), 200, full.Body)
	off := maintainer.JSON("PUT", path, `{"commit_message_regex":"","max_file_size":0}`)
	expect(t, off, 200, "")
	if !strings.Contains(off.Body, `"commit_message_regex":""`) || !strings.Contains(off.Body, `"commit_message_negative_regex":"b"`) {
		t.Error(off.Body)
	}
	for body, want := range map[string]string{
		`{"commit_message_regex":"("}`:                                         "commit_message_regex",
		`{"branch_name_regex":"a{2000}"}`:                                      "branch_name_regex",
		`{"file_name_regex":"(?!x)"}`:                                          "file_name_regex",
		`{"author_email_regex":"[z-a]"}`:                                       "author_email_regex",
		`{"max_file_size":-1}`:                                                 "max_file_size",
		`{"max_file_size":99999999999999}`:                                     "max_file_size",
		`{"commit_message_negative_regex":"` + strings.Repeat("a", 512) + `"}`: "is too long (maximum is 511 characters)",
		`{"file_name_regex":"` + strings.Repeat("a{1000}", 70) + `"}`:          "too complex",
	} {
		if got := maintainer.JSON("PUT", path, body); got.Status != 400 || !strings.Contains(got.Body, want) {
			t.Errorf("%.60s: %d %s", body, got.Status, got.Body)
		}
	}
	expect(t, maintainer.JSON("PUT", path, `{"file_name_regex":"`+strings.Repeat("é", 511)+`"}`), 200, "")
	expect(t, maintainer.Send("DELETE", path, ""), 204, "")
	expect(t, maintainer.Send("GET", path, ""), 200, `null`)
}

// Only maintainers see and change the push rule of a project, and only owners that of a group.
func TestPushRulesByRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public })
	p := h.Project(group.ID, called("web", model.Public))
	const path = "/projects/acme%2Fweb/push_rule"
	callers := newCallersByRole(h, p)
	expect(t, h.Root().JSON("POST", path, `{"branch_name_regex":"^x"}`), 201, "")
	get := func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") }
	put := func(c *harness.Caller) harness.Answer { return c.JSON("PUT", path, `{}`) }
	callers.statuses(t, "read", "401 403 403 403 403 403 200 200 200", get)
	callers.statuses(t, "change", "401 403 403 403 403 403 200 200 200", put)
	for role, status := range map[model.Access]int{
		model.Guest: 403, model.Developer: 403, model.Maintainer: 403, model.Owner: 201,
	} {
		c := h.Member(group, role)
		expect(t, c.JSON("POST", "/groups/acme/push_rule", `{}`), status, "")
	}
	expect(t, h.NewUser().Send("GET", "/groups/acme/push_rule", ""), 403, "")
	expect(t, h.Anonymous().Send("GET", "/groups/acme/push_rule", ""), 401, "")
	private := h.Group(at("hidden"))
	expect(t, h.NewUser().Send("GET", "/groups/hidden/push_rule", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, h.Member(private, model.Owner).Send("GET", "/groups/hidden/push_rule", ""), 404, `{"message":"404 Not Found"}`)
}

// The rule of a group is copied into projects that are created in it afterwards. Their first commit, which the service
// makes, is not checked.
func TestANewProjectGetsThePushRuleOfItsNearestGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("acme"))
	sub := h.Group(func(n *model.Namespace) { n.ParentID, n.Path, n.FullPath = &top.ID, "sub", "acme/sub" })
	owner := h.Member(top, model.Owner)
	before := h.Project(top.ID)
	made := owner.JSON("POST", "/groups/acme/push_rule", `{"commit_message_regex":"^T-","reject_non_dco_commits":false}`)
	expect(t, made, 201, "")
	h.Golden("createGroupPushRule/some", made.Body)
	expect(t, owner.JSON("POST", "/groups/acme/push_rule", `{}`), 422, `{"message":"Group push rule exists"}`)
	expect(t, owner.Send("GET", "/groups/acme/push_rule", ""), 200, made.Body)
	project := func(in int64, name string) string {
		t.Helper()
		got := read[struct {
			ID int64 `json:"id"`
		}](t, owner.JSON("POST", "/projects", fmt.Sprintf(`{"name":%q,"namespace_id":%d,"initialize_with_readme":true}`, name, in)), 201)
		return fmt.Sprintf("/projects/%d", got.ID)
	}
	first := project(sub.ID, "first")
	if got := owner.Send("GET", first+"/push_rule", ""); !strings.Contains(got.Body, `"commit_message_regex":"^T-"`) {
		t.Error(got.Body)
	}
	expect(t, owner.Send("GET", fmt.Sprintf("/projects/%d/push_rule", before.ID), ""), 200, "null")
	expect(t, owner.JSON("POST", "/groups/acme%2Fsub/push_rule", `{"commit_message_regex":"^S-"}`), 201, "")
	expect(t, owner.JSON("PUT", "/groups/acme%2Fsub/push_rule", `{"commit_message_regex":"^U-"}`), 200, "")
	if got := owner.Send("GET", project(sub.ID, "second")+"/push_rule", ""); !strings.Contains(got.Body, `"commit_message_regex":"^U-"`) {
		t.Error(got.Body)
	}
	expect(t, owner.Send("DELETE", "/groups/acme%2Fsub/push_rule", ""), 204, "")
	if got := owner.Send("GET", project(sub.ID, "third")+"/push_rule", ""); !strings.Contains(got.Body, `"commit_message_regex":"^T-"`) {
		t.Error(got.Body)
	}
	expect(t, owner.JSON("POST", first+"/repository/files/a",
		`{"branch":"main","content":"x","commit_message":"no"}`), 400, "")
}

// The API is bound like a push, whatever the role of the caller is: commits, branches and the commit of a merge.
func TestPushRulesBindTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	mr := w.openMergeRequest("topic", "Topic")
	callers := newCallersByRole(h, w.project)
	expect(t, w.maintainer.JSON("POST", w.path+"/push_rule", `{"commit_message_regex":"^T-[0-9]+","file_name_regex":"exe$",
		"branch_name_regex":"^x/","reject_unsigned_commits":true,"member_check":true,"commit_committer_check":true}`), 201, "")
	n := 0
	write := func(message, file, branch string) func(*harness.Caller) harness.Answer {
		return func(c *harness.Caller) harness.Answer {
			n++
			return c.JSON("POST", fmt.Sprintf("%s/repository/files/%s%d%s", w.path, "f", n, file),
				fmt.Sprintf(`{"branch":%q,"start_branch":"main","content":"x","commit_message":%q}`, branch, message))
		}
	}
	const push = "401 404 404 403 403 "
	callers.statuses(t, "bad message", push+"400 400 400 400", write("none", "", "x/a"))
	callers.statuses(t, "bad file", push+"400 400 400 400", write("T-1", ".exe", "x/b"))
	callers.statuses(t, "bad branch", push+"400 400 400 400", write("T-1", "", "other"))
	n = 0
	got := write("none", "", "x/a")(w.maintainer)
	if !strings.Contains(got.Body, `"message":"Push rule commit_message_regex: commit `) {
		t.Error(got.Body)
	}
	branch := 0
	callers.statuses(t, "good", push+"201 201 201 201", func(c *harness.Caller) harness.Answer {
		branch++
		return write("T-1 fine", "", fmt.Sprint("x/", branch))(c)
	})
	expect(t, w.maintainer.JSON("POST", w.path+"/repository/branches", `{"branch":"mine","ref":"main"}`), 400, "")
	expect(t, w.maintainer.JSON("POST", w.path+"/repository/branches", `{"branch":"x/mine","ref":"main"}`), 201, "")
	// The message of the merge is checked, too.
	merge := w.at(mr.IID, "/merge")
	refused := w.maintainer.JSON("PUT", merge, `{}`)
	if refused.Status != 422 && refused.Status != 406 && refused.Status != 405 || !strings.Contains(refused.Body, "commit_message_regex") {
		t.Error(refused.Status, refused.Body)
	}
	expect(t, w.maintainer.JSON("PUT", merge, `{"merge_commit_message":"T-2 merge"}`), 200, "")
}
