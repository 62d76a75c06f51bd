package api

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

const noStatus = `{"emoji":null,"availability":null,"message":null,"message_html":"","clear_status_at":null}`

func TestAStatusIsSetChangedShownAndCleared(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(named("jane"))
	expect(t, jane.Send("GET", "/user/status", ""), 200, noStatus)
	expect(t, h.Anonymous().Send("GET", "/users/jane/status", ""), 200, noStatus)
	set := jane.JSON("PUT", "/user/status",
		`{"emoji":"coffee","message":"<b>tea</b> & co","availability":"busy","clear_status_after":"30_minutes"}`)
	expect(t, set, 200, "")
	h.Golden("updateCurrentUserStatus/all_fields", set.Body)
	end, err := time.Parse(time.RFC3339, member(t, set, "clear_status_at").(string))
	if left := time.Until(end); err != nil || left < 29*time.Minute || left > 30*time.Minute {
		t.Errorf("it ends in %s, %v", left, err)
	}
	for _, path := range []string{"/users/jane/status", "/users/JANE/status", fmt.Sprintf("/users/%d/status", jane.User.ID)} {
		expect(t, h.Anonymous().Send("GET", path, ""), 200, set.Body)
	}
	expect(t, jane.JSON("PATCH", "/user/status", `{"clear_status_after":null,"message":"back"}`), 200,
		`{"emoji":"coffee","availability":"busy","message":"back","message_html":"back","clear_status_at":null}`)
	expect(t, jane.JSON("PATCH", "/user/status", `{}`), 200,
		`{"emoji":"coffee","availability":"busy","message":"back","message_html":"back","clear_status_at":null}`)
	expect(t, jane.JSON("PATCH", "/user/status", `{"emoji":null,"message":null}`), 200,
		`{"emoji":"speech_balloon","availability":"busy","message":null,"message_html":"","clear_status_at":null}`)
	expect(t, jane.Form("PUT", "/user/status", "message=only"), 200,
		`{"emoji":"speech_balloon","availability":"not_set","message":"only","message_html":"only","clear_status_at":null}`)
	expect(t, jane.JSON("PATCH", "/user/status", `{"emoji":null,"message":null,"availability":null}`), 200, noStatus)
	expect(t, jane.JSON("PATCH", "/user/status", `{"clear_status_after":"1_day"}`), 200, noStatus)
	expect(t, jane.JSON("PATCH", "/user/status", `{"availability":"busy"}`), 200,
		`{"emoji":"speech_balloon","availability":"busy","message":null,"message_html":"","clear_status_at":null}`)
	expect(t, jane.JSON("PUT", "/user/status", `{"clear_status_after":"1_day"}`), 200, noStatus)
	expect(t, jane.JSON("PUT", "/user/status", `{"message":"x"}`), 200, "")
	expect(t, jane.Send("PUT", "/user/status", ""), 200, noStatus)
}

