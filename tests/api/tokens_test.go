package api

import (
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestATokenShowsAndEndsItself(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	other := h.WithToken(u.User, "read_user", func(p *model.PersonalAccessToken) { p.Name = "laptop" })
	h.Golden("getPersonalAccessTokensSelf/active", other.Send("GET", "/personal_access_tokens/self", "").Body)
	expect(t, other.Send("DELETE", "/personal_access_tokens/self", ""), 204, "")
	expect(t, other.Send("GET", "/personal_access_tokens/self", ""), 401,
		`{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize from the user."}`)
	expect(t, u.Send("GET", "/user", ""), 200, "")
	expect(t, h.Anonymous().Send("GET", "/personal_access_tokens/self", ""), 401, "")
	expect(t, h.Anonymous().Send("DELETE", "/personal_access_tokens/self", ""), 401, "")
}
