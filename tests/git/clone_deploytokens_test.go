package git

import (
	"encoding/json"
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestDeployTokensReadRepositories(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group, other := h.Group(), h.Group()
	owner := h.Member(group, model.Owner)
	mine, beside, foreign := h.Project(group.ID), h.Project(group.ID), h.Project(other.ID)
	here := newRepository(t)
	for _, p := range []model.Project{mine, beside, foreign} {
		must(t, here, "push", "-q", remote(h, "x", h.Root().Token, p.FullPath), "main")
	}
	made := func(path, scopes string) (string, string) {
		t.Helper()
		got := owner.JSON("POST", path+"/deploy_tokens", `{"name":"d","scopes":[`+scopes+`]}`)
		var v struct{ Username, Token string }
		if got.Status != 201 || json.Unmarshal([]byte(got.Body), &v) != nil {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		return v.Username, v.Token
	}
	read := func(user, token string, p model.Project) []string {
		return []string{"ls-remote", remote(h, user, token, p.FullPath)}
	}
	user, token := made(fmt.Sprintf("/projects/%d", mine.ID), `"read_repository"`)
	must(t, here, read(user, token, mine)...)
	refused(t, "not found", here, read(user, token, beside)...)
	refused(t, "Authentication failed", here, read("somebody", token, mine)...)
	refused(t, "403", here, "push", "-q", remote(h, user, token, mine.FullPath), "main:x")
	user, token = made(fmt.Sprintf("/groups/%d", group.ID), `"read_repository"`)
	must(t, here, read(user, token, mine)...)
	must(t, here, read(user, token, beside)...)
	refused(t, "not found", here, read(user, token, foreign)...)
	user, token = made(fmt.Sprintf("/projects/%d", mine.ID), `"read_registry"`)
	refused(t, "403", here, read(user, token, mine)...)
}
