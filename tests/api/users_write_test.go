package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"
	"svc/tests/harness"
)

const newJane = `"email":"jane@example.com","name":"Jane Doe","username":"jane"`

func TestAUserIsCreatedWithEveryField(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	answer := root.JSON("POST", "/users", `{`+newJane+`,"password":"correct horse","skip_confirmation":true,"admin":true,"auditor":true,
		"bio":"b","can_create_group":false,"color_scheme_id":2,"commit_email":"_private","discord":"d",
		"extern_uid":"uid=1","provider":"ldapmain",
		"external":true,"extra_shared_runners_minutes_limit":5,"linkedin":"l","location":"here","note":"n",
		"organization":"o","private_profile":true,
		"projects_limit":0,"pronouns":"p","public_email":"jane@example.com","shared_runners_minutes_limit":0,
		"skype":"s","theme_id":3,"twitter":"t",
		"website_url":"https://example.com","id":1,"state":"blocked","two_factor_enabled":true}`)
	expect(t, answer, 201, "")
	h.Golden("createUser/all_fields", answer.Body)
	row, err := h.Store.Users.GetByUsername(t.Context(), "jane")
	if err != nil || !isPassword(t, row.PasswordHash, "correct horse") {
		t.Errorf("the password is not the given one, %v", err)
	}
	plain := root.Form("POST", "/users",
		"email=joe@example.com&name=Joe&username=joe&reset_password=1&force_random_password=yes&password=x")
	expect(t, plain, 201, "")
	h.Golden("createUser/fewest_fields", plain.Body)
	expect(t, h.NewUser().JSON("POST", "/users", `{`+newJane+`,"password":"correct horse"}`), 403, `{"message":"403 Forbidden"}`)
}

