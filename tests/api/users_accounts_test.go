package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

func TestASamlIdentityNamesItsGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, g := h.Root(), h.Group()
	body := `{"email":"%s@example.com","name":"X","username":"%[1]s","force_random_password":true%[2]s}`
	made := root.JSON("POST", "/users", fmt.Sprintf(body, "ann", fmt.Sprintf(`,"extern_uid":"ann-1","group_id_for_saml":%d`, g.ID)))
	if want := fmt.Sprintf(`"identities":[{"extern_uid":"ann-1","provider":"group_saml","saml_provider_id":%d}]`,
		g.ID); made.Status != 201 || !sameIdentities(made.Body, want) {
		t.Errorf("%d %s, want %s", made.Status, made.Body, want)
	}
	plain := root.JSON("POST", "/users", fmt.Sprintf(body, "bob", `,"extern_uid":"bob-1","provider":"ldap"`))
	if plain.Status != 201 || strings.Contains(plain.Body, "saml_provider_id") {
		t.Errorf("%d %s", plain.Status, plain.Body)
	}
	expect(t, root.JSON("POST", "/users", fmt.Sprintf(body, "cid", fmt.Sprintf(`,"group_id_for_saml":%d`, g.ID))),
		400, `{"error":"extern_uid is missing"}`)
	expect(t, root.JSON("POST", "/users", fmt.Sprintf(body, "cid", `,"extern_uid":"c","group_id_for_saml":999999`)),
		404, `{"message":"404 Group Not Found"}`)
	changed := root.JSON("PUT", fmt.Sprintf("/users/%v", member(t, plain, "id")),
		fmt.Sprintf(`{"extern_uid":"bob-2","group_id_for_saml":%d}`, g.ID))
	if changed.Status != 200 || !strings.Contains(changed.Body, fmt.Sprintf(`"saml_provider_id":%d`, g.ID)) {
		t.Errorf("%d %s", changed.Status, changed.Body)
	}
	found := root.Send("GET", fmt.Sprintf("/users?saml_provider_id=%d", g.ID), "")
	if n := strings.Count(found.Body, `"identities":[`); n != 2 {
		t.Errorf("%d users: %s", n, found.Body)
	}

	free := harness.New(t, func(c *config.Config) { c.Tier = "free" })
	got := free.Root().JSON("POST", "/users", fmt.Sprintf(body, "ann", `,"extern_uid":"ann-1","group_id_for_saml":999999`))
	if got.Status != 201 || strings.Contains(got.Body, "saml_provider_id") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

// sameIdentities reports whether a body has an identity with the given members, in any order.
func sameIdentities(body, want string) bool {
	_, rest, _ := strings.Cut(body, `"identities":[{`)
	mine, _, _ := strings.Cut(rest, "}]")
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(want, `"identities":[{`), "}]"), ",") {
		if !strings.Contains(mine, part) {
			return false
		}
	}
	return true
}

func TestUsingTheAPIRefreshesTheCurrentSignIn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	begin := time.Now().UTC().Add(-time.Second)
	ann := h.NewUser()
	expect(t, ann.Send("GET", "/user", ""), 200, "")
	if err := h.Server.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, _ := member(t, h.Root().Send("GET", fmt.Sprintf("/users/%d", ann.User.ID), ""), "current_sign_in_at").(string)
	if at, err := time.Parse(time.RFC3339, text); err != nil || at.Before(begin) {
		t.Errorf("current_sign_in_at is %q", text)
	}
}

// The expiry date of a token may be today. The token is then already expired.
func TestATokenMayExpireToday(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	made := h.Root().JSON("POST", fmt.Sprintf("/users/%d/personal_access_tokens", ann.User.ID),
		`{"name":"x","scopes":["api"],"expires_at":"`+inDays(0)+`"}`)
	if active, _ := member(t, made, "active").(bool); made.Status != 201 || active {
		t.Errorf("%d %s", made.Status, made.Body)
	}
	token, _ := member(t, made, "token").(string)
	expect(t, h.WithHeaders("PRIVATE-TOKEN", token).Send("GET", "/user", ""), 401, "")
}

func TestAUserMayBeCalledUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	expect(t, h.Root().JSON("POST", "/users",
		`{"email":"u@example.com","name":"User","username":"user","force_random_password":true}`), 201, "")
	expect(t, h.Root().JSON("POST", "/users", `{"email":"v@example.com","name":"User","username":"oauth","force_random_password":true}`),
		400, `{"message":{"username":["oauth is a reserved name"]}}`)
}

// An administrator sees permissions only where they are a member themselves.
func TestAdministratorsSeeTheirOwnRolesInAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, g := h.Root(), h.Group()
	p := h.Project(g.ID)
	path := fmt.Sprintf("/projects/%d", p.ID)
	permissions := func() string { return fmt.Sprint(member(t, root.Send("GET", path, ""), "permissions")) }
	if got := permissions(); got != "map[group_access:<nil> project_access:<nil>]" {
		t.Error(got)
	}
	h.JoinProject(p, root.User, model.Maintainer)
	h.Join(g, root.User, model.Reporter)
	if got := permissions(); got != "map[group_access:map[access_level:20 notification_level:3] "+
		"project_access:map[access_level:40 notification_level:3]]" {
		t.Error(got)
	}
}

// An unconfirmed address does not keep others from using it, and it expires.
func TestOnlyConfirmedEmailsAreReserved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann, bob := h.NewUser(), h.NewUser()
	const address = "owner@example.org"
	expect(t, ann.JSON("POST", "/user/emails", `{"email":"`+address+`"}`), 201, "")
	expect(t, ann.JSON("POST", "/user/emails", `{"email":"`+address+`"}`), 400, `{"message":{"email":["has already been taken"]}}`)
	expect(t, bob.JSON("POST", "/user/emails", `{"email":"`+address+`"}`), 201, "")
	expect(t, ann.Send("GET", "/user/emails", ""), 200, "[]")
	expect(t, h.Root().JSON("POST", "/users", `{"email":"`+address+
		`","name":"Owner","username":"owner","force_random_password":true,"skip_confirmation":true}`), 201, "")
	expect(t, bob.Send("GET", "/user/emails", ""), 200, "[]")
	expect(t, bob.JSON("POST", "/user/emails", `{"email":"`+address+`"}`), 400, `{"message":{"email":["has already been taken"]}}`)

	old := time.Now().UTC().Add(-8 * 24 * time.Hour)
	expect(t, ann.JSON("POST", "/user/emails", `{"email":"late@example.org"}`), 201, "")
	idle := h.NewUser(func(u *model.User) { u.CreatedAt, u.ConfirmedAt = old, nil })
	made := h.NewUser(func(u *model.User) { u.CreatedAt, u.ConfirmedAt, u.CreatedByID = old, nil, &ann.User.ID })
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE emails SET created_at = $1", old); err != nil {
		t.Fatal(err)
	}
	h.StartWorker()
	root := h.Root()
	wait.Until(t, "the idle user is deleted", func() bool {
		return root.Send("GET", fmt.Sprintf("/users/%d", idle.User.ID), "").Status == 404
	})
	wait.Until(t, "the address is deleted", func() bool {
		return ann.Send("GET", "/user/emails", "").Body == "[]"
	})
	expect(t, root.Send("GET", fmt.Sprintf("/users/%d", made.User.ID), ""), 200, "")
}
