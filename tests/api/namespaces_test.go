package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func withUsername(username string) func(*model.User) {
	return func(u *model.User) { u.Username, u.Name = username, username }
}

func TestNamespacesAreVisibleByRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Root()
	jane := h.NewUser(withUsername("jane"))
	acme := h.Group(at("acme"))
	h.Group(at("web"), in(acme))
	h.Group(at("open"), seen(model.Public))
	h.Group(at("lent"))
	team := h.Group(at("team"))
	h.Join(acme, jane.User, model.Owner)
	h.Join(team, jane.User, model.Developer)
	expect(t, h.Root().JSON("POST", "/groups/lent/share", shareBody(team, 50)), 201, "")
	for query, want := range map[string]string{
		"":                            "jane acme acme/web lent team",
		"?owned_only=true":            "jane acme acme/web",
		"?search=WEB":                 "acme/web",
		"?search=ACME":                "acme acme/web",
		"?search=%25":                 "",
		"?search=e&owned_only=1":      "jane acme acme/web",
		"?per_page=2&page=2":          "acme/web lent",
		"?search=jane":                "jane",
		"?search=%27%20OR%201%3D1--":  "",
		"?search=open":                "",
		"?owned_only=no&search=lent":  "lent",
		"?owned_only=yes&search=lent": "",
	} {
		if got := names(t, jane.Send("GET", "/namespaces"+query, "")); got != want {
			t.Errorf("%q gives %q, want %q", query, got, want)
		}
	}
	if got := names(t, h.Root().Send("GET", "/namespaces", "")); got != "root jane acme acme/web open lent team" {
		t.Errorf("an administrator sees %q", got)
	}
	if got := names(t, h.Root().Send("GET", "/namespaces?owned_only=true", "")); got != "root" {
		t.Errorf("an administrator owns %q", got)
	}
	expect(t, h.Anonymous().Send("GET", "/namespaces", ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, jane.Send("GET", "/namespaces?owned_only=perhaps", ""), 400, `{"error":"owned_only is invalid"}`)
	before := h.Store.Statements()
	if jane.Send("GET", "/namespaces", ""); h.Store.Statements()-before > 4 {
		t.Errorf("%d statements", h.Store.Statements()-before)
	}
}

func TestANamespaceIsShownToUsersWhoCanSeeIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	web := h.Group(at("web"), in(acme))
	h.Group(at("open"), seen(model.Public))
	owner, guest := h.Member(acme, model.Owner), h.Member(web, model.Guest)
	jane := h.NewUser(withUsername("jane"))
	h.Join(web, owner.User, model.Owner) // the same user counts once
	ended := endedYesterday()
	if err := h.Store.Members.Add(t.Context(), &model.Member{
		SourceType:  model.SourceGroup,
		SourceID:    web.ID,
		UserID:      jane.User.ID,
		AccessLevel: model.Guest,
		ExpiresAt:   &ended,
	}); err != nil {
		t.Fatal(err)
	}
	blocked := h.Member(acme, model.Guest)
	if err := h.Store.Users.Update(t.Context(), blocked.User.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	shown := owner.Send("GET", "/namespaces/ACME%2Fweb", "")
	h.Golden("getNamespace/owner", shown.Body)
	expect(t, owner.Send("GET", fmt.Sprintf("/namespaces/%d", web.ID), ""), 200, shown.Body)
	own := jane.Send("GET", "/namespaces/jane", "")
	h.Golden("getNamespace/user", own.Body)
	for _, c := range []struct {
		who    *harness.Caller
		path   string
		status int
		count  string
	}{
		{owner, "acme", 200, `"members_count_with_descendants":2`},
		{h.Root(), "acme", 200, `"members_count_with_descendants":2`},
		{h.Root(), "open", 200, `"members_count_with_descendants":0`},
		{h.Root(), "jane", 200, ""},
		{guest, "acme%2Fweb", 200, ""},
		{guest, "acme", 200, ""},
		{jane, "open", 200, ""},
		{jane, "acme", 404, ""},
		{jane, fmt.Sprint(acme.ID), 404, ""},
		{jane, "root", 404, ""},
		{owner, "jane", 404, ""},
		{owner, fmt.Sprint(*jane.User.NamespaceID), 404, ""},
		{owner, "nothing", 404, ""},
		{owner, "99999999999999999999", 404, ""},
	} {
		got := c.who.Send("GET", "/namespaces/"+c.path, "")
		if c.status == 404 {
			expect(t, got, 404, `{"message":"404 Namespace Not Found"}`)
		} else if got.Status != 200 || !strings.Contains(got.Body, c.count) ||
			(c.count == "" && strings.Contains(got.Body, "members_count")) {
			t.Errorf("%s: %d %s, want %s", c.path, got.Status, got.Body, c.count)
		}
	}
	expect(t, h.Anonymous().Send("GET", "/namespaces/open", ""), 401, `{"message":"401 Unauthorized"}`)
}

func TestThePathOfANamespaceIsCheckedForExistence(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	for _, path := range []string{"web", "web1", "WEB2", "web4"} {
		h.Group(at(path), in(acme))
	}
	h.NewUser(withUsername("jane"))
	owner, other := h.Member(acme, model.Owner), h.NewUser()
	inAcme := fmt.Sprintf("?parent_id=%d", acme.ID)
	free := `{"exists":false,"suggests":[]}`
	for path, want := range map[string]string{
		"acme/exists":                  `{"exists":true,"suggests":["acme1"]}`,
		"ACME/exists":                  `{"exists":true,"suggests":["ACME1"]}`,
		"jane/exists":                  `{"exists":true,"suggests":["jane1"]}`,
		"free/exists":                  free,
		"web/exists":                   free,
		"acme%2Fweb/exists":            free,
		"acm%25/exists":                free,
		"web/exists" + inAcme:          `{"exists":true,"suggests":["web3"]}`,
		"acme/exists" + inAcme:         free,
		"x%2F..%2Fweb/exists" + inAcme: free,
	} {
		expect(t, owner.Send("GET", "/namespaces/"+path, ""), 200, want)
	}
	// A group that the caller cannot see gets the same response as one that does not exist.
	for _, query := range []string{inAcme, "?parent_id=999999"} {
		expect(t, other.Send("GET", "/namespaces/web/exists"+query, ""), 404, `{"message":"404 Namespace Not Found"}`)
	}
	expect(t, other.Send("GET", "/namespaces/acme/exists", ""), 200, `{"exists":true,"suggests":["acme1"]}`)
	expect(t, owner.Send("GET", "/namespaces/web/exists?parent_id=acme", ""), 400, `{"error":"parent_id is invalid"}`)
	expect(t, h.Anonymous().Send("GET", "/namespaces/acme/exists", ""), 401, `{"message":"401 Unauthorized"}`)
	// All suggestions are taken.
	h.Group(at("full"))
	for i := range 100 {
		h.Group(at(fmt.Sprintf("full%d", i+1)))
	}
	expect(t, owner.Send("GET", "/namespaces/full/exists", ""), 200, `{"exists":true,"suggests":[]}`)
}