func TestInvalidUsersAreNotCreated(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	storetest.User(t, h.Store, named("taken"))
	const good = `{"email":"jane@example.com","name":"Jane","username":"jane","password":"correct horse"`
	missing := `{"error":"password, reset_password, force_random_password are missing, at least one parameter must be provided"}`
	for body, want := range map[string]string{
		`{}`:                `400 {"error":"email is missing, name is missing, username is missing"}`,
		`{` + newJane + `}`: `400 ` + missing,
		`{` + newJane +
			`,"reset_password":false}`: `400 {"message":{"password":["can't be blank"]}}`,
		`{` + newJane + `,"password":"short"}`: `400 {"message":{"password":["is too short (minimum is 8 characters)"]}}`,
		`{` + newJane + `,"password":"jane Doe jane"}`: `400 {"message":{"password":["must not contain commonly used ` +
			`combinations of words and letters"]}}`,
		good + `,"username":"JANE.git"}`:        `400 {"error":`,
		good + `,"projects_limit":-1}`:          `400 {"message":{"projects_limit":["must be greater than or equal to 0"]}}`,
		good + `,"projects_limit":99999999999}`: `400 {"message":{"projects_limit":["must be less than or equal to 2147483647"]}}`,
		good + `,"theme_id":99}`:                `400 {"message":{"theme_id":["must be less than or equal to 11"]}}`,
		good + `,"bio":"` + strings.Repeat("x", 256) +
			`"}`: `400 {"message":{"bio":["is too long (maximum is 255 characters)"]}}`,

		good + `,"website_url":"javascript:alert(1)"}`:    `400 {"message":{"website_url":["is not a valid URL"]}}`,
		good + `,"public_email":"other@example.com"}`:     `400 {"message":{"public_email":["must be an email you own"]}}`,
		good + `,"public_email":"jane@example.com"}`:      `400 {"message":{"public_email":["must be an email you own"]}}`,
		good + `,"provider":"ldapmain"}`:                  `400 {"error":"extern_uid, provider provide all or none of parameters"}`,
		good + `,"provider":"ldapmain","extern_uid":" "}`: `400 {"message":{"identities.extern_uid":["can't be blank"]}}`,

		good + `,"admin":"maybe"}`: `400 {"error":"admin is invalid"}`,
		good + `,"theme_id":"x"}`:  `400 {"error":"theme_id is invalid"}`,
		`{"email":"a\u0007@b.c","name":"a\nb","username":"users","password":"correct horse"}`: `400 {"message":` +
			`{"email":["is invalid"],"name":["is invalid"],"username":["users is a reserved name"]}}`,
		`{"email":"TAKEN@example.com","name":"T","username":"other","password":"correct horse"}`: `409 {"message":` +
			`"Email has already been taken"}`,
		`{"email":"TAKEN@example.com","name":"T","username":"Taken","password":"correct horse"}`: `409 {"message":` +
			`"Email has already been taken"}`,
		`{"email":"other@example.com","name":"T","username":"TAKEN","password":"correct horse"}`: `409 {"message":` +
			`"Username has already been taken"}`,
	} {
		answer := root.JSON("POST", "/users", body)
		if got := fmt.Sprint(answer.Status, " ", answer.Body); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
	if got := usernames(t, root.Send("GET", "/users", "")); got != "taken root" {
		t.Errorf("users are %s", got)
	}
}

func TestAUserIsChangedByAdministratorsOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, jane := h.Root(), h.NewUser(named("jane"))
	path := fmt.Sprintf("/users/%d", jane.User.ID)
	expect(t, jane.JSON("PUT", path, `{"admin":true}`), 403, `{"message":"403 Forbidden"}`)
	answer := root.JSON("PUT", path, `{"username":"Janet","name":"Janet","note":"watch","location":"","admin":true,`+
		`"private_profile":null,"email":"JANE@example.com","password":"correct horse"}`)
	expect(t, answer, 200, "")
	h.Golden("updateUser/changed", answer.Body)
	row, err := h.Store.Users.Get(t.Context(), jane.User.ID)
	if err != nil || row.PasswordExpiresAt == nil || !isPassword(t, row.PasswordHash, "correct horse") {
		t.Errorf("the password expires at %v, %v", row.PasswordExpiresAt, err)
	}
	same := root.JSON("PUT", path, `{}`)
	expect(t, same, 200, answer.Body)
	expect(t, root.JSON("PUT", path, `{"note":null,"commit_email":"_private"}`), 200, "")
	own := root.JSON("PUT", fmt.Sprintf("/users/%d", root.User.ID), `{"password":"correct horse"}`)
	expect(t, own, 200, "")
	if row, err := h.Store.Users.Get(t.Context(), root.User.ID); err != nil || row.PasswordExpiresAt != nil {
		t.Errorf("one's own password expires at %v, %v", row.PasswordExpiresAt, err)
	}
	// The old username is free again, and the new one is taken in every letter case.
	expect(t, root.JSON("POST", "/users", `{"email":"x@example.com","name":"X","username":"jane","force_random_password":true}`), 201, "")
	expect(t, root.JSON("POST", "/users", `{"email":"y@example.com","name":"Y","username":"JANET","force_random_password":true}`),
		409, `{"message":"Username has already been taken"}`)
}

func TestAChangeThatIsRefusedChangesNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	jane := storetest.User(t, h.Store, named("jane"))
	storetest.User(t, h.Store, named("taken"))
	path := fmt.Sprintf("/users/%d", jane.ID)
	before := root.Send("GET", path, "").Body
	for body, want := range map[string]string{
		`{"bio":"new","email":"taken@example.com"}`:       `404 {"message":"404 Not Found"}`,
		`{"bio":"new","username":"TAKEN"}`:                `404 {"message":"404 Not Found"}`,
		`{"bio":"new","email":"new@example.com"}`:         `400 {"message":{"email":["must be an email you own"]}}`,
		`{"bio":"new","email":"x"}`:                       `400 {"message":{"email":["is invalid"]}}`,
		`{"bio":"new","username":"a.git"}`:                `400 {"message":{"username":["can contain only`,
		`{"bio":"new","password":"jane@example"}`:         `400 {"message":{"password":["must not`,
		`{"bio":"new","public_email":"jane@example.com"}`: `400 {"message":{"public_email":["must be an email you own"]}}`,
	} {
		answer := root.JSON("PUT", path, body)
		if got := fmt.Sprint(answer.Status, " ", answer.Body); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
	expect(t, root.Send("GET", path, ""), 200, before)
	expect(t, root.JSON("PUT", "/users/999999", `{"bio":"x"}`), 404, `{"message":"404 User Not Found"}`)
}

