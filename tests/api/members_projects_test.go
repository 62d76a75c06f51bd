package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// roles returns the members in a response as username:role, in order.
func roles(t *testing.T, a harness.Answer) string {
	t.Helper()
	var rows []struct {
		Username    string
		AccessLevel int `json:"access_level"`
	}
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || a.Status != 200 {
		t.Fatalf("%v: %d %s", err, a.Status, a.Body)
	}
	shown := make([]string, len(rows))
	for i, row := range rows {
		shown[i] = fmt.Sprintf("%s:%d", row.Username, row.AccessLevel)
	}
	return strings.Join(shown, " ")
}

// withUser returns the path of a user below a list.
func withUser(list string, c *harness.Caller) string { return fmt.Sprintf("%s/%d", list, c.User.ID) }

func TestProjectMembersAreAddedChangedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	lead, jane, john := h.NewUser(named("lead")), h.NewUser(named("jane")), h.NewUser(named("john"))
	h.JoinProject(web, lead.User, model.Maintainer)
	const list = "/projects/acme%2Fweb/members"
	added := lead.JSON("POST", list, fmt.Sprintf(`{"user_id":%d,"access_level":30,"expires_at":"2099-01-31"}`, jane.User.ID))
	expect(t, added, 201, "")
	h.Golden("createProjectMember/expiring", added.Body)
	expect(t, lead.Send("GET", withUser(list, jane), ""), 200, added.Body)
	expect(t, lead.Send("GET", withUser(list+"/all", jane), ""), 200, added.Body)
	expect(t, jane.Send("GET", list+"?query=JAN", ""), 200, "["+added.Body+"]")
	expect(t, lead.JSON("POST", list, `{"username":"JANE","access_level":30}`), 409, `{"message":"Member already exists"}`)
	expect(t, lead.JSON("POST", list, `{"username":"nobody","access_level":30}`), 404, `{"message":"404 User Not Found"}`)
	expect(t, lead.JSON("POST", list, `{"username":"john","access_level":5}`), 400, `{"error":"access_level does not have a valid value"}`)
	expect(t, lead.JSON("POST", list, `{"username":"john","user_id":"1","access_level":10}`), 400,
		`{"error":"user_id, username are mutually exclusive"}`)
	expect(t, lead.JSON("POST", list, `{"username":"john","access_level":10,"expires_at":"2020-01-01"}`), 400,
		`{"message":{"expires_at":["cannot be a date in the past"]}}`)
	expect(t, lead.Form("POST", list, "username=john,nobody,jane&access_level=20"), 201,
		`{"status":"error","message":{"jane":"Member already exists","nobody":"User not found"}}`)
	expect(t, lead.Send("GET", withUser(list, john), ""), 200, "")

	changed := lead.JSON("PUT", withUser(list, jane), `{"access_level":40,"expires_at":null}`)
	if changed.Status != 200 || member(t, changed, "access_level") != 40.0 || member(t, changed, "expires_at") != nil {
		t.Errorf("changed: %d %s", changed.Status, changed.Body)
	}
	expect(t, lead.JSON("PUT", withUser(list, h.NewUser()), `{"access_level":20}`), 404, `{"message":"404 Not found"}`)
	expect(t, john.JSON("PUT", withUser(list, john), `{"access_level":30}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, john.Send("DELETE", withUser(list, jane), ""), 403, `{"message":"403 Forbidden"}`)
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, lead.Send("DELETE", withUser(list, john), "", "If-Unmodified-Since", old), 412, "")
	expect(t, john.Send("DELETE", withUser(list, john), ""), 204, "") // every member may leave
	expect(t, lead.Send("DELETE", withUser(list, john), ""), 404, `{"message":"404 Not found"}`)
	expect(t, h.Anonymous().Send("GET", list, ""), 401, `{"message":"401 Unauthorized"}`)
	// On an old path of the project, reads are redirected to the new one, and writes change nothing.
	if err := h.Store.Projects.Update(t.Context(), web.ID, map[string]any{"path": "site"}); err != nil {
		t.Fatal(err)
	}
	moved := lead.Send("GET", list+"/all?query=a", "")
	if moved.Status != 301 || !strings.HasSuffix(moved.Header.Get("Location"), fmt.Sprintf("/projects/%d/members/all?query=a", web.ID)) {
		t.Errorf("moved: %d %s", moved.Status, moved.Header.Get("Location"))
	}
	expect(t, lead.JSON("POST", list, `{"username":"john","access_level":10}`), 405, "")
}

// The same rule holds in groups and projects: nobody changes or grants a role above their own.
func TestNobodyGrantsARoleAboveTheirOwn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	web := h.Project(acme.ID, called("web", model.Private))
	const list = "/projects/acme%2Fweb/members"
	lead, owner, dev, other := h.ProjectMember(web, model.Maintainer), h.ProjectMember(web, model.Owner),
		h.ProjectMember(web, model.Developer), h.NewUser()
	forbidden := `{"message":"403 Forbidden"}`
	expect(t, lead.JSON("POST", list, fmt.Sprintf(`{"user_id":%d,"access_level":50}`, other.User.ID)), 403, forbidden)
	expect(t, lead.JSON("POST", list,
		fmt.Sprintf(`{"user_id":"%d,%d","access_level":50}`, other.User.ID, h.NewUser().User.ID)), 403, forbidden)
	expect(t, lead.JSON("PUT", withUser(list, dev), `{"access_level":50}`), 403, forbidden)
	expect(t, lead.JSON("PUT", withUser(list, lead), `{"access_level":50}`), 403, forbidden)
	expect(t, lead.JSON("PUT", withUser(list, owner), `{"access_level":30}`), 403, forbidden)
	expect(t, lead.Send("DELETE", withUser(list, owner), ""), 403, forbidden)
	if got := roles(t, lead.Send("GET", list, "")); got != fmt.Sprintf("%s:40 %s:50 %s:30", lead.User.Username,
		owner.User.Username, dev.User.Username) {
		t.Errorf("members are %s", got)
	}
	expect(t, owner.JSON("PUT", withUser(list, lead), `{"access_level":50}`), 200, "")
	expect(t, lead.JSON("PUT", withUser(list, owner), `{"access_level":40}`), 200, "")
	expect(t, lead.Send("DELETE", withUser(list, lead), ""), 204, "") // a project in a group need not have an owner of its own
	expect(t, h.Root().JSON("POST", list, fmt.Sprintf(`{"user_id":%d,"access_level":50}`, other.User.ID)), 201, "")

	boss, helper := h.Member(acme, model.Owner), h.Member(acme, model.Maintainer)
	expect(t, helper.JSON("POST", "/groups/acme/members", fmt.Sprintf(`{"user_id":%d,"access_level":10}`, other.User.ID)), 403, forbidden)
	expect(t, helper.JSON("PUT", withUser("/groups/acme/members", helper), `{"access_level":50}`), 403, forbidden)
	expect(t, helper.Send("DELETE", withUser("/groups/acme/members", boss), ""), 403, forbidden)
	// A user with a role through a shared group grants no more than the lower of both roles.
	team := h.Group(at("team"))
	guest := h.Member(team, model.Owner)
	if err := h.Store.ProjectLinks.Create(t.Context(), &model.ProjectLink{
		ProjectID: web.ID, GroupID: team.ID, AccessLevel: model.Maintainer,
	}); err != nil {
		t.Fatal(err)
	}
	expect(t, guest.JSON("PUT", withUser(list, dev), `{"access_level":50}`), 403, forbidden)
	expect(t, guest.JSON("PUT", withUser(list, dev), `{"access_level":40}`), 200, "")
}

func TestARoleIsNotLowerThanTheInheritedOne(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"), func(g *model.Namespace) { g.Name = "Top & Co" })
	low := h.Group(at("low"), in(top))
	h.Project(low.ID, called("web", model.Private))
	owner, dev := h.Member(top, model.Owner), h.Member(top, model.Developer)
	h.Join(low, dev.User, model.Reporter) // as if this role were older than the rule or than the inherited role
	low1, web1 := "/groups/top%2Flow/members", "/projects/top%2Flow%2Fweb/members"
	const refused = `{"message":{"access_level":["should be greater than or equal to Developer inherited membership ` +
		`from group Top \u0026 Co"]}}`
	body := fmt.Sprintf(`{"user_id":%d,"access_level":20}`, dev.User.ID)
	expect(t, owner.JSON("POST", web1, body), 400, refused)
	expect(t, owner.JSON("PUT", withUser(low1, dev), `{"access_level":10}`), 400, refused)
	if got := roles(t, owner.Send("GET", low1, "")); got != dev.User.Username+":20" {
		t.Errorf("members are %s", got)
	}
	several := owner.JSON("POST", web1, fmt.Sprintf(`{"user_id":"%d,%d","access_level":20}`, dev.User.ID, h.NewUser().User.ID))
	expect(t, several, 201, fmt.Sprintf(`{"status":"error","message":{"%d":"Access level should be greater than or `+
		`equal to Developer inherited membership from group Top \u0026 Co"}}`, dev.User.ID))
	expect(t, owner.JSON("POST", web1, strings.Replace(body, "20", "30", 1)), 201, "")
	expect(t, owner.JSON("PUT", withUser(web1, dev), `{"access_level":20}`), 400, refused)
	expect(t, owner.JSON("PUT", withUser(low1, dev), `{"access_level":40}`), 200, "")
}

func TestTheOwnerOfAPersonalProjectStays(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann, friend := h.NewUser(named("ann")), h.NewUser()
	tool := h.Project(*ann.User.NamespaceID, called("tool", model.Private))
	h.JoinProject(tool, friend.User, model.Owner)
	const list = "/projects/ann%2Ftool/members"
	stays := `{"message":"403 Forbidden - The owner of the project's namespace always owns the project"}`
	for _, caller := range []*harness.Caller{ann, friend, h.Root()} {
		expect(t, caller.Send("DELETE", withUser(list, ann), ""), 403, stays)
		expect(t, caller.JSON("PUT", withUser(list, ann), `{"access_level":50,"expires_at":"2099-01-01"}`), 403, stays)
	}
	expect(t, ann.Send("DELETE", withUser(list, friend), ""), 204, "")
}

func TestAllMembersOfAProjectAreListedOnceWithTheHighestRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"))
	low := h.Group(at("low"), in(acme))
	company, team, guests := h.Group(at("company")), h.Group(at("team")), h.Group(at("guests"))
	web := h.Project(low.ID, called("web", model.Private))
	boss, ann, bob, cat, dan := h.NewUser(named("boss")), h.NewUser(named("ann")), h.NewUser(named("bob")),
		h.NewUser(named("cat")), h.NewUser(named("dan"))
	h.Join(acme, boss.User, model.Owner)
	h.JoinProject(web, ann.User, model.Developer)
	h.Join(acme, ann.User, model.Guest)
	h.Join(team, bob.User, model.Owner)
	h.Join(company, cat.User, model.Maintainer)
	h.Join(guests, dan.User, model.Guest)
	h.Join(guests, ann.User, model.Owner)
	for _, err := range []error{
		h.Store.ProjectLinks.Create(t.Context(), &model.ProjectLink{ProjectID: web.ID, GroupID: team.ID, AccessLevel: model.Reporter}),
		h.Store.ProjectLinks.Create(t.Context(), &model.ProjectLink{ProjectID: web.ID, GroupID: guests.ID, AccessLevel: model.Reporter}),
		h.Store.GroupLinks.Create(t.Context(), &model.GroupLink{
			GroupID: acme.ID, SharedWithGroupID: company.ID, AccessLevel: model.Developer,
		}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const list = "/projects/acme%2Flow%2Fweb/members"
	if got := roles(t, boss.Send("GET", list, "")); got != "ann:30" {
		t.Errorf("direct: %s", got)
	}
	before := h.Store.Statements()
	all := boss.Send("GET", list+"/all", "")
	if n := h.Store.Statements() - before; n > 4 {
		t.Errorf("a list of members takes %d statements", n)
	}
	if got := roles(t, all); got != "boss:50 ann:30 bob:20 cat:30 dan:10" || all.Header.Get("X-Total") != "5" {
		t.Errorf("all: %s of %s", got, all.Header.Get("X-Total"))
	}
	second := boss.Send("GET", list+"/all?per_page=2&page=2", "")
	if got := roles(t, second); got != "bob:20 cat:30" || second.Header.Get("X-Total") != "5" {
		t.Errorf("second page: %s of %s", got, second.Header.Get("X-Total"))
	}
	if got := roles(t,
		boss.Send("GET", fmt.Sprintf("%s/all?query=A&user_ids=%d,%d", list, ann.User.ID, bob.User.ID), "")); got != "ann:30" {
		t.Errorf("filtered: %s", got)
	}
	expect(t, boss.Send("GET", withUser(list+"/all", bob), ""), 200, "")
	expect(t, boss.Send("GET", withUser(list, bob), ""), 404, `{"message":"404 Not found"}`)
}

func TestUsersAskForAccessToAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	web := h.Project(acme.ID, called("web", model.Internal))
	h.Project(acme.ID, called("closed", model.Public), func(p *model.Project) { p.RequestAccessEnabled = false })
	h.Project(acme.ID, called("old", model.Public), func(p *model.Project) { p.Archived = true })
	h.Project(acme.ID, called("hidden", model.Private))
	lead, jane := h.ProjectMember(web, model.Maintainer), h.NewUser(named("jane"))
	const list = "/projects/acme%2Fweb/access_requests"
	mine := withUser(list, jane)
	asked := jane.Send("POST", list, "")
	expect(t, asked, 201, "")
	expect(t, jane.Send("POST", list, ""), 400, `{"message":{"user_id":["already exists in source"]}}`)
	expect(t, lead.Send("GET", list, ""), 200, "["+asked.Body+"]")
	expect(t, jane.Send("GET", list, ""), 403, "")
	expect(t, h.ProjectMember(web, model.Developer).Send("DELETE", mine, ""), 403, "")
	expect(t, jane.Send("DELETE", mine, ""), 204, "")
	expect(t, jane.Send("POST", list, ""), 201, "")
	expect(t, lead.JSON("PUT", mine+"/approve", `{"access_level":50}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, lead.JSON("PUT", mine+"/approve", `{"access_level":5}`), 400, `{"error":"access_level does not have a valid value"}`)
	h.Join(acme, jane.User, model.Reporter) // the user now has an inherited role
	expect(t, lead.JSON("PUT", mine+"/approve", `{"access_level":10}`), 400,
		`{"message":{"access_level":["should be greater than or equal to Reporter inherited membership from group acme"]}}`)
	approved := lead.JSON("PUT", mine+"/approve", `{"access_level":30}`)
	if approved.Status != 201 || member(t, approved, "access_level") != 30.0 {
		t.Errorf("approved: %d %s", approved.Status, approved.Body)
	}
	expect(t, lead.Send("GET", list, ""), 200, "[]")
	expect(t, jane.Send("POST", list, ""), 403, `{"message":"403 Forbidden"}`) // already a member
	other := h.NewUser()
	expect(t, h.Anonymous().Send("POST", list, ""), 401, "")
	expect(t, h.NewUser(harness.External).Send("POST", list, ""), 404, `{"message":"404 Project Not Found"}`)
	for path, status := range map[string]int{"closed": 403, "old": 403, "hidden": 404} {
		expect(t, other.Send("POST", "/projects/acme%2F"+path+"/access_requests", ""), status, "")
	}
	expect(t, h.Root().Send("POST", list, ""), 403, "")
	// Members are listed only for signed-in callers, even if everybody sees the rest of the project.
	for _, path := range []string{
		"/projects/acme%2Fclosed/members", "/projects/acme%2Fclosed/members/all", "/groups/acme/members",
		"/groups/acme/members/all",
	} {
		expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
		expect(t, other.Send("GET", path, ""), 200, "")
	}
	// An archived project is read-only, but every member may leave it.
	if err := h.Store.Projects.Update(t.Context(), web.ID, map[string]any{"archived": true}); err != nil {
		t.Fatal(err)
	}
	expect(t, lead.Send("GET", list, ""), 200, "[]")
	expect(t, lead.JSON("POST", "/projects/acme%2Fweb/members", fmt.Sprintf(`{"user_id":%d,"access_level":10}`, other.User.ID)),
		403, `{"message":"403 Forbidden"}`)
	expect(t, lead.Send("DELETE", withUser("/projects/acme%2Fweb/members", jane), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.Send("DELETE", withUser("/projects/acme%2Fweb/members", jane), ""), 204, "")
}

func TestRemovingAMemberOfAGroupRemovesTheirRolesBelow(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"))
	low := h.Group(at("low"), in(top))
	elsewhere := h.Group(at("elsewhere"))
	web := h.Project(low.ID, called("web", model.Private))
	owner, ann, bob := h.Member(top, model.Owner), h.Member(top, model.Guest), h.Member(top, model.Guest)
	for _, u := range []*harness.Caller{ann, bob} {
		h.Join(low, u.User, model.Developer)
		h.Join(elsewhere, u.User, model.Developer)
		h.JoinProject(web, u.User, model.Developer)
	}
	expect(t, owner.Send("DELETE", withUser("/groups/top/members", ann)+"?skip_subresources=true", ""), 204, "")
	expect(t, ann.Send("GET", "/projects/top%2Flow%2Fweb", ""), 200, "")
	expect(t, bob.Send("DELETE", withUser("/groups/top/members", bob), ""), 204, "")
	expect(t, bob.Send("GET", "/projects/top%2Flow%2Fweb", ""), 404, "")
	expect(t, bob.Send("GET", "/groups/top%2Flow", ""), 404, "")
	expect(t, bob.Send("GET", "/groups/elsewhere", ""), 200, "")
	// A subgroup keeps its only owner if no parent group has an owner to take over.
	free := h.Group(at("free"))
	nested := h.Group(at("nested"), in(free))
	cat := h.Member(free, model.Guest)
	h.Join(nested, cat.User, model.Owner)
	expect(t, h.Root().Send("DELETE", withUser("/groups/free/members", cat), ""), 204, "")
	expect(t, cat.Send("GET", withUser("/groups/free%2Fnested/members", cat), ""), 200, "")
}

func TestRolesGivenByADeletedUserAreKept(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	acme := h.Group(at("acme"), seen(model.Public))
	web := h.Project(acme.ID, called("web", model.Public))
	other := h.Project(acme.ID, called("other", model.Public))
	ann, bob := h.NewUser(named("ann")), h.NewUser(named("bob"))
	h.Member(acme, model.Owner)
	h.Join(acme, ann.User, model.Maintainer)
	h.JoinProject(web, ann.User, model.Owner)
	expect(t, ann.JSON("POST", "/projects/acme%2Fweb/members", fmt.Sprintf(`{"user_id":%d,"access_level":50}`, bob.User.ID)), 201, "")
	expect(t, ann.JSON("POST", "/projects/acme%2Fweb/invitations", `{"email":"new@example.com","access_level":50}`),
		201, `{"status":"success"}`)
	gone := h.NewUser(named("gone"))
	expect(t, gone.Send("POST", fmt.Sprintf("/projects/%d/access_requests", other.ID), ""), 201, "")
	for _, u := range []*harness.Caller{ann, gone} {
		expect(t, h.Root().Send("DELETE", withUser("/users", u), ""), 204, "")
		wait.Until(t, "the user "+u.User.Username+" is deleted", func() bool {
			return h.Root().Send("GET", withUser("/users", u), "").Status == 404
		})
	}
	// The roles and access requests of the deleted user are removed. Roles that the user gave to others stay, without
	// created_by.
	list := h.Root().Send("GET", "/projects/acme%2Fweb/members", "")
	if got := roles(t, list); got != "bob:50" || strings.Contains(list.Body, "created_by") {
		t.Errorf("members: %s", list.Body)
	}
	if got := h.Root().Send("GET", "/projects/acme%2Fweb/members/all", ""); strings.Contains(got.Body, `"ann"`) {
		t.Errorf("all: %s", got.Body)
	}
	expect(t, h.Root().Send("GET", fmt.Sprintf("/projects/%d/access_requests", other.ID), ""), 200, "[]")
	invited := h.Root().Send("GET", "/projects/acme%2Fweb/invitations", "")
	if invited.Status != 200 || !strings.Contains(invited.Body, `"invite_email":"new@example.com"`) ||
		!strings.Contains(invited.Body, `"created_by_name":null`) {
		t.Errorf("invitations: %s", invited.Body)
	}
}

func TestMembershipsAndCountsIncludeProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	acme := h.Group(at("acme"))
	web := h.Project(acme.ID, called("web", model.Private))
	ann, bob, cat := h.NewUser(named("ann")), h.NewUser(named("bob")), h.NewUser(named("cat"))
	h.Join(acme, ann.User, model.Guest)
	h.JoinProject(web, ann.User, model.Developer)
	tool := h.Project(*bob.User.NamespaceID, called("tool", model.Private))
	ended := endedYesterday()
	over := model.Member{
		SourceType:  model.SourceProject,
		SourceID:    web.ID,
		UserID:      cat.User.ID,
		AccessLevel: model.Guest,
		ExpiresAt:   &ended,
	}
	if err := h.Store.Members.Add(t.Context(), &over); err != nil {
		t.Fatal(err)
	}
	inAcme := fmt.Sprintf(`{"source_id":%d,"source_name":"acme","source_type":"Namespace","access_level":"10"}`, acme.ID)
	inWeb := fmt.Sprintf(`{"source_id":%d,"source_name":"web","source_type":"Project","access_level":"30"}`, web.ID)
	expect(t, root.Send("GET", withUser("/users", ann)+"/memberships", ""), 200, "["+inAcme+","+inWeb+"]")
	expect(t, root.Send("GET", withUser("/users", ann)+"/memberships?type=Project", ""), 200, "["+inWeb+"]")
	expect(t, root.Send("GET", withUser("/users", ann)+"/memberships?type=Namespace", ""), 200, "["+inAcme+"]")
	expect(t, root.Send("GET", withUser("/users", bob)+"/memberships", ""), 200,
		fmt.Sprintf(`[{"source_id":%d,"source_name":"tool","source_type":"Project","access_level":"50"}]`, tool.ID))

	counts := func(groups, projects int) string {
		return fmt.Sprintf(`{"groups_count":%d,"projects_count":%d,"issues_count":0,"merge_requests_count":0}`, groups, projects)
	}
	expect(t, ann.Send("GET", withUser("/users", ann)+"/associations_count", ""), 200, counts(1, 1))
	expect(t, root.Send("GET", withUser("/users", bob)+"/associations_count", ""), 200, counts(0, 1))
	expect(t, root.Send("GET", withUser("/users", cat)+"/associations_count", ""), 200, counts(0, 0))
	expect(t, ann.Send("GET", withUser("/users", bob)+"/associations_count", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, ann.Send("GET", "/users/999999/associations_count", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, h.Anonymous().Send("GET", withUser("/users", bob)+"/associations_count", ""), 401, "")

	expect(t, ann.Send("GET", "/user_counts", ""), 200,
		`{"merge_requests":0,"assigned_issues":0,"assigned_merge_requests":0,"review_requested_merge_requests":0,"todos":0}`)
	expect(t, h.Anonymous().Send("GET", "/user_counts", ""), 401, "")

	for query, want := range map[string]string{"ann": "", "bob": "", "cat": "cat"} {
		if got := usernames(t, root.Send("GET", "/users?without_projects=true&username="+query, "")); got != want {
			t.Errorf("%s: without projects are %q, want %q", query, got, want)
		}
		if got := usernames(t, root.Send("GET", "/users?without_projects=true&pagination=keyset&username="+query, "")); got != want {
			t.Errorf("%s: without projects are %q, want %q", query, got, want)
		}
		// For users who are not administrators the filter is silently ignored.
		if got := usernames(t, ann.Send("GET", "/users?without_projects=true&username="+query, "")); got != query {
			t.Errorf("%s: a user filters %q", query, got)
		}
	}
}
