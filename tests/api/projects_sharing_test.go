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

func TestAProjectIsSharedWithAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme, team := h.Group(at("acme")), h.Group(at("team"))
	web := h.Project(acme.ID, called("web", model.Private))
	boss, mate := h.ProjectMember(web, model.Maintainer), h.Member(team, model.Owner)
	h.Join(team, boss.User, model.Guest)
	expect(t, mate.Send("GET", "/projects/acme%2Fweb", ""), 404, "")

	shared := boss.Form("POST", "/projects/acme%2Fweb/share", fmt.Sprintf("group_id=%d&group_access=30&expires_at=2099-01-31", team.ID))
	expect(t, shared, 201,
		fmt.Sprintf(`{"id":1,"project_id":%d,"group_id":%d,"group_access":30,"expires_at":"2099-01-31"}`, web.ID, team.ID))
	seen := mate.Send("GET", "/projects/acme%2Fweb", "")
	if seen.Status != 200 || !strings.Contains(seen.Body, `"group_access":{"access_level":30`) {
		t.Errorf("a member of the group is shown %d %s", seen.Status, seen.Body)
	}
	if got := member(t, seen, "shared_with_groups"); got == nil || !strings.Contains(fmt.Sprint(got), "group_full_path:team") {
		t.Errorf("it is shared with %v", got)
	}
	expect(t, boss.JSON("POST", "/projects/acme%2Fweb/share", shareBody(team, 10)), 409,
		`{"message":"Group already shared with this group"}`)
	if got := paths(t, mate.Send("GET", "/groups/team/projects/shared", "")); got != "acme/web" {
		t.Errorf("shared with the group are %q", got)
	}
	if got := paths(t, mate.Send("GET", "/groups/team/projects/shared?archived=true", "")); got != "" {
		t.Errorf("shared with the group and archived are %q", got)
	}
	group := mate.Send("GET", "/groups/team", "")
	if !strings.Contains(group.Body, `"projects":[],"shared_projects":[{"id":`) {
		t.Errorf("the group is %s", group.Body)
	}
	end := fmt.Sprintf("/projects/acme%%2Fweb/share/%d", team.ID)
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, mate.Send("DELETE", end, ""), 403, "")
	expect(t, boss.Send("DELETE", end, "", "If-Unmodified-Since", old), 412, "")
	expect(t, boss.Send("DELETE", end, ""), 204, "")
	expect(t, boss.Send("DELETE", end, ""), 404, `{"message":"404 Group Link Not Found"}`)
	expect(t, mate.Send("GET", "/projects/acme%2Fweb", ""), 404, "")
}

func TestInvalidSharingOfProjectsIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"))
	low := h.Group(at("low"), in(top))
	team, hidden := h.Group(at("team")), h.Group(at("hidden"))
	web := h.Project(low.ID, called("web", model.Private))
	boss, owner := h.ProjectMember(web, model.Maintainer), h.Member(top, model.Owner)
	h.Join(team, boss.User, model.Owner)
	h.Join(team, owner.User, model.Guest)
	share := func(who *harness.Caller, body string) harness.Answer {
		return who.JSON("POST", fmt.Sprintf("/projects/%d/share", web.ID), body)
	}
	expect(t, share(boss, shareBody(hidden, 30)), 404, `{"message":"404 Group Not Found"}`)
	expect(t, share(boss, `{"group_id":99999,"group_access":30}`), 404, `{"message":"404 Group Not Found"}`)
	expect(t, share(boss, `{"group_access":30}`), 400, `{"error":"group_id is missing"}`)
	expect(t, share(boss, shareBody(team, 5)), 400, `{"error":"group_access does not have a valid value"}`)
	expect(t, share(boss, shareBody(team, 60)), 400, `{"error":"group_access does not have a valid value"}`)
	expect(t, share(boss, fmt.Sprintf(`{"group_id":%d,"group_access":30,"expires_at":"2001-01-01"}`, team.ID)), 400,
		`{"message":{"expires_at":["cannot be a date in the past"]}}`)
	expect(t, share(boss, shareBody(team, 50)), 403, "") // would make a maintainer an owner
	expect(t, share(owner, shareBody(low, 30)), 409,
		`{"message":"Project cannot be shared with the group it is in or one of its ancestors."}`)
	expect(t, share(h.ProjectMember(web, model.Developer), shareBody(team, 10)), 403, "")
	expect(t, share(h.NewUser(), shareBody(team, 10)), 404, "")

	locations := fmt.Sprintf("/projects/%d/share_locations", web.ID)
	if got := names(t, boss.Send("GET", locations, "")); got != "team" {
		t.Errorf("it can be shared with %q", got)
	}
	if got := names(t, h.Root().Send("GET", locations+"?search=hid", "")); got != "hidden" {
		t.Errorf("an administrator can share it with %q", got)
	}
	// Settings of parent groups forbid sharing.
	expect(t, owner.JSON("PUT", "/groups/top", `{"share_with_group_lock":true}`), 200, "")
	expect(t, share(owner, shareBody(team, 30)), 403, `{"message":"403 Forbidden - The project sharing with group is disabled"}`)
	if got := names(t, boss.Send("GET", locations, "")); got != "" {
		t.Errorf("it can be shared with %q", got)
	}
	expect(t, owner.JSON("PUT", "/groups/top", `{"share_with_group_lock":false,"prevent_sharing_groups_outside_hierarchy":true}`), 200, "")
	expect(t, share(owner, shareBody(team, 30)), 404, `{"message":"404 Group Not Found"}`)
	if got := names(t, boss.Send("GET", locations, "")); got != "" {
		t.Errorf("it can be shared with %q", got)
	}
	expect(t, owner.JSON("PUT", "/groups/top", `{"prevent_sharing_groups_outside_hierarchy":false}`), 200, "")
	expect(t, share(owner, shareBody(team, 50)), 201, "")
	// A maintainer cannot remove a link that gives the role owner. The owner of the invited group is now an owner of
	// the project.
	end := fmt.Sprintf("/projects/%d/share/%d", web.ID, team.ID)
	only := h.ProjectMember(web, model.Maintainer)
	expect(t, only.Send("DELETE", end, ""), 403, "")
	expect(t, owner.Send("DELETE", end, ""), 204, "")
}

func TestTheGroupsAndUsersOfAProjectAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"), seen(model.Public))
	low := h.Group(at("low"), in(top), seen(model.Public))
	friends, secret, far := h.Group(at("friends"), seen(model.Public)), h.Group(at("secret")), h.Group(at("far"), seen(model.Public))
	web := h.Project(low.ID, called("web", model.Public))
	over := time.Now().Add(-48 * time.Hour)
	for _, l := range []model.ProjectLink{
		{GroupID: friends.ID, AccessLevel: model.Guest},
		{GroupID: secret.ID, AccessLevel: model.Developer},
		{GroupID: far.ID, AccessLevel: model.Owner, ExpiresAt: &over},
	} {
		l.ProjectID = web.ID
		if err := h.Store.ProjectLinks.Create(t.Context(), &l); err != nil {
			t.Fatal(err)
		}
	}
	ann := h.NewUser(named("ann"))
	h.Join(secret, ann.User, model.Developer)
	for _, c := range []struct {
		name string
		join func(model.User)
	}{
		{"own", func(u model.User) { h.JoinProject(web, u, model.Guest) }},
		{"above", func(u model.User) { h.Join(top, u, model.Reporter) }},
		{"minimal", func(u model.User) { h.Join(top, u, model.Minimal) }},
		{"invited", func(u model.User) { h.Join(friends, u, model.Owner) }},
		{"expired", func(u model.User) { h.Join(far, u, model.Owner) }},
		{"both", func(u model.User) { h.JoinProject(web, u, model.Owner); h.Join(low, u, model.Guest) }},
	} {
		c.join(h.NewUser(named(c.name)).User)
	}
	blocked := h.NewUser(named("blocked", func(u *model.User) { u.State = model.UserBlocked }))
	h.JoinProject(web, blocked.User, model.Owner)

	get := func(who *harness.Caller, query string) string {
		return names(t, who.Send("GET", fmt.Sprintf("/projects/%d/%s", web.ID, query), ""))
	}
	for query, want := range map[string]string{
		"groups":                  "top/low top",
		"groups?search=low":       "top/low",
		"groups?with_shared=true": "friends top/low top",
		"groups?with_shared=true&shared_visible_only=true":                       "friends top/low top",
		"groups?with_shared=true&shared_min_access_level=30":                     "top/low top",
		fmt.Sprintf("groups?with_shared=true&skip_groups[]=%d", low.ID):          "friends top",
		fmt.Sprintf("groups?with_shared=true&skip_groups=%d,%d", low.ID, top.ID): "friends",
		"invited_groups": "friends",
	} {
		if got := get(h.Anonymous(), query); got != want {
			t.Errorf("%s are %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"groups?with_shared=true": "friends top/low secret top", "invited_groups": "friends secret", "invited_groups?search=SEC": "secret",
		"invited_groups?min_access_level=30": "secret", "invited_groups?min_access_level=40": "",
	} {
		if got := get(ann, query); got != want {
			t.Errorf("%s are %q to a member, want %q", query, got, want)
		}
	}
	h.Golden("listProjectInvitedGroups/one", h.Anonymous().Send("GET", fmt.Sprintf("/projects/%d/invited_groups", web.ID), "").Body)

	users := fmt.Sprintf("/projects/%d/users", web.ID)
	for query, want := range map[string]string{
		"": "ann own above invited both", "?search=OV": "above",
		fmt.Sprintf("?skip_users[]=%d", ann.User.ID): "own above invited both", "?per_page=2&page=3": "both",
	} {
		if got := usernames(t, ann.Send("GET", users+query, "")); got != want {
			t.Errorf("users%s are %q, want %q", query, got, want)
		}
	}
	expect(t, h.Anonymous().Send("GET", users, ""), 401, "")
}

func TestAGroupShowsItsProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	h.Project(acme.ID, called("web", model.Public))
	h.Project(acme.ID, called("secret", model.Private))
	guest := h.Member(acme, model.Guest)
	for _, c := range []struct {
		who  *harness.Caller
		want string
	}{{h.Anonymous(), "acme/web"}, {h.NewUser(), "acme/web"}, {guest, "acme/secret acme/web"}, {h.Root(), "acme/secret acme/web"}} {
		got := c.who.Send("GET", "/groups/acme", "")
		if paths(t, got) != c.want || !strings.Contains(got.Body, `"shared_projects":[]`) {
			t.Errorf("%q is shown %s", c.who.User.Username, got.Body)
		}
		if simple := !strings.Contains(got.Body, `"permissions"`) &&
			!strings.Contains(got.Body, `"merge_method"`); simple != (c.who.User.ID == 0) {
			t.Errorf("%q is shown the simple form: %v", c.who.User.Username, simple)
		}
	}
	count := func() int64 {
		before := h.Store.Statements()
		expect(t, guest.Send("GET", "/groups/acme", ""), 200, "")
		return h.Store.Statements() - before
	}
	few := count()
	for range 20 {
		h.Project(acme.ID)
	}
	if first, many := count(), count(); many != few || first > few+1 {
		t.Errorf("%d statements for two projects, %d and then %d for many", few, first, many)
	}
	if got := guest.Send("GET", "/groups/acme?with_projects=false", ""); strings.Contains(got.Body, "projects\":") {
		t.Errorf("without projects it is %s", got.Body)
	}
}