func TestStatusRules(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser()
	before := jane.JSON("PUT", "/user/status", `{"message":"`+strings.Repeat("é", 100)+`"}`)
	expect(t, before, 200, "")
	for _, c := range []struct{ name, body, want string }{
		{"long", `{"message":"` + strings.Repeat("é", 101) + `"}`, `{"message":{"message":["is too long (maximum is 100 characters)"]}}`},
		{"emoji", `{"emoji":"<img>"}`, `{"message":{"emoji":["is not a valid emoji name"]}}`},
		{
			"both", `{"emoji":"A B","message":"` + strings.Repeat("x", 101) + `"}`,
			`{"message":{"emoji":["is not a valid emoji name"],"message":["is too long (maximum is 100 characters)"]}}`,
		},
		{"availability", `{"availability":"away"}`, `{"error":"availability does not have a valid value"}`},
		{"clear", `{"clear_status_after":"5_years"}`, `{"error":"clear_status_after does not have a valid value"}`},
		{"list", `{"message":["x"]}`, `{"error":"message is invalid"}`},
	} {
		for _, method := range []string{"PUT", "PATCH"} {
			t.Run(c.name+" "+method, func(t *testing.T) { expect(t, jane.JSON(method, "/user/status", c.body), 400, c.want) })
		}
	}
	expect(t, jane.Send("GET", "/user/status", ""), 200, before.Body)
	expect(t, h.Anonymous().Send("GET", "/users/nobody/status", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, h.Anonymous().Send("GET", "/users/99999999999999999999/status", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, h.Anonymous().Send("GET", "/user/status", ""), 401, `{"message":"401 Unauthorized"}`)
	reader := h.WithToken(jane.User, "read_user")
	expect(t, reader.Send("GET", "/user/status", ""), 200, before.Body)
	expect(t, reader.JSON("PUT", "/user/status", `{"message":"x"}`), 403, "")
}

func TestAnExpiredStatusIsNeitherShownNorChanged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser()
	past := time.Now().UTC().Add(-time.Second)
	over := func() {
		row := model.UserStatus{UserID: jane.User.ID, Emoji: "zzz", Availability: model.AvailabilityBusy, ClearStatusAt: &past}
		if err := h.Store.UserStatuses.Replace(t.Context(), &row); err != nil {
			t.Fatal(err)
		}
	}
	over()
	expect(t, jane.Send("GET", "/user/status", ""), 200, noStatus)
	expect(t, h.Anonymous().Send("GET", fmt.Sprintf("/users/%d/status", jane.User.ID), ""), 200, noStatus)
	expect(t, jane.JSON("PATCH", "/user/status", `{"clear_status_after":"1_day"}`), 200, noStatus)
	over()
	expect(t, jane.JSON("PATCH", "/user/status", `{"message":"new"}`), 200,
		`{"emoji":"speech_balloon","availability":"not_set","message":"new","message_html":"new","clear_status_at":null}`)
}

func TestUsersFollowEachOther(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane, john := h.NewUser(named("jane")), h.NewUser(named("john"))
	followed := jane.Send("POST", "/users/john/follow", "")
	expect(t, followed, 201, "")
	h.Golden("followUser/new", followed.Body)
	expect(t, jane.Send("POST", fmt.Sprintf("/users/%d/follow", john.User.ID), ""), 304, "")
	expect(t, john.Send("POST", "/users/jane/follow", ""), 201, "")
	expect(t, h.Root().Send("POST", "/users/jane/follow", ""), 201, "")
	followers := john.Send("GET", "/users/jane/followers", "")
	expect(t, followers, 200, "")
	if want := `"username":"root"`; strings.Index(followers.Body, want) > strings.Index(followers.Body, `"username":"john"`) ||
		followers.Header.Get("X-Total") != "2" {
		t.Errorf("the latest is not the first: %s %s", followers.Header.Get("X-Total"), followers.Body)
	}
	page := john.Send("GET", "/users/jane/followers?per_page=1&page=2", "")
	if page.Header.Get("X-Total-Pages") != "2" || !strings.Contains(page.Body, `"john"`) || strings.Contains(page.Body, `"root"`) {
		t.Errorf("second page: %v %s", page.Header, page.Body)
	}
	expect(t, jane.Send("GET", "/users/jane/following", ""), 200, "["+followed.Body+"]")
	one := fmt.Sprintf("/users/%d", jane.User.ID)
	for who, want := range map[*harness.Caller]bool{jane: false, john: true, h.Root(): true} {
		if got := member(t, who.Send("GET", one, ""), "is_followed"); got != want {
			t.Errorf("%s is told that they follow jane: %v", who.User.Username, got)
		}
	}
	if got := h.Root().Send("GET", "/users?username=jane", ""); !strings.Contains(got.Body, `"is_followed":true`) {
		t.Errorf("in a list: %s", got.Body)
	}
	for who, want := range map[*harness.Caller][2]float64{jane: {2, 1}, john: {1, 1}, h.Root(): {0, 1}} {
		me := who.Send("GET", "/user", "")
		if got := [2]float64{member(t, me, "followers").(float64), member(t, me, "following").(float64)}; got != want {
			t.Errorf("%s has %v, want %v", who.User.Username, got, want)
		}
	}
	expect(t, jane.Send("POST", "/users/john/unfollow", ""), 201, followed.Body)
	expect(t, jane.Send("POST", "/users/john/unfollow", ""), 304, "")
	expect(t, jane.Send("GET", "/users/jane/following", ""), 200, "[]")
	expect(t, jane.Send("GET", "/users/jane/followers?pagination=keyset", ""), 405, "")
}

func TestBlockedUsersCannotBeFollowedAndPrivateProfilesHideFollowers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(named("jane"))
	blocked := h.NewUser(named("blocked"), func(u *model.User) { u.State = model.UserBlocked })
	private := h.NewUser(named("private"), func(u *model.User) { u.PrivateProfile = true })
	expect(t, jane.Send("POST", "/users/jane/follow", ""), 400, `{"message":"400 Bad request - You cannot follow yourself"}`)
	expect(t, jane.Send("POST", "/users/blocked/follow", ""), 400, `{"message":"400 Bad request - You cannot follow a blocked user"}`)
	expect(t, jane.Send("POST", "/users/nobody/follow", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, jane.Send("POST", "/users/nobody/unfollow", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, jane.Send("POST", "/users/private/follow", ""), 201, "")
	for _, list := range []string{"followers", "following"} {
		expect(t, h.Anonymous().Send("GET", "/users/jane/"+list, ""), 401, "")
		for _, name := range []string{private.User.Username, blocked.User.Username, "nobody"} {
			expect(t, jane.Send("GET", "/users/"+name+"/"+list, ""), 404, `{"message":"404 User Not Found"}`)
		}
		expect(t, private.Send("GET", "/users/private/"+list, ""), 200, "")
		expect(t, h.Root().Send("GET", "/users/blocked/"+list, ""), 200, "")
	}
}

func TestEmailsAreAddedReadAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane, root := h.NewUser(named("jane")), h.Root()
	created := jane.JSON("POST", "/user/emails", `{"email":"Jane@work.example.com"}`)
	expect(t, created, 201, "")
	h.Golden("createCurrentUserEmail/unconfirmed", created.Body)
	path := fmt.Sprintf("/user/emails/%v", member(t, created, "id"))
	expect(t, jane.Send("GET", path, ""), 200, created.Body)
	expect(t, jane.Send("GET", "/user/emails", ""), 200, "["+created.Body+"]")
	expect(t, root.Send("GET", "/users/jane/emails", ""), 200, "["+created.Body+"]")
	confirmed := root.JSON("POST", "/users/jane/emails",
		`{"email":"second@example.com","skip_confirmation":true,"user_id":1,"confirmed_at":null}`)
	expect(t, confirmed, 201, "")
	if member(t, confirmed, "confirmed_at") == nil {
		t.Errorf("it is not confirmed: %s", confirmed.Body)
	}
	unconfirmed := root.JSON("POST", "/users/jane/emails", `{"email":"third@example.com"}`)
	if member(t, unconfirmed, "confirmed_at") != nil {
		t.Errorf("it is confirmed: %s", unconfirmed.Body)
	}
	long := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, jane.Send("DELETE", path, "", "If-Unmodified-Since", long), 412, `{"message":"412 Precondition Failed"}`)
	expect(t, h.NewUser().Send("DELETE", path, ""), 404, `{"message":"404 Email Not Found"}`)
	expect(t, h.NewUser().Send("GET", path, ""), 404, `{"message":"404 Email Not Found"}`)
	if err := h.Store.Users.Update(t.Context(), jane.User.ID, map[string]any{
		"public_email": "jane@WORK.example.com", "commit_email": "second@example.com",
	}); err != nil {
		t.Fatal(err)
	}
	expect(t, jane.Send("DELETE", path, ""), 204, "")
	expect(t, jane.Send("DELETE", path, ""), 404, `{"message":"404 Email Not Found"}`)
	me := jane.Send("GET", "/user", "")
	if member(t, me, "public_email") != nil || member(t, me, "commit_email") != "second@example.com" {
		t.Errorf("it is still shown, or another is not: %s", me.Body)
	}
	other := fmt.Sprintf("/emails/%v", member(t, confirmed, "id"))
	expect(t, root.Send("DELETE", "/users/root"+other, ""), 404, `{"message":"404 Email Not Found"}`)
	expect(t, root.Send("DELETE", "/users/nobody"+other, ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, root.Send("DELETE", "/users/jane"+other, ""), 204, "")
}

func TestEmailRules(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane, john := h.NewUser(named("jane")), h.NewUser(named("john"))
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/users/%d/emails", john.User.ID),
		`{"email":"taken@example.com","skip_confirmation":true}`), 201, "")
	const invalid, taken = `{"message":{"email":["is invalid"]}}`, `{"message":{"email":["has already been taken"]}}`
	for _, c := range []struct{ name, email, want string }{
		{"another's", "TAKEN@example.com", taken},
		{"another's primary", "John@Example.com", taken},
		{"own primary", "jane@example.com", taken},
		{"blank", "", `{"message":{"email":["can't be blank"]}}`},
		{"no at", "jane", invalid},
		{"two ats", "a@b@c.example.com", invalid},
		{"line break", `a@example.com\nBcc: b@example.com`, invalid},
		{"tab", `a\t@example.com`, invalid},
		{"comment", "a(comment)@example.com", invalid},
		{"name", "Jane <a@example.com>", invalid},
		{"quotes", `\"a b\"@example.com`, invalid},
		{"look-alike", "pаypal@example.com", invalid},
		{"dots", "a..b@example.com", invalid},
		{"domain", "a@-example.com", invalid},
		{"long local part", strings.Repeat("a", 65) + "@example.com", invalid},
		{
			"long", strings.Repeat("a", 60) + "@" + strings.Repeat("d.", 100) + "example.com",
			`{"message":{"email":["is too long (maximum is 254 characters)"]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, jane.JSON("POST", "/user/emails", `{"email":"`+c.email+`"}`), 400, c.want)
			expect(t, h.Root().JSON("POST", "/users/jane/emails", `{"email":"`+c.email+`"}`), 400, c.want)
		})
	}
	expect(t, jane.JSON("POST", "/user/emails", `{}`), 400, `{"error":"email is missing"}`)
	expect(t, jane.JSON("POST", "/users/john/emails", `{"email":"a@example.com"}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.Send("GET", "/user/emails", ""), 200, "[]")
	expect(t, jane.JSON("POST", "/user/emails", `{"email":"mine@example.com","skip_confirmation":true}`), 201, "")
	if got := jane.Send("GET", "/user/emails", ""); strings.Contains(got.Body, `"confirmed_at":"`) {
		t.Errorf("a user has confirmed an address without proof: %s", got.Body)
	}
}

