package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

func addEmail(t *testing.T, root *harness.Caller, username, address string, confirmed bool) string {
	t.Helper()
	made := root.JSON("POST", "/users/"+username+"/emails", fmt.Sprintf(`{"email":"%s","skip_confirmation":%v}`, address, confirmed))
	expect(t, made, 201, "")
	return fmt.Sprintf("/users/%s/emails/%v", username, member(t, made, "id"))
}

func TestASecondaryEmailBecomesThePrimaryOne(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	expect(t, root.JSON("POST", "/users", `{`+newJane+`,"force_random_password":true,"skip_confirmation":true}`), 201, "")
	row, err := h.Store.Users.GetByUsername(t.Context(), "jane")
	if err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/users/%d", row.ID)
	addEmail(t, root, "jane", "work@example.com", true)
	addEmail(t, root, "jane", "later@example.com", false)
	storetest.User(t, h.Store, named("joe"))
	addEmail(t, root, "joe", "joe2@example.com", true)
	before := root.Send("GET", path, "").Body
	for body, want := range map[string]string{
		`{"bio":"new","email":"joe@example.com"}`:         `404 {"message":"404 Not Found"}`,
		`{"bio":"new","email":"JOE2@example.com"}`:        `404 {"message":"404 Not Found"}`,
		`{"bio":"new","email":"free@example.com"}`:        `400 {"message":{"email":["must be an email you own"]}}`,
		`{"bio":"new","public_email":"joe2@example.com"}`: `400 {"message":{"public_email":["must be an email you own"]}}`,
		// The address is not confirmed yet.
		`{"bio":"new","commit_email":"later@example.com"}`: `400 {"message":{"commit_email":["must be an email you own"]}}`,
		// The Kelvin sign is not the letter k.
		`{"bio":"new","email":"wor` + "\u212a" + `@example.com"}`: `400 {"message":{"email":["is invalid"]}}`,
		`{"bio":"new","public_email":"_private"}`:                 `400 {"message":{"public_email":["must be an email you own"]}}`,
		// One invalid attribute refuses the whole request.
		`{"email":"work@example.com","public_email":"later@example.com"}`: `400 {"message":{"public_email":["must be an email you own"]}}`,
		`{"email":"work@example.com","username":"joe"}`:                   `404 {"message":"404 Not Found"}`,
	} {
		answer := root.JSON("PUT", path, body)
		if got := fmt.Sprint(answer.Status, " ", answer.Body); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
	expect(t, root.Send("GET", path, ""), 200, before)

	changed := root.JSON("PUT", path, `{"email":"WORK@example.com","public_email":"jane@EXAMPLE.com","commit_email":"work@example.com"}`)
	expect(t, changed, 200, "")
	for name, want := range map[string]string{
		"email": "work@example.com", "public_email": "jane@example.com", "commit_email": "work@example.com",
	} {
		if got := member(t, changed, name); got != want {
			t.Errorf("%s is %v, want %s", name, got, want)
		}
	}
	if member(t, changed, "confirmed_at") == nil {
		t.Error("a confirmed address is no longer confirmed")
	}
	if got := root.Send("GET", "/users/jane/emails", "").Body; strings.Count(got, `"email"`) != 2 ||
		!strings.Contains(got, `"email":"jane@example.com","confirmed_at":"`) {
		t.Errorf("the further addresses are %s", got)
	}

	later := root.JSON("PUT", path, `{"email":"later@example.com"}`)
	if member(t, later, "email") != "later@example.com" || member(t, later, "confirmed_at") != nil {
		t.Errorf("an address is confirmed by being the primary one: %s", later.Body)
	}
	expect(t, root.JSON("PUT", path, `{"public_email":"later@example.com"}`), 400,
		`{"message":{"public_email":["must be an email you own"]}}`)
	expect(t, root.JSON("PUT", path, `{"email":"work@example.com"}`), 200, "")
	if taken := root.JSON("PUT", path,
		`{"email":"later@example.com","skip_reconfirmation":true}`); member(t, taken, "confirmed_at") == nil {
		t.Errorf("skip_reconfirmation does nothing: %s", taken.Body)
	}
	expect(t, root.JSON("PUT", path, `{"public_email":"LATER@example.com"}`), 200, "")
}

func TestASecondaryEmailCannotBeUsedByNewUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	storetest.User(t, h.Store, named("joe"))
	addEmail(t, h.Root(), "joe", "jane@example.com", true)
	expect(t, h.Root().JSON("POST", "/users", `{`+newJane+`,"force_random_password":true}`), 409,
		`{"message":"Email has already been taken"}`)
}

