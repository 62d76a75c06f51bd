package api

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// usernames returns the usernames in a list, in order.
func usernames(t *testing.T, a harness.Answer) string {
	t.Helper()
	if a.Status != 200 {
		t.Errorf("answered %d %s", a.Status, a.Body)
		return "failed"
	}
	var rows []struct{ Username string }
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.Username
	}
	return strings.Join(names, " ")
}

// usersOfEachKind starts a service with one user of each kind; the first user is root.
func usersOfEachKind(t *testing.T, edit ...func(*config.Config)) (*harness.H, *harness.Caller, *harness.Caller) {
	t.Helper()
	h := harness.New(t, edit...)
	root := h.Root()
	jane := h.NewUser(named("jane", func(u *model.User) { public := "jane@public.example"; u.PublicEmail = &public }))
	for _, f := range []func(*model.User){
		named("blocked", func(u *model.User) { u.State = model.UserBlocked }),
		named("banned", func(u *model.User) { u.State = model.UserBanned }),
		named("extern", func(u *model.User) { u.External = true }),
		named("ghost", func(u *model.User) { u.Kind = model.UserGhost }),
		named("alert", func(u *model.User) { u.Kind = model.UserAlertBot }),
		named("projectbot", func(u *model.User) { u.Kind = model.UserProjectBot }),
		named("second", func(u *model.User) { u.TwoFactor, u.Auditor, u.Name = true, true, "Zoë Zarah" }),
	} {
		storetest.User(t, h.Store, f)
	}
	return h, root, jane
}

func TestUsersAreFilteredForEverybody(t *testing.T) {
	t.Parallel()
	_, root, jane := usersOfEachKind(t)
	for query, want := range map[string]string{
		"":                                     "second projectbot alert ghost extern banned blocked jane root",
		"username=JANE":                        "jane",
		"username=jan":                         "",
		"search=an":                            "", // with two characters, the name must begin with them
		"search=ja":                            "jane",
		"search=LOCK":                          "blocked",
		"search=zara":                          "second",
		"search=jane@public.example":           "jane",
		"search=jane@public":                   "",
		"search=%25%25%25":                     "",
		"search=___":                           "",
		"search=%22a%22%20OR":                  "",
		"search=%20":                           "second projectbot alert ghost extern banned blocked jane root",
		"active=true":                          "second projectbot alert extern jane root",
		"active=false":                         "second projectbot alert ghost extern banned blocked jane root",
		"blocked=true":                         "blocked",
		"external=true":                        "extern",
		"exclude_external=true":                "second projectbot alert ghost banned blocked jane root",
		"exclude_internal=1":                   "second projectbot extern banned blocked jane root",
		"without_project_bots=True":            "second alert ghost extern banned blocked jane root",
		"created_after=2999-01-01":             "",
		"created_before=2001-01-01T00:00:00Z":  "",
		"created_after=2001-01-01&search=jane": "jane",
		"per_page=2&page=2":                    "alert ghost",
	} {
		for _, caller := range []*harness.Caller{root, jane} {
			if got := usernames(t, caller.Send("GET", "/users?"+query, "")); got != want {
				t.Errorf("%s asks for %q: %q, want %q", caller.User.Username, query, got, want)
			}
		}
	}
}