func TestPreferences(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser()
	shown := func(id string, a, b, c bool) string {
		return fmt.Sprintf(`{"id":%s,"user_id":%d,"view_diffs_file_by_file":%v,"show_whitespace_in_diffs":%v,`+
			`"pass_user_identities_to_ci_jwt":%v}`, id, jane.User.ID, a, b, c)
	}
	expect(t, jane.Send("GET", "/user/preferences", ""), 200, shown("null", false, true, false))
	expect(t, jane.JSON("PUT", "/user/preferences", `{}`), 400,
		`{"error":"view_diffs_file_by_file, show_whitespace_in_diffs, pass_user_identities_to_ci_jwt are missing, at `+
			`least one parameter must be provided"}`)
	expect(t, jane.JSON("PUT", "/user/preferences", `{"view_diffs_file_by_file":"maybe"}`), 400,
		`{"error":"view_diffs_file_by_file is invalid"}`)
	expect(t, jane.JSON("PUT", "/user/preferences", `{"view_diffs_file_by_file":true}`), 200, shown("1", true, true, false))
	expect(t, jane.Form("PUT", "/user/preferences", "show_whitespace_in_diffs=0&user_id=7"), 200, shown("1", true, false, false))
	expect(t, jane.JSON("PUT", "/user/preferences", `{"pass_user_identities_to_ci_jwt":true,"view_diffs_file_by_file":false}`),
		200, shown("1", false, false, true))
	expect(t, jane.Send("GET", "/user/preferences", ""), 200, shown("1", false, false, true))
}

