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

func shareBody(with model.Namespace, role int) string {
	return fmt.Sprintf(`{"group_id":%d,"group_access":%d}`, with.ID, role)
}

func TestAGroupIsSharedWithAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	low := h.Group(at("low"), in(acme))
	team := h.Group(at("team"))
	owner, mate := h.Member(acme, model.Owner), h.Member(team, model.Maintainer)
	h.Join(team, owner.User, model.Guest)
	expect(t, mate.Send("GET", "/groups/acme", ""), 404, "")

	shared := owner.Form("POST", "/groups/acme/share", fmt.Sprintf("group_id=%d&group_access=30&expires_at=2099-01-31", team.ID))
	expect(t, shared, 201, "")
	h.Golden("shareGroup/expiring", shared.Body)
	expect(t, owner.Send("GET", "/groups/acme", ""), 200, shared.Body)
	expect(t, owner.JSON("PUT", "/groups/acme", `{}`), 200, shared.Body)
	expect(t, mate.Send("GET", "/groups/acme%2Flow", ""), 200, "")
	for _, path := range []string{"/groups/acme", "/groups/acme%2Flow"} {
		all := owner.Send("GET", fmt.Sprintf("%s/members/all/%d", path, mate.User.ID), "")
		if all.Status != 200 || !strings.Contains(all.Body, `"access_level":30`) {
			t.Errorf("%s: %d %s", path, all.Status, all.Body)
		}
	}
	list := owner.Send("GET", "/groups/acme/members/all?per_page=1", "")
	if list.Header.Get("X-Total") != "2" {
		t.Errorf("%s members in all", list.Header.Get("X-Total"))
	}
	expect(t, owner.Send("GET", fmt.Sprintf("/groups/acme/members/%d", mate.User.ID), ""), 404, "")
	if got := names(t, mate.Send("GET", "/groups?min_access_level=30", "")); got != "acme acme/low team" {
		t.Errorf("with role 30: %q", got)
	}
	expect(t, owner.JSON("POST", "/groups/acme/share", shareBody(team, 10)), 409,
		`{"message":"The group has already been shared with this group"}`)

	end := fmt.Sprintf("/groups/acme/share/%d", team.ID)
	expect(t, mate.Send("DELETE", end, ""), 403, `{"message":"403 Forbidden"}`)
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, owner.Send("DELETE", end, "", "If-Unmodified-Since", old), 412, `{"message":"412 Precondition Failed"}`)
	expect(t, owner.Send("DELETE", end, ""), 204, "")
	expect(t, owner.Send("DELETE", end, ""), 404, `{"message":"404 Group Link Not Found"}`)
	expect(t, owner.Send("DELETE", "/groups/acme/share/x", ""), 404, "")
	expect(t, mate.Send("GET", fmt.Sprintf("/groups/%d", low.ID), ""), 404, "")
}

func TestInvalidSharingOfGroupsIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	low := h.Group(at("low"), in(acme))
	side := h.Group(at("side"), in(acme))
	open, hidden := h.Group(at("open"), seen(model.Public)), h.Group(at("hidden"))
	owner := h.Member(acme, model.Owner)
	unseen := `{"message":"404 Group Not Found"}`
	for _, c := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"nothing", `{}`, 400, `{"error":"group_id is missing, group_access is missing"}`},
		{"no such role", shareBody(open, 33), 400, `{"error":"group_access does not have a valid value"}`},
		{"no number", `{"group_id":"open","group_access":30}`, 400, `{"error":"group_id is invalid"}`},
		{"no day", fmt.Sprintf(`{"group_id":%d,"group_access":30,"expires_at":"soon"}`, open.ID), 400, `{"error":"expires_at is invalid"}`},
		{
			"past", fmt.Sprintf(`{"group_id":%d,"group_access":30,"expires_at":"2001-01-01"}`, open.ID), 400,
			`{"message":{"expires_at":["cannot be a date in the past"]}}`,
		},
		{"itself", shareBody(acme, 30), 400, `{"message":"400 Bad request - A group cannot be shared with itself"}`},
		{"unknown", `{"group_id":999999,"group_access":30}`, 404, unseen},
		{"unseen", shareBody(hidden, 30), 404, unseen},
		{"a user's namespace", fmt.Sprintf(`{"group_id":%d,"group_access":30}`, *owner.User.NamespaceID), 404, unseen},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, owner.JSON("POST", "/groups/acme/share", c.body), c.status, c.want) })
	}
	expect(t, h.Member(acme, model.Maintainer).JSON("POST", "/groups/acme/share", shareBody(open, 10)), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().JSON("POST", "/groups/acme/share", shareBody(open, 10)), 404, unseen)
	expect(t, h.Anonymous().JSON("POST", "/groups/acme/share", shareBody(open, 10)), 401, "")
	if got := owner.Send("GET", "/groups/acme", ""); !strings.Contains(got.Body, `"shared_with_groups":[]`) {
		t.Errorf("something was shared: %s", got.Body)
	}
	// The setting of the top-level group counts for all groups below it; share_with_group_lock is only about projects.
	expect(t, owner.JSON("PUT", "/groups/acme%2Flow",
		`{"prevent_sharing_groups_outside_hierarchy":true,"share_with_group_lock":true}`), 200, "")
	expect(t, owner.JSON("POST", "/groups/acme%2Flow/share", shareBody(open, 30)), 201, "")
	expect(t, owner.JSON("PUT", "/groups/acme", `{"prevent_sharing_groups_outside_hierarchy":true}`), 200, "")
	another := h.Group(at("another"), seen(model.Public))
	expect(t, owner.JSON("POST", "/groups/acme%2Flow/share", shareBody(another, 30)), 404, unseen)
	expect(t, owner.JSON("POST", "/groups/acme/share", shareBody(another, 30)), 404, unseen)
	expect(t, owner.JSON("POST", "/groups/acme%2Flow/share", shareBody(side, 30)), 201, "")
	expect(t, owner.JSON("POST", "/groups/acme%2Fside/share", shareBody(low, 30)), 201, "")
}

func TestInvitedGroupsAreShownOnlyToUsersWhoCanSeeThem(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Group(at("acme"), seen(model.Public))
	for path, v := range map[string]model.Visibility{"open": model.Public, "house": model.Internal, "secret": model.Private} {
		expect(t, h.Root().JSON("POST", "/groups/acme/share", shareBody(h.Group(at(path), seen(v)), 20)), 201, "")
	}
	for who, c := range map[string]struct {
		caller *harness.Caller
		want   int
	}{
		"anonymous": {h.Anonymous(), 1}, "external": {h.NewUser(harness.External), 1},
		"user": {h.NewUser(), 2}, "administrator": {h.Root(), 3},
	} {
		before := h.Store.Statements()
		got := c.caller.Send("GET", "/groups/acme", "")
		if n := strings.Count(got.Body, `"group_full_path"`); n != c.want {
			t.Errorf("%s sees %d groups: %s", who, n, got.Body)
		}
		if n := h.Store.Statements() - before; n > 6 { // two of them are about projects
			t.Errorf("%s: %d statements", who, n)
		}
	}
}

func TestConcurrentSharingOfAGroupSharesItOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme, team := h.Group(at("acme")), h.Group(at("team"))
	h.Join(acme, h.Root().User, model.Owner)
	statuses := make([]int, 4)
	var all sync.WaitGroup
	root := h.Root()
	for i := range statuses {
		all.Go(func() { statuses[i] = root.JSON("POST", "/groups/acme/share", shareBody(team, 20)).Status })
	}
	all.Wait()
	count := map[int]int{}
	for _, s := range statuses {
		count[s]++
	}
	if count[201] != 1 || count[409] != 3 {
		t.Errorf("answered %v", statuses)
	}
}
