package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// pushLevel is an element of push_access_levels.
type pushLevel struct {
	ID          int64
	AccessLevel int64  `json:"access_level"`
	Description string `json:"access_level_description"`
	DeployKeyID *int64 `json:"deploy_key_id"`
}

// shownRule is a protected branch in an answer.
type shownRule struct {
	Name string
	Push []pushLevel `json:"push_access_levels"`
}

func TestProtectedBranchesNameDeployKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	p, other := h.Project(group.ID, called("web", model.Private)), h.Project(group.ID, called("other", model.Private))
	maintainer := h.Member(group, model.Maintainer)
	addKey := func(to model.Project, title string, push bool) int64 {
		body := fmt.Sprintf(`{"title":%q,"key":%q,"can_push":%t}`, title, deployKeyLine(t, title), push)
		return read[deployKey](t, maintainer.JSON("POST", fmt.Sprintf("/projects/%d/deploy_keys", to.ID), body), 201).ID
	}
	first, second := addKey(p, "first", true), addKey(p, "second", true)
	reads, foreign := addKey(p, "reads", false), addKey(other, "x", true)
	const rules = "/projects/acme%2Fweb/protected_branches"
	made := read[shownRule](t, maintainer.JSON("POST", rules,
		fmt.Sprintf(`{"name":"release/*","allowed_to_push":[{"deploy_key_id":%d}]}`, first)), 201)
	if len(made.Push) != 2 || made.Push[0].AccessLevel != 0 || made.Push[1].AccessLevel != 40 || *made.Push[1].DeployKeyID != first ||
		made.Push[1].Description != "first" {
		t.Errorf("%+v", made)
	}
	for body, status := range map[string]int{
		fmt.Sprintf(`{"name":"a","allowed_to_push":[{"deploy_key_id":%d}]}`, reads):                   422,
		fmt.Sprintf(`{"name":"a","allowed_to_push":[{"deploy_key_id":%d}]}`, foreign):                 422,
		`{"name":"a","allowed_to_push":[{"deploy_key_id":999999}]}`:                                   422,
		`{"name":"a","allowed_to_push":[{"user_id":1}]}`:                                              422,
		`{"name":"a","allowed_to_push":[{"group_id":1}]}`:                                             422,
		`{"name":"a","allowed_to_push":[{"access_level":30},{"access_level":40}]}`:                    422,
		`{"name":"a","allowed_to_push":[{}]}`:                                                         400,
		`{"name":"a","allowed_to_push":[{"id":1}]}`:                                                   400,
		`{"name":"a","allowed_to_push":[{"access_level":35}]}`:                                        400,
		fmt.Sprintf(`{"name":"a","allowed_to_push":[{"deploy_key_id":%d,"access_level":30}]}`, first): 400,
	} {
		if got := maintainer.JSON("POST", rules, body); got.Status != status {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	expect(t, maintainer.Send("GET", rules+"/a", ""), 404, "") // nothing is left of a refused rule
	both := read[shownRule](t, maintainer.JSON("POST", rules, `{"name":"b","allowed_to_push":[{"access_level":30}]}`), 201)
	if len(both.Push) != 1 || both.Push[0].AccessLevel != 30 {
		t.Errorf("%+v", both)
	}
	one := rules + "/release%2F*"
	change := fmt.Sprintf(`{"allowed_to_push":[{"deploy_key_id":%d},{"id":%d,"_destroy":true},{"access_level":40}]}`,
		second, made.Push[1].ID)
	changed := read[shownRule](t, maintainer.JSON("PATCH", one, change), 200)
	if len(changed.Push) != 2 || changed.Push[0].AccessLevel != 40 || *changed.Push[1].DeployKeyID != second {
		t.Errorf("%+v", changed)
	}
	expect(t, maintainer.JSON("PATCH", one, fmt.Sprintf(`{"allowed_to_push":[{"id":%d,"_destroy":true}]}`, made.Push[1].ID)), 422, "")
	expect(t, maintainer.JSON("PATCH", one, fmt.Sprintf(`{"allowed_to_push":[{"deploy_key_id":%d}]}`, second)), 200, "") // again
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("/projects/%d/deploy_keys/%d", p.ID, second), ""), 204, "")
	for _, rule := range read[[]shownRule](t, maintainer.Send("GET", rules, ""), 200) {
		if len(rule.Push) != 1 {
			t.Errorf("a key that was removed: %+v", rule)
		}
	}
}