func TestAdministratorsFindUsersBySecondaryEmails(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(named("jane"))
	addEmail(t, h.Root(), "jane", "work@corp.example", false)
	for search, want := range map[string]string{
		"work@corp.example": "jane", "WORK@corp.example": "jane", "work@corp": "", "ork@corp.example": "",
	} {
		for _, how := range []string{"", "&pagination=keyset&order_by=id"} {
			if got := usernames(t, h.Root().Send("GET", "/users?search="+search+how, "")); got != want {
				t.Errorf("%s%s found %q", search, how, got)
			}
			if got := usernames(t, jane.Send("GET", "/users?search="+search+how, "")); got != "" {
				t.Errorf("%s%s found %q for a user", search, how, got)
			}
		}
	}
}

func TestAUsersPreferenceIsSetWithTheUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	made := root.JSON("POST", "/users", `{`+newJane+`,"force_random_password":true,"view_diffs_file_by_file":true}`)
	expect(t, made, 201, "")
	id := int64(member(t, made, "id").(float64))
	check := func(want bool) {
		t.Helper()
		if row, err := h.Store.UserPreferences.Get(t.Context(), id); err != nil || row.ViewDiffsFileByFile != want ||
			!row.ShowWhitespaceInDiffs {
			t.Errorf("the preferences are %+v, %v", row, err)
		}
	}
	check(true)
	expect(t, root.JSON("PUT", fmt.Sprintf("/users/%d", id), `{"bio":"x"}`), 200, "")
	check(true)
	expect(t, root.JSON("PUT", fmt.Sprintf("/users/%d", id), `{"view_diffs_file_by_file":false}`), 200, "")
	check(false)
}

// Whichever request wins, no user shows an address that they no longer have, and no address is lost.
func TestConcurrentEmailChangesAndDeletionsStayConsistent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	jane := storetest.User(t, h.Store, named("jane"))
	path := fmt.Sprintf("/users/%d", jane.ID)
	for round := range 8 {
		address := fmt.Sprintf("work%d@example.com", round)
		further := addEmail(t, root, "jane", address, true)
		var wg sync.WaitGroup
		wg.Go(func() { root.JSON("PUT", path, `{"public_email":"`+address+`"}`) })
		wg.Go(func() { root.JSON("PUT", path, `{"email":"`+address+`"}`) })
		wg.Go(func() { root.Send("DELETE", further, "") })
		wg.Wait()
		row, err := h.Store.Users.Get(t.Context(), jane.ID)
		if err != nil {
			t.Fatal(err)
		}
		rest := root.Send("GET", "/users/jane/emails?per_page=100", "").Body
		if row.PublicEmail != nil && *row.PublicEmail != row.Email && !strings.Contains(rest, `"`+*row.PublicEmail+`"`) {
			t.Errorf("round %d: %s is shown, of %s and %s", round, *row.PublicEmail, row.Email, rest)
		}
		if row.Email != "jane@example.com" && !strings.Contains(rest, `"jane@example.com"`) {
			t.Errorf("round %d: the first address is lost: %s and %s", round, row.Email, rest)
		}
	}
}

func TestAnEmailIsNotConfirmedAutomatically(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(func(u *model.User) { u.Username = "jane" })
	expect(t, jane.JSON("POST", "/user/emails", `{"email":"work@example.com"}`), 201, "")
	_, rows, err := h.Store.Emails.LockUser(t.Context(), jane.User.ID)
	if err != nil || len(rows) != 1 || rows[0].ConfirmedAt != nil {
		t.Errorf("%+v, %v", rows, err)
	}
}
