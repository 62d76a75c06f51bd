package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

func TestAgentsHaveTwoTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID, called("web", model.Private))
	maintainer, developer := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	agents := fmt.Sprintf("/projects/%d/cluster_agents", p.ID)
	id := read[struct{ ID int64 }](t, maintainer.JSON("POST", agents, `{"name":"production"}`), 201).ID
	path := fmt.Sprintf("%s/%d/tokens", agents, id)
	expect(t, developer.Send("GET", path, ""), 200, "[]")

	made := maintainer.JSON("POST", path, `{"name":"main","description":"in use"}`)
	first := read[struct {
		ID    int64
		Token string
	}](t, made, 201)
	if !strings.HasPrefix(first.Token, secret.AgentTokenPrefix) || !strings.Contains(made.Body, fmt.Sprintf(`"agent_id":%d`, id)) ||
		!strings.Contains(made.Body, fmt.Sprintf(`"created_by_user_id":%d`, maintainer.User.ID)) ||
		!strings.Contains(made.Body, `"last_used_at":null`) || !strings.Contains(made.Body, `"status":"active"`) {
		t.Errorf("%s", made.Body)
	}
	one := fmt.Sprintf("%s/%d", path, first.ID)
	shown := developer.Send("GET", one, "")
	if expect(t, shown, 200, ""); strings.Contains(shown.Body, first.Token) || !strings.Contains(shown.Body, `"description":"in use"`) {
		t.Errorf("%s", shown.Body)
	}
	expect(t, h.WithHeaders("PRIVATE-TOKEN", first.Token).Send("GET", "/user", ""), 401, "")

	expect(t, maintainer.JSON("POST", path, `{"name":"next"}`), 201, "")
	expect(t, maintainer.JSON("POST", path, `{"name":"third"}`), 400,
		`{"message":"400 Bad request - An agent can have at most two active tokens"}`)
	if rows := developer.Send("GET", path+"?per_page=1&page=2", ""); !strings.Contains(rows.Body, `"name":"next"`) ||
		rows.Header.Get("X-Total") != "2" || strings.Contains(rows.Body, "last_used_at") {
		t.Errorf("%s", rows.Body)
	}
	expect(t, maintainer.Send("DELETE", one, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("DELETE", one, ""), 404, `{"message":"404 Not found"}`)
	expect(t, developer.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
	if rows := read[[]struct{ Name string }](t, developer.Send("GET", path, ""), 200); len(rows) != 1 || rows[0].Name != "next" {
		t.Errorf("%v", rows)
	}
	expect(t, maintainer.JSON("POST", path, `{"name":"third"}`), 201, "")
}

func TestTokensOfAgentsAreForMaintainers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p, other := h.Project(h.Group().ID, called("web", model.Private)), h.Project(h.Group().ID, called("app", model.Private))
	maintainer, developer := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	agents := fmt.Sprintf("/projects/%d/cluster_agents", p.ID)
	agent := func(name string) int64 {
		return read[struct{ ID int64 }](t, maintainer.JSON("POST", agents, fmt.Sprintf(`{"name":%q}`, name)), 201).ID
	}
	first, second := agent("one"), agent("two")
	path := fmt.Sprintf("%s/%d/tokens", agents, first)
	id := read[struct{ ID int64 }](t, maintainer.JSON("POST", path, `{"name":"main"}`), 201).ID
	one := fmt.Sprintf("%s/%d", path, id)
	const body = `{"name":"next"}`
	expect(t, developer.JSON("POST", path, body), 403, `{"message":"403 Forbidden"}`)
	expect(t, developer.Send("DELETE", one, ""), 403, `{"message":"403 Forbidden"}`)
	reporter, outsider := h.ProjectMember(p, model.Reporter), h.NewUser()
	for _, url := range []string{path, one} {
		expect(t, reporter.Send("GET", url, ""), 403, `{"message":"403 Forbidden"}`)
		expect(t, outsider.Send("GET", url, ""), 404, `{"message":"404 Project Not Found"}`)
	}
	for _, wrong := range []string{
		fmt.Sprintf("%s/%d/tokens/%d", agents, second, id), fmt.Sprintf("/projects/%d/cluster_agents/%d/tokens/%d", other.ID, first, id),
		fmt.Sprintf("%s/999999/tokens/%d", agents, id),
	} {
		expect(t, h.Root().Send("GET", wrong, ""), 404, `{"message":"404 Not found"}`)
		expect(t, h.Root().Send("DELETE", wrong, ""), 404, `{"message":"404 Not found"}`)
	}
	for _, wrong := range []string{`{}`, `{"name":""}`, fmt.Sprintf(`{"name":%q}`, strings.Repeat("a", 256))} {
		expect(t, maintainer.JSON("POST", path, wrong), 400, "")
	}
	expect(t, maintainer.JSON("POST", fmt.Sprintf("%s/999999/tokens", agents), body), 404, `{"message":"404 Not found"}`)
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/%d", agents, first), ""), 204, "") // with its tokens
	expect(t, maintainer.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
}
