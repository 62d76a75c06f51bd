package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
	"svc/tests/wait"
)

const fine, nothing = "201 true", "201 null"

func no(reason string) string { return `403 {"message":"403 Forbidden - ` + reason + `"}` }

func TestUserStatesChangeOnlyAlongAllowedTransitions(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	states := []model.UserState{
		model.UserActive, model.UserBlocked, model.UserDeactivated, model.UserBanned, model.UserLDAPBlocked, model.UserPendingApproval,
	}
	blocked, must := no("A blocked user cannot be deactivated by the API"), no("A blocked user must be unblocked to be activated")
	pending := `409 {"message":"The user you are trying to approve is not pending approval"}`
	request := `409 {"message":"User does not have a pending request"}`
	success := `201 {"message":"Success"}`
	for action, want := range map[string][]string{
		"block": {fine, nothing, fine, nothing, no("LDAP blocked users cannot be modified by the API"), fine},
		"unblock": {
			"201 false", fine, no("Deactivated users cannot be unblocked by the API"), no("Banned users cannot be unblocked by the API"),
			no("LDAP blocked users cannot be unblocked by the API"), no("Users pending approval cannot be unblocked by the API"),
		},
		"deactivate": {fine, blocked, nothing, blocked, blocked, blocked},
		"activate":   {nothing, must, fine, must, must, must},
		"ban": {
			fine, no("You cannot ban blocked users."), no("You cannot ban deactivated users."), nothing,
			no("You cannot ban ldap_blocked users."), no("You cannot ban blocked_pending_approval users."),
		},
		"unban": {
			nothing, no("You cannot unban blocked users."), no("You cannot unban deactivated users."), fine,
			no("You cannot unban ldap_blocked users."), no("You cannot unban blocked_pending_approval users."),
		},
		"approve": {pending, pending, pending, pending, pending, success},
		"reject":  {request, request, request, request, request, success},
	} {
		after := map[string]model.UserState{
			"block": model.UserBlocked, "unblock": model.UserActive, "deactivate": model.UserDeactivated,
			"activate": model.UserActive, "ban": model.UserBanned, "unban": model.UserActive, "approve": model.UserActive,
		}[action]
		for i, state := range states {
			u := storetest.User(t, h.Store, func(u *model.User) { u.State = state })
			path := fmt.Sprintf("/users/%d", u.ID)
			answer := root.Send("POST", path+"/"+action, "")
			if got := fmt.Sprint(answer.Status, " ", answer.Body); got != want[i] {
				t.Errorf("%s of %s: %s, want %s", action, state, got, want[i])
			}
			shown := root.Send("GET", path, "")
			switch {
			case action == "reject" && want[i] == success:
				expect(t, shown, 404, `{"message":"404 User Not Found"}`)
			case want[i] == fine || want[i] == success:
				state = after
				fallthrough
			default:
				if got := member(t, shown, "state"); got != string(state) {
					t.Errorf("after %s it is %v, want %s", action, got, state)
				}
			}
		}
		expect(t, root.JSON("POST", "/users/999999/"+action, `{}`), 404, `{"message":"404 User Not Found"}`)
	}
}

