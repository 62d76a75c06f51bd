package web

import (
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// Pages offer only scopes that allow something.
func TestPagesOfferOnlyScopesThatAllowSomething(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	for _, path := range []string{"/-/profile/personal_access_tokens", "/-/profile/applications"} {
		page := h.SignedIn(root.User).Get(path)
		for scope, want := range map[string]bool{
			"api": true, "read_repository": true, "sudo": path == "/-/profile/personal_access_tokens",
			"read_registry": false, "write_registry": false,
			"read_observability": false, "write_observability": false, "ai_features": false, "read_service_ping": false,
			"admin_mode": false,
		} {
			if got := strings.Contains(page.Body, `value="`+scope+`"`); got != want && (scope != "sudo" || want) {
				t.Errorf("%s offers %s: %v", path, scope, got)
			}
		}
	}
	// Programs may still ask for the others.
	if got := root.JSON(
		"POST", "/users/"+id(root.User)+"/personal_access_tokens", `{"name":"x","scopes":["read_registry"]}`,
	); got.Status != 201 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