func TestOnlyAdministratorsFilterAndOrderFurther(t *testing.T) {
	t.Parallel()
	h, root, jane := usersOfEachKind(t)
	ldap := storetest.User(t, h.Store, named("ldap"))
	if err := h.Store.Identities.Put(t.Context(), &model.Identity{UserID: ldap.ID, Provider: "ldapmain", ExternUID: "UID=x"}); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"a": "1", "b": "2"} {
		if err := h.Store.CustomAttributes.Put(t.Context(), &model.UserCustomAttribute{
			UserID: ldap.ID, Key: key, Value: value,
		}); err != nil {
			t.Fatal(err)
		}
	}
	all := "ldap second projectbot alert ghost extern banned blocked jane root"
	for query, want := range map[string]string{
		"search=jane@example.com":                          "jane",
		"order_by=name&sort=asc":                           "root alert banned blocked extern ghost jane ldap projectbot second",
		"order_by=username&sort=desc&per_page=2":           "second root",
		"order_by=created_at&sort=asc&per_page=2":          "root jane",
		"order_by=updated_at&per_page=2":                   "ldap second",
		"sort=asc&per_page=1":                              "root",
		"two_factor=enabled":                               "second",
		"two_factor=disabled&search=second":                "",
		"admins=true":                                      "root",
		"auditors=true":                                    "second",
		"skip_ldap=true":                                   "second projectbot alert ghost extern banned blocked jane root",
		"saml_provider_id=7":                               "",
		"custom_attributes[a]=1":                           "ldap",
		"custom_attributes[a]=1&custom_attributes[b]=2":    "ldap",
		"custom_attributes[a]=1&custom_attributes%5Bb%5D=": "",
		"": all,
	} {
		if got := usernames(t, root.Send("GET", "/users?"+query, "")); got != want {
			t.Errorf("root asks for %q: %q, want %q", query, got, want)
		}
		if strings.Contains(query, "search") || strings.Contains(query, "per_page") {
			continue
		}
		if got := usernames(t, jane.Send("GET", "/users?"+query, "")); got != all {
			t.Errorf("jane asks for %q: %q, want all", query, got)
		}
	}
	if got := usernames(t, root.Send("GET", "/users?provider=ldapmain&extern_uid=uid%3DX", "")); got != "ldap" {
		t.Errorf("by identity: %q", got)
	}
	if got := usernames(t, jane.Send("GET", "/users?search=jane@example.com", "")); got != "" {
		t.Errorf("by another's private address: %q", got)
	}
	expect(t, jane.Send("GET", "/users?provider=ldapmain&extern_uid=uid", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, root.Send("GET", "/users?provider=ldapmain", ""), 400, `{"error":"extern_uid, provider provide all or none of parameters"}`)
	expect(t, root.Send("GET", "/users?extern_uid=x", ""), 400, `{"error":"extern_uid, provider provide all or none of parameters"}`)
	shown := root.Send("GET", "/users?with_custom_attributes=true&username=ldap", "")
	if !strings.Contains(shown.Body, `"custom_attributes":[{"key":"a","value":"1"},{"key":"b","value":"2"}]`) ||
		!strings.Contains(shown.Body, `"extern_uid":"UID=x"`) {
		t.Errorf("shown as %s", shown.Body)
	}
	if got := jane.Send("GET", "/users?with_custom_attributes=true&username=ldap", ""); strings.Contains(got.Body, "custom") {
		t.Errorf("shown as %s", got.Body)
	}
}

func TestTheFreeTierHasNoPaidFilters(t *testing.T) {
	t.Parallel()
	_, root, _ := usersOfEachKind(t, func(c *config.Config) { c.Tier = "free" })
	if got := usernames(t, root.Send("GET", "/users?auditors=true&per_page=2", "")); got != "second projectbot" {
		t.Errorf("auditors are %q", got)
	}
}

func TestAnonymousCallersLookUpAUsernameOnly(t *testing.T) {
	t.Parallel()
	h, _, jane := usersOfEachKind(t)
	anyone := h.Anonymous()
	refused := `{"message":"403 Forbidden - Not authorized to access /api/v4/users"}`
	expect(t, anyone.Send("GET", "/users", ""), 403, refused)
	expect(t, anyone.Send("GET", "/users?search=jane", ""), 403, refused)
	expect(t, anyone.Send("GET", "/users?username=", ""), 403, refused)
	expect(t, anyone.Send("GET", "/users?username=jane", ""), 200,
		fmt.Sprintf(`[{"id":%d,"username":"jane","name":"Jane","state":"active","locked":false,"avatar_url":null,"web_url":"%s/jane"}]`,
			jane.User.ID, h.URL))
	expect(t, anyone.Send("GET", fmt.Sprintf("/users/%d", jane.User.ID), ""), 403, `{"message":"403 Forbidden - Not authorized!"}`)
}

func TestWrongParametersOfAUserListAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	many := ""
	for i := range 21 {
		many += fmt.Sprintf("&custom_attributes[k%d]=v", i)
	}
	for query, want := range map[string]string{
		"order_by=password_hash":          "order_by does not have a valid value",
		"order_by=id%3B+DROP+TABLE+users": "order_by does not have a valid value",
		"sort=up":                         "sort does not have a valid value",
		"two_factor=maybe":                "two_factor does not have a valid value",
		"active=perhaps":                  "active is invalid",
		"created_after=yesterday":         "created_after is invalid",
		"saml_provider_id=x":              "saml_provider_id is invalid",
		"page=0":                          "page does not have a valid value",
		"cursor=abc!&pagination=keyset":   "cursor is invalid",
		"search=%00":                      "search is invalid",
		"a=b" + many:                      "custom_attributes is invalid",
	} {
		got := h.Root().Send("GET", "/users?"+query, "")
		if got.Status != 400 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s, want %s", query, got.Status, got.Body, want)
		}
	}
	expect(t, h.Root().Send("GET", "/users?pagination=keyset&order_by=created_at", ""), 405,
		`{"error":"Keyset pagination is not yet available for this type of request"}`)
	got := h.Root().Send("GET", "/users?page=501&per_page=100", "")
	if got.Status != 405 ||
		!strings.Contains(got.Body, "objects of type User. Remaining records can be retrieved using keyset pagination.") {
		t.Errorf("over the offset limit: %d %s", got.Status, got.Body)
	}
}

var nextLink = regexp.MustCompile(`^<http://[^/]+(/[^>]+)>; rel="next"$`)

func TestKeysetPaginationWalksUsersInEveryOrder(t *testing.T) {
	t.Parallel()
	_, root, jane := usersOfEachKind(t)
	byName := []string{"root", "alert", "banned", "blocked", "extern", "ghost", "jane", "projectbot", "second"}
	byUsername := slices.Sorted(slices.Values(byName))
	byID := []string{"root", "jane", "blocked", "banned", "extern", "ghost", "alert", "projectbot", "second"}
	for _, caller := range []*harness.Caller{root, jane} {
		for order, want := range map[string][]string{"name": byName, "username": byUsername, "id": byID} {
			for _, sort := range []string{"asc", "desc"} {
				want := slices.Clone(want)
				if sort == "desc" {
					slices.Reverse(want)
				}
				var got []string
				for path := "/users?pagination=keyset&order_by=" + order + "&sort=" + sort + "&per_page=4"; path != ""; {
					answer := caller.Send("GET", path, "")
					got = append(got, strings.Fields(usernames(t, answer))...)
					path = ""
					if link := answer.Header.Get("Link"); link != "" {
						path = nextLink.FindStringSubmatch(link)[1]
					}
					if answer.Header.Get("X-Total")+answer.Header.Get("X-Page")+answer.Header.Get("X-Next-Page") != "" {
						t.Errorf("headers %v", answer.Header)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s %s: %v, want %v", order, sort, got, want)
				}
			}
		}
	}
}

func TestAUserIsShownAsTheCallerMaySee(t *testing.T) {
	t.Parallel()
	h, root, jane := usersOfEachKind(t)
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	hidden := storetest.User(t, h.Store, named("hidden", func(u *model.User) {
		ip := "192.0.2.1"
		u.PrivateProfile, u.CreatedByID, u.LastSignInIP, u.SignInCount, u.LastActivityOn = true, &jane.User.ID, &ip, 3, &day
	}))
	path := fmt.Sprintf("/users/%d", hidden.ID)
	h.Golden("getUser/private_profile", jane.Send("GET", path, "").Body)
	h.Golden("getUser/single", h.WithToken(hidden, "read_user").Send("GET", fmt.Sprintf("/users/%d", jane.User.ID), "").Body)
	h.Golden("getUser/own", h.WithToken(hidden, "read_user").Send("GET", path, "").Body)
	h.Golden("getUser/administrator", root.Send("GET", path+"?with_custom_attributes=true", "").Body)
	h.Golden("listUsers/administrator", root.Send("GET", "/users?username=hidden", "").Body)
	h.Golden("listUsers/user", jane.Send("GET", "/users?username=hidden", "").Body)
	for _, caller := range []*harness.Caller{root, jane} {
		expect(t, caller.Send("GET", "/users/999999", ""), 404, `{"message":"404 User Not Found"}`)
		expect(t, caller.Send("GET", "/users/jane", ""), 404, `{"error":"404 Not Found"}`)
		expect(t, caller.Send("GET", "/users/99999999999999999999", ""), 404, `{"error":"404 Not Found"}`)
	}
}