func TestSomeUsersKeepTheirState(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	lately := time.Now().UTC().AddDate(0, 0, -80)
	ghost := storetest.User(t, h.Store, func(u *model.User) { u.Kind = model.UserGhost })
	busy := storetest.User(t, h.Store, func(u *model.User) { u.LastActivityOn = &lately })
	seen := storetest.User(t, h.Store, func(u *model.User) { u.CurrentSignInAt = &lately })
	for path, want := range map[string]string{
		fmt.Sprintf("/users/%d/block", root.User.ID):      no("The API initiating user cannot be blocked by the API"),
		fmt.Sprintf("/users/%d/ban", root.User.ID):        no("The API initiating user cannot be banned by the API"),
		fmt.Sprintf("/users/%d/deactivate", root.User.ID): no("The API initiating user cannot be deactivated by the API"),
		fmt.Sprintf("/users/%d/block", ghost.ID):          no("An internal user cannot be blocked by the API"),
		fmt.Sprintf("/users/%d/ban", ghost.ID):            no("An internal user cannot be banned by the API"),
		fmt.Sprintf("/users/%d/deactivate", ghost.ID):     no("An internal user cannot be deactivated by the API"),
		fmt.Sprintf("/users/%d/deactivate",
			busy.ID): no("The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated"),
		fmt.Sprintf("/users/%d/deactivate",
			seen.ID): no("The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated"),
	} {
		answer := root.Send("POST", path, "")
		if got := fmt.Sprint(answer.Status, " ", answer.Body); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	long := time.Now().UTC().AddDate(0, 0, -100)
	idle := storetest.User(t, h.Store, func(u *model.User) { u.LastActivityOn, u.CurrentSignInAt = &long, &long })
	expect(t, root.Send("POST", fmt.Sprintf("/users/%d/deactivate", idle.ID), ""), 201, "true")
}

func TestABlockedUserIsRefusedAtOnceAndLetInAgain(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser()
	path := fmt.Sprintf("/users/%d", jane.User.ID)
	expect(t, jane.Send("GET", "/user", ""), 200, "")
	expect(t, h.Root().Send("POST", path+"/block", ""), 201, "true")
	expect(t, jane.Send("GET", "/user", ""), 403, "")
	expect(t, h.Root().Send("POST", path+"/unblock", ""), 201, "true")
	expect(t, jane.Send("GET", "/user", ""), 200, "")
}

func TestOneOfManyConcurrentStateChangesSucceeds(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	waiting := storetest.User(t, h.Store, func(u *model.User) { u.State = model.UserPendingApproval })
	path := fmt.Sprintf("/users/%d/", waiting.ID)
	var mu sync.Mutex
	answers := map[string]int{}
	var wg sync.WaitGroup
	for _, action := range []string{"approve", "reject", "approve", "reject", "approve", "reject"} {
		wg.Go(func() {
			answer := root.Send("POST", path+action, "")
			mu.Lock()
			defer mu.Unlock()
			answers[fmt.Sprint(answer.Status)]++
		})
	}
	wg.Wait()
	if answers["201"] != 1 || answers["409"]+answers["404"] != 5 {
		t.Errorf("answers are %v", answers)
	}
	u := storetest.User(t, h.Store)
	clear(answers)
	for range 4 {
		wg.Go(func() {
			answer := root.Send("POST", fmt.Sprintf("/users/%d/block", u.ID), "")
			mu.Lock()
			defer mu.Unlock()
			answers[answer.Body]++
		})
	}
	wg.Wait()
	if answers["true"] != 1 || answers["null"] != 3 {
		t.Errorf("answers are %v", answers)
	}
}

func TestAUserIsDeletedInTheBackground(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, jane := h.Root(), h.NewUser(named("jane"))
	made := storetest.User(t, h.Store, func(u *model.User) { u.CreatedByID = &jane.User.ID })
	path := fmt.Sprintf("/users/%d", jane.User.ID)
	expect(t, root.Send("DELETE", path, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412,
		`{"message":"412 Precondition Failed"}`)
	expect(t, jane.Send("GET", "/user", ""), 200, "")
	expect(t, root.Send("DELETE", path, ""), 204, "")
	expect(t, root.Send("DELETE", path+"?hard_delete=true", ""), 204, "")
	expect(t, jane.Send("GET", "/user", ""), 403, "") // refused before the background job has run
	h.StartWorker()
	wait.Until(t, "the user is deleted", func() bool { return root.Send("GET", path, "").Status == 404 })
	expect(t, root.Send("DELETE", path, ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, jane.Send("GET", "/user", ""), 401, "")
	creator, _ := member(t, root.Send("GET", fmt.Sprintf("/users/%d", made.ID), ""), "created_by").(map[string]any)
	if creator["username"] != "ghost" {
		t.Errorf("made by %v", creator)
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%v", creator["id"]), ""), 403,
		`{"message":"403 Forbidden - An internal user cannot be deleted by the API"}`)
	expect(t, root.JSON("POST", "/users", `{`+newJane+`,"force_random_password":true}`), 201, "") // the username is free again
}

func TestActivitiesAreListedOldestFirst(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for name, day := range map[string]string{"old": "2020-01-31", "new": "2020-02-02", "mid": "2020-02-01"} {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		storetest.User(t, h.Store, named(name, func(u *model.User) { u.LastActivityOn = &at }))
	}
	storetest.User(t, h.Store)
	root := h.Root()
	expect(t, root.Send("GET", "/user/activities", ""), 200, `[]`)
	expect(t, root.Send("GET", "/user/activities?from=2020-02-01", ""), 200,
		`[{"username":"mid","last_activity_on":"2020-02-01","last_activity_at":"2020-02-01"},{"username":"new",`+
			`"last_activity_on":"2020-02-02","last_activity_at":"2020-02-02"}]`)
	if got := usernames(t, root.Send("GET", "/user/activities?from=1970-01-01&per_page=2", "")); got != "old mid" {
		t.Errorf("activities are of %s", got)
	}
	expect(t, root.Send("GET", "/user/activities?from=soon", ""), 400, `{"error":"from is invalid"}`)
	expect(t, h.NewUser().Send("GET", "/user/activities", ""), 403, `{"message":"403 Forbidden"}`)
}

func TestTwoFactorAuthenticationIsDisabled(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	u := storetest.User(t, h.Store)
	path := fmt.Sprintf("/users/%d", u.ID)
	off := `{"message":"400 Bad request - Two-factor authentication is not enabled for this user"}`
	expect(t, root.Send("PATCH", path+"/disable_two_factor", ""), 400, off)
	if err := h.Store.TwoFactors.Enable(t.Context(), u.ID, []byte("sealed"), 0, [][]byte{[]byte("digest")}); err != nil {
		t.Fatal(err)
	}
	if got := member(t, root.Send("GET", path, ""), "two_factor_enabled"); got != true {
		t.Errorf("two_factor_enabled is %v", got)
	}
	if got := usernames(t, root.Send("GET", "/users?two_factor=enabled", "")); got != u.Username {
		t.Errorf("enabled for %q", got)
	}
	expect(t, root.Send("PATCH", path+"/disable_two_factor", ""), 204, "")
	expect(t, root.Send("PATCH", path+"/disable_two_factor", ""), 400, off)
	if got := member(t, root.Send("GET", path, ""), "two_factor_enabled"); got != false {
		t.Errorf("two_factor_enabled is %v", got)
	}
	refused := root.Send("PATCH", fmt.Sprintf("/users/%d/disable_two_factor", root.User.ID), "")
	if refused.Status != 403 || !strings.Contains(refused.Body, "Two-factor authentication for admins cannot be disabled via the API.") {
		t.Errorf("of an administrator: %d %s", refused.Status, refused.Body)
	}
	expect(t, root.Send("PATCH", "/users/999999/disable_two_factor", ""), 404, `{"message":"404 User Not Found"}`)
}
