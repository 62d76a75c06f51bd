package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// confirmed marks the primary address of a user as confirmed.
func confirmed(u *model.User) {
	now := time.Now().UTC()
	u.ConfirmedAt = &now
}

func TestAddressesAreInvitedToAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	lead, dev := h.NewUser(named("lead")), h.ProjectMember(web, model.Developer)
	h.JoinProject(web, lead.User, model.Maintainer)
	const list = "/projects/acme%2Fweb/invitations"
	const success = `{"status":"success"}`
	expect(t, lead.JSON("POST", list, `{"email":"New@example.com","access_level":30,"expires_at":"2099-01-31"}`), 201, success)
	invited := lead.Send("GET", list, "")
	expect(t, invited, 200, "")
	h.Golden("listProjectInvitations/one", invited.Body)
	if strings.Contains(invited.Body, "token") {
		t.Errorf("a token is shown: %s", invited.Body)
	}
	expect(t, lead.JSON("POST", list, `{"email":"new@EXAMPLE.com","access_level":20}`), 201,
		`{"status":"error","message":{"new@EXAMPLE.com":"Invite email has already been taken"}}`)
	expect(t, lead.Form("POST", list, "email=two@example.com,not-an-address,three@example.com&access_level=20"), 201,
		`{"status":"error","message":{"not-an-address":"Invite email is invalid"}}`)
	for body, want := range map[string]string{
		`{"access_level":20}`: `{"error":"email, user_id are missing, at least one parameter must be provided"}`,

		`{"email":" , ","access_level":20}`:                             `{"error":"email is empty"}`,
		`{"email":"a@b.c"}`:                                             `{"error":"access_level is missing"}`,
		`{"email":"a@b.c","access_level":5}`:                            `{"error":"access_level does not have a valid value"}`,
		`{"email":"a@b.c","access_level":20,"expires_at":"2020-01-01"}`: `{"message":{"expires_at":["cannot be a date in the past"]}}`,
		`{"email":"` + strings.Repeat("a@b.c,", 101) +
			`","access_level":20}`: `{"message":"400 Bad request - Too many users specified (limit is 100)"}`,
	} {
		expect(t, lead.JSON("POST", list, body), 400, want)
	}
	expect(t, lead.JSON("POST", list, `{"email":"boss@example.com","access_level":50}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Root().JSON("POST", list, `{"email":"boss@example.com","access_level":50}`), 201, success)
	if got := lead.Send("GET", list+"?query=TWO", ""); strings.Count(got.Body, "invite_email") != 1 || got.Header.Get("X-Total") != "1" {
		t.Errorf("by address: %s", got.Body)
	}
	if got := lead.Send("GET", list+"?per_page=2&page=2", ""); strings.Count(got.Body, "invite_email") != 2 ||
		got.Header.Get("X-Total") != "4" {
		t.Errorf("second page: %s", got.Body)
	}
	for _, caller := range []*harness.Caller{dev, h.NewUser()} {
		if got := caller.Send("GET", list, ""); got.Status != 403 && got.Status != 404 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}

	changed := lead.JSON("PUT", list+"/NEW%40example.com", `{"access_level":20,"expires_at":null}`)
	if changed.Status != 200 || member(t, changed, "access_level") != 20.0 ||
		member(t, changed, "expires_at") != nil || member(t, changed, "created_by_name") != lead.User.Name {
		t.Errorf("changed: %d %s", changed.Status, changed.Body)
	}
	expect(t, lead.JSON("PUT", list+"/new%40example.com", `{}`), 400,
		`{"error":"access_level, expires_at are missing, at least one parameter must be provided"}`)
	expect(t, lead.JSON("PUT", list+"/nobody%40example.com", `{"access_level":20}`), 404, `{"message":"404 Not found"}`)
	expect(t, lead.JSON("PUT", list+"/new%40example.com", `{"access_level":50}`), 403, "")
	expect(t, lead.JSON("PUT", list+"/boss%40example.com", `{"access_level":10}`), 403, "")
	expect(t, lead.Send("DELETE", list+"/boss%40example.com", ""), 403, "")
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, lead.Send("DELETE", list+"/new%40example.com", "", "If-Unmodified-Since", old), 412, "")
	expect(t, lead.Send("DELETE", list+"/new%40example.com", ""), 204, "")
	expect(t, lead.Send("DELETE", list+"/new%40example.com", ""), 404, `{"message":"404 Not found"}`)
}

func TestAnInvitedUserWithAConfirmedAddressIsAddedAtOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	owner := h.Member(acme, model.Owner)
	h.NewUser(named("ann", confirmed))
	bob, cat := h.NewUser(named("bob")), h.NewUser(named("cat"))
	expect(t, h.Root().JSON("POST", withUser("/users", bob)+"/emails",
		`{"email":"bob@work.example.com","skip_confirmation":true}`), 201, "")
	const list = "/groups/acme/invitations"
	expect(t, owner.JSON("POST", list, fmt.Sprintf(`{"email":"ANN@example.com,bob@work.example.com","user_id":"%d","access_level":20}`,
		cat.User.ID)), 201, `{"status":"success"}`)
	if got := roles(t, owner.Send("GET", "/groups/acme/members", "")); !strings.HasSuffix(got, "ann:20 bob:20 cat:20") {
		t.Errorf("members: %s", got)
	}
	expect(t, owner.Send("GET", list, ""), 200, "[]")
	expect(t, owner.JSON("POST", list,
		fmt.Sprintf(`{"email":"ann@example.com","user_id":"%d,999999,x","access_level":20}`, cat.User.ID)), 201,
		fmt.Sprintf(`{"status":"error","message":{"%d":"Member already exists","999999":"User not found",`+
			`"ann@example.com":"User already exists in source","x":"user_id is invalid"}}`, cat.User.ID))
	// An unconfirmed address proves nothing.
	expect(t, owner.JSON("POST", list, `{"email":"bob@example.com","access_level":50}`), 201, `{"status":"success"}`)
	if got := roles(t, owner.Send("GET", "/groups/acme/members", "")); !strings.Contains(got, "bob:20") {
		t.Errorf("members: %s", got)
	}
	h.Group(at("low"), in(acme))
	expect(t, owner.JSON("POST", "/groups/acme%2Flow/invitations", `{"email":"ann@example.com","access_level":10}`), 201,
		`{"status":"error","message":{"ann@example.com":"Access level should be greater than or equal to Reporter `+
			`inherited membership from group acme"}}`)
	changed := owner.JSON("PUT", list+"/bob%40example.com", `{"expires_at":"2099-01-31"}`)
	if changed.Status != 200 || member(t, changed, "expires_at") != "2099-01-31" || member(t, changed, "access_level") != 50.0 {
		t.Errorf("changed: %d %s", changed.Status, changed.Body)
	}
	expect(t, owner.Send("DELETE", list+"/bob%40example.com", ""), 204, "")
}

func TestConfirmingAnInvitedAddressMakesTheUserAMember(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	acme := h.Group(at("acme"), seen(model.Public))
	web := h.Project(acme.ID, called("web", model.Public))
	invite := func(address string) {
		t.Helper()
		body := fmt.Sprintf(`{"email":%q,"access_level":30,"expires_at":"2099-01-31"}`, address)
		expect(t, root.JSON("POST", "/groups/acme/invitations", body), 201, `{"status":"success"}`)
		expect(t, root.JSON("POST", "/projects/acme%2Fweb/invitations", strings.Replace(body, "30", "40", 1)), 201, `{"status":"success"}`)
	}
	joined := func(username string, yes bool) {
		t.Helper()
		for list, role := range map[string]string{"/groups/acme/members": ":30", "/projects/acme%2Fweb/members": ":40"} {
			if got := roles(t, root.Send("GET", list, "")); strings.Contains(got, username+role) != yes {
				t.Errorf("%s: %s", list, got)
			}
		}
	}
	create := `{"username":%q,"name":"New","email":%q,"password":"c0rrect-h0rse","skip_confirmation":%v}`
	// A new user has the invited address, confirmed or not.
	invite("ann@example.com")
	expect(t, root.JSON("POST", "/users", fmt.Sprintf(create, "ann", "Ann@example.com", true)), 201, "")
	joined("ann", true)
	invite("bob@example.com")
	expect(t, root.JSON("POST", "/users", fmt.Sprintf(create, "bob", "bob@example.com", false)), 201, "")
	joined("bob", false)
	if got := root.Send("GET", "/groups/acme/invitations", ""); strings.Count(got.Body, "invite_email") != 1 {
		t.Errorf("invitations: %s", got.Body)
	}
	bob, err := h.Store.Users.GetByUsername(t.Context(), "bob")
	if err != nil {
		t.Fatal(err)
	}
	// The user confirms the address.
	if err := h.Store.Users.Update(t.Context(), bob.ID, map[string]any{"confirmed_at": time.Now().UTC()}); err != nil {
		t.Fatal(err)
	}
	joined("bob", true)
	// A user adds the invited address. This settles their access request, and an expired membership does not get in the
	// way.
	cat := h.NewUser(named("cat"))
	expect(t, cat.Send("POST", "/groups/acme/access_requests", ""), 201, "")
	day := endedYesterday()
	if err := h.Store.Members.Add(t.Context(), &model.Member{
		SourceType:  model.SourceProject,
		SourceID:    web.ID,
		UserID:      cat.User.ID,
		AccessLevel: model.Guest,
		ExpiresAt:   &day,
	}); err != nil {
		t.Fatal(err)
	}
	invite("cat@work.example.com")
	expect(t, root.JSON("POST", withUser("/users", cat)+"/emails", `{"email":"cat@work.example.com","skip_confirmation":false}`), 201, "")
	joined("cat", false)
	invite("cat@home.example.com")
	expect(t, root.JSON("POST", withUser("/users", cat)+"/emails", `{"email":"cat@home.example.com","skip_confirmation":true}`), 201, "")
	joined("cat", true)
	expect(t, root.Send("GET", "/groups/acme/access_requests", ""), 200, "[]")
	shown := root.Send("GET", withUser("/groups/acme/members", cat), "")
	if member(t, shown, "expires_at") != "2099-01-31" || !strings.Contains(shown.Body, `"created_by":{"id":`) {
		t.Errorf("joined: %s", shown.Body)
	}
	// A user who is already a member keeps the role.
	dan := h.NewUser(named("dan"))
	h.Join(acme, dan.User, model.Guest)
	h.JoinProject(web, dan.User, model.Guest)
	invite("dan@work.example.com")
	expect(t, root.JSON("POST", withUser("/users", dan)+"/emails", `{"email":"dan@work.example.com","skip_confirmation":true}`), 201, "")
	joined("dan", false)
	// Deleting a group deletes its invitations and those of its projects.
	expect(t, root.Send("DELETE", "/groups/acme", ""), 202, "")
	var left int
	if err := h.Store.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM invitations").Scan(&left); err != nil || left != 0 {
		t.Errorf("%d invitations are left, %v", left, err)
	}
}
