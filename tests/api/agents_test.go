package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAgentsAreRegistered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/cluster_agents", p.ID)
	expect(t, owner.Send("GET", base, ""), 200, "[]")
	created := owner.JSON("POST", base, `{"name":"production"}`)
	if expect(t, created, 201, ""); !strings.Contains(created.Body, fmt.Sprintf(`"config_project":{"id":%d`, p.ID)) ||
		!strings.Contains(created.Body, fmt.Sprintf(`"created_by_user_id":%d`, owner.User.ID)) {
		t.Error(created.Body)
	}
	for name, want := range map[string]string{
		"production": "has already been taken", "": "can't be blank",
		"-a":                    "can contain only lowercase letters, digits, and '-', but cannot start or end with '-'",
		"Upper":                 "can contain only lowercase letters, digits, and '-', but cannot start or end with '-'",
		strings.Repeat("a", 64): "is too long (maximum is 63 characters)",
	} {
		expect(t, owner.JSON("POST", base, fmt.Sprintf(`{"name":%q}`, name)), 400, fmt.Sprintf(`{"message":{"name":[%q]}}`, want))
	}
	id := read[struct{ ID int64 }](t, created, 201).ID
	path := fmt.Sprintf("%s/%d", base, id)
	expect(t, owner.Send("GET", base, ""), 200, "["+created.Body+"]")
	expect(t, owner.Send("GET", path, ""), 200, created.Body)
	developer := h.ProjectMember(p, model.Developer)
	expect(t, developer.Send("GET", path, ""), 200, created.Body)
	expect(t, developer.Send("DELETE", path, ""), 403, `{"message":"403 Forbidden"}`)
	other := h.Project(*owner.User.NamespaceID)
	expect(t, owner.Send("DELETE", fmt.Sprintf("/projects/%d/cluster_agents/%d", other.ID, id), ""), 404, `{"message":"404 Not found"}`)
	expect(t, owner.Send("DELETE", path, ""), 204, "")
	expect(t, owner.Send("GET", path, ""), 404, `{"message":"404 Not found"}`)
}