// Concurrent requests may all add the same address, but only one user has it. While it is unconfirmed, the last request
// wins. Once it is confirmed, other users get an error.
func TestOneOfManyConcurrentCallersGetsAnEmailAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	callers := make([]*harness.Caller, 8)
	for i := range callers {
		callers[i] = h.NewUser()
	}
	for round := range 5 {
		var wg sync.WaitGroup
		got := make([]int, len(callers))
		for i, c := range callers {
			wg.Go(func() {
				got[i] = c.JSON("POST", "/user/emails", fmt.Sprintf(`{"email":"one%d@example.com"}`, round)).Status
			})
		}
		wg.Wait()
		count := map[int]int{}
		for _, status := range got {
			count[status]++
		}
		if count[201] != len(callers) {
			t.Errorf("round %d: %v", round, count)
		}
	}
	for query, want := range map[string]int64{"SELECT count(*) FROM emails": 5, "SELECT count(DISTINCT email) FROM emails": 5} {
		var n int64
		if err := h.Store.SQL().QueryRowContext(t.Context(), query).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d, %v", query, n, err)
		}
	}
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE emails SET confirmed_at = created_at"); err != nil {
		t.Fatal(err)
	}
	for _, c := range callers {
		expect(t, c.JSON("POST", "/user/emails", `{"email":"ONE0@example.com"}`), 400, `{"message":{"email":["has already been taken"]}}`)
	}
}