func TestTheFreeTierIgnoresPaidFields(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Tier = "free" })
	expect(t, h.Root().JSON("POST", "/users",
		`{`+newJane+`,"force_random_password":true,"auditor":true,"shared_runners_minutes_limit":-5}`), 201, "")
	row, err := h.Store.Users.GetByUsername(t.Context(), "jane")
	if err != nil || row.Auditor || row.SharedRunnersMinutesLimit != nil {
		t.Errorf("auditor %v, minutes %v, %v", row.Auditor, row.SharedRunnersMinutesLimit, err)
	}
}

func TestIdentitiesAreSetAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	jane, joe := h.NewUser(named("jane")), storetest.User(t, h.Store, named("joe"))
	path := fmt.Sprintf("/users/%d", jane.User.ID)
	for _, uid := range []string{"first", "second"} { // one identity per provider
		answer := root.JSON("PUT", path, `{"provider":"group/saml","extern_uid":"`+uid+`"}`)
		expect(t, answer, 200, "")
		if got := fmt.Sprint(member(t, answer, "identities")); got != "[map[extern_uid:"+uid+" provider:group/saml]]" {
			t.Errorf("identities are %s", got)
		}
	}
	if got := fmt.Sprint(member(t, jane.Send("GET", "/user", ""), "identities")); !strings.Contains(got, "second") {
		t.Errorf("one's own identities are %s", got)
	}
	expect(t, root.JSON("PUT", fmt.Sprintf("/users/%d", joe.ID), `{"provider":"group/saml","extern_uid":"SECOND"}`), 400,
		`{"message":{"identities.extern_uid":["has already been taken"]}}`)
	expect(t, root.JSON("POST", "/users",
		`{"email":"x@example.com","name":"X","username":"x","force_random_password":true,"provider":"group/saml","extern_uid":"second"}`),
		400,
		`{"message":{"identities.extern_uid":["has already been taken"]}}`)
	expect(t, root.Send("DELETE", path+"/identities/group%2Fsaml", "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"),
		412, `{"message":"412 Precondition Failed"}`)
	expect(t, root.Send("DELETE", path+"/identities/group%2Fsaml", ""), 204, "")
	expect(t, root.Send("DELETE", path+"/identities/group%2Fsaml", ""), 404, `{"message":"404 Identity Not Found"}`)
	expect(t, root.Send("DELETE", "/users/999999/identities/x", ""), 404, `{"message":"404 User Not Found"}`)
}

func TestCustomAttributesOfUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	path := fmt.Sprintf("/users/%d/custom_attributes", storetest.User(t, h.Store, func(*model.User) {}).ID)
	expect(t, root.Send("GET", path, ""), 200, `[]`)
	expect(t, root.JSON("PUT", path+"/cost_center", `{"value":"1"}`), 200, `{"key":"cost_center","value":"1"}`)
	expect(t, root.Form("PUT", path+"/cost_center", `value=2`), 200, `{"key":"cost_center","value":"2"}`)
	expect(t, root.JSON("PUT", path+"/a%2Fb", `{"value":"x"}`), 200, `{"key":"a/b","value":"x"}`)
	expect(t, root.Send("GET", path, ""), 200, `[{"key":"a/b","value":"x"},{"key":"cost_center","value":"2"}]`)
	expect(t, root.Send("GET", path+"/cost_center", ""), 200, `{"key":"cost_center","value":"2"}`)
	expect(t, root.JSON("PUT", path+"/k", `{}`), 400, `{"error":"value is missing"}`)
	expect(t, root.JSON("PUT", path+"/k", `{"value":""}`), 400, `{"message":{"value":["can't be blank"]}}`)
	expect(t, root.JSON("PUT", path+"/"+strings.Repeat("k", 256), `{"value":"v"}`), 400,
		`{"message":{"key":["is too long (maximum is 255 characters)"]}}`)
	expect(t, root.Send("GET", path+"/k", ""), 404, `{"message":"404 Not found"}`)
	expect(t, root.Send("DELETE", path+"/cost_center", ""), 204, "")
	expect(t, root.Send("DELETE", path+"/cost_center", ""), 404, `{"message":"404 Not found"}`)
	expect(t, root.Send("GET", "/users/999999/custom_attributes", ""), 404, `{"message":"404 User Not Found"}`)
}

// isPassword reports whether a hash belongs to a password.
func isPassword(t *testing.T, hash, password string) bool {
	t.Helper()
	right, err := secret.CheckPassword(t.Context(), hash, password)
	if err != nil {
		t.Error(err)
	}
	return right
}
