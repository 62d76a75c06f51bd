package api

import (
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

func TestTheCurrentUserIsShownInFull(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	user := h.NewUser(func(u *model.User) { u.Username, u.Name, u.Email = "jane", "Jane", "jane@example.com" })
	h.Golden("getCurrentUser/user", user.Send("GET", "/user", "").Body)
	h.Golden("getCurrentUser/administrator", h.Root().Send("GET", "/user", "").Body)
	made := h.WithToken(storetest.User(t, h.Store, storetest.Admin, func(u *model.User) {
		u.Username, u.Name, u.Email, u.CreatedByID = "second", "Second", "second@example.com", &user.User.ID
	}), "api")
	h.Golden("getCurrentUser/created_by", made.Send("GET", "/user", "").Body)
	expect(t, h.Anonymous().Send("GET", "/user", ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, user.Send("GET", "/api/v3/user", ""), 200, "")
}

func TestTheFreeTierShowsLess(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Tier = "free" })
	h.Golden("getCurrentUser/free", h.Root().Send("GET", "/user", "").Body)
	expect(t, h.Root().Send("GET", "/metadata", ""), 200, "")
}
