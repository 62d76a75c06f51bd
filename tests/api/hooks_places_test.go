package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// withSystemHook makes a system hook that gets the events of the instance.
func withSystemHook(t *testing.T, h *harness.H) *harness.Receiver {
	t.Helper()
	to := harness.NewReceiver(t)
	expect(t, h.Root().JSON("POST", "/hooks", fmt.Sprintf(`{"url":"%s/system","repository_update_events":false}`, to.URL)), 201, "")
	return to
}

// addGroupHook adds a hook to a group, with the given flags.
func addGroupHook(t *testing.T, h *harness.H, g model.Namespace, to *harness.Receiver, flags string) {
	t.Helper()
	body := fmt.Sprintf(`{"url":"%s/group","push_events":false,%s}`, to.URL, flags)
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/groups/%d/hooks", g.ID), body), 201, "")
}

func TestHooksGetForks(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, g := h.Root(), h.Group()
	source := h.Project(g.ID)
	to := withSystemHook(t, h)
	addGroupHook(t, h, g, to, `"project_events":true`)
	h.StartWorker()
	inGroup := fmt.Sprintf(`{"namespace_id":%d,"path":"copy","name":"Copy"}`, g.ID)
	expect(t, root.JSON("POST", fmt.Sprintf("/projects/%d/fork", source.ID), inGroup), 201, "")
	expect(t, root.JSON("POST", fmt.Sprintf("/projects/%d/fork", source.ID), `{"path":"mine"}`), 201, "")
	received := to.Wait(4)
	if got := announcedTo(t, received, "/system"); !slices.Equal(got, []string{"project_create", "project_create", "user_add_to_team"}) {
		t.Errorf("the system hook got %q", got)
	}
	if got := announcedTo(t, received, "/group"); !slices.Equal(got, []string{"project_create"}) {
		t.Errorf("the hook of the group got %q", got)
	}
}

// What is deleted with a group is announced, the deepest first, to the hooks that stay.
func TestHooksGetWhatIsDeletedWithAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group()
	middle := h.Group(func(n *model.Namespace) { n.ParentID = &top.ID })
	low := h.Group(func(n *model.Namespace) { n.ParentID = &middle.ID })
	inMiddle, inLow := h.Project(middle.ID), h.Project(low.ID)
	to := withSystemHook(t, h)
	addGroupHook(t, h, top, to, `"subgroup_events":true,"project_events":true`)
	// This hook is deleted with its group. It may get what is announced before.
	addGroupHook(t, h, low, harness.NewReceiver(t), `"subgroup_events":true,"project_events":true`)
	h.StartWorker()
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/groups/%d", middle.ID), ""), 202, "")
	received := to.Wait(8)
	got := map[string][]string{}
	for _, d := range received {
		body := d.Read(t)
		path := body["path_with_namespace"]
		if path == nil {
			path = body["full_path"]
		}
		got[d.Path] = append(got[d.Path], fmt.Sprint(body["event_name"], " ", path))
	}
	for hook, groups := range map[string]string{"/system": "group_destroy", "/group": "subgroup_destroy"} {
		want := []string{
			"project_destroy " + inLow.FullPath, "project_destroy " + inMiddle.FullPath,
			groups + " " + low.FullPath, groups + " " + middle.FullPath,
		}
		if !slices.Equal(got[hook], want) {
			t.Errorf("%s got %q, want %q", hook, got[hook], want)
		}
	}
}

func TestHooksGetWhatIsDeletedWithAUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	own := h.Group()
	h.Join(own, u.User, model.Owner)
	h.Project(*u.User.NamespaceID)
	expect(t, u.JSON("POST", "/user/keys", `{"title":"k","key":"ssh-ed25519 `+
		`AAAAC3NzaC1lZDI1NTE5AAAAIJqcTX1pMWxZyqxDbVPHXvGvMQpQzD8gKrxUqHAAS9Ji"}`), 201, "")
	to := withSystemHook(t, h)
	h.StartWorker()
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/users/%d?hard_delete=true", u.User.ID), ""), 204, "")
	want := []string{"project_destroy", "key_destroy", "user_destroy", "group_destroy"}
	if got := announcedTo(t, to.Wait(4), "/system"); !slices.Equal(got, want) {
		t.Errorf("announced %q, want %q", got, want)
	}
}

// Memberships that expire, and those below a group that a user is removed from, are announced like others.
func TestHooksGetMembershipsThatEnd(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	sub := h.Group(func(n *model.Namespace) { n.ParentID = &g.ID })
	p, u, other := h.Project(sub.ID), h.NewUser().User, h.NewUser().User
	for _, id := range []int64{g.ID, sub.ID} {
		h.Join(model.Namespace{ID: id}, u, model.Developer)
	}
	h.JoinProject(p, u, model.Developer)
	yesterday := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)
	for _, m := range []model.Member{{SourceType: model.SourceGroup, SourceID: g.ID}, {SourceType: model.SourceProject, SourceID: p.ID}} {
		m.UserID, m.AccessLevel, m.ExpiresAt = other.ID, model.Guest, &yesterday
		if err := h.Store.Members.Add(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	to := withSystemHook(t, h)
	addGroupHook(t, h, g, to, `"member_events":true`)
	h.StartWorker() // which ends memberships
	count := func(n int) map[string]int {
		all := map[string]int{}
		for _, d := range to.Wait(n) {
			body := d.Read(t)
			all[fmt.Sprint(d.Path, " ", body["event_name"], " ", body["user_username"])]++
		}
		return all
	}
	want := map[string]int{
		"/system user_remove_from_group " + other.Username: 1, "/system user_remove_from_team " + other.Username: 1,
		"/group user_remove_from_group " + other.Username: 1,
	}
	if got := count(3); !equalCounts(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/groups/%d/members/%d", g.ID, u.ID), ""), 204, "")
	want["/system user_remove_from_group "+u.Username], want["/system user_remove_from_team "+u.Username] = 2, 1
	want["/group user_remove_from_group "+u.Username] = 2
	if got := count(8); !equalCounts(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func equalCounts(a, b map[string]int) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// A user who changes the own username, and a blocked user who signs in, are announced, by pages and by git.
func TestHooksGetRenamesAndFailedSignIns(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, shut := h.NewUserWithPassword(), h.NewUserWithPassword()
	p := h.Project(h.Group().ID)
	browser := h.SignedIn(u.User)
	expect(t, h.Root().Send("POST", fmt.Sprintf("/users/%d/block", shut.User.ID), ""), 201, "")
	to := withSystemHook(t, h)
	h.StartWorker()
	browser.Get("/-/profile")
	browser.Submit("/-/profile/username", url.Values{"username": {"ann.lee"}, "current_password": {harness.Password}})
	visitor := h.Browser()
	for _, password := range []string{"wrong", harness.Password} {
		visitor.Get("/users/sign_in")
		visitor.Submit("/users/sign_in", url.Values{"login": {shut.User.Username}, "password": {password}})
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/"+p.FullPath+".git/info/refs?service=git-upload-pack", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(shut.User.Username, harness.Password)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	received := to.Wait(3)
	if got := announcedTo(t, received, "/system"); !slices.Equal(got, []string{"user_rename", "user_failed_login", "user_failed_login"}) {
		t.Fatalf("announced %q", got)
	}
	renamed, failed := received[0].Read(t), received[1].Read(t)
	if renamed["username"] != "ann.lee" || renamed["old_username"] != u.User.Username {
		t.Errorf("%s", received[0].Body)
	}
	if failed["username"] != shut.User.Username || failed["state"] != "blocked" {
		t.Errorf("%s", received[1].Body)
	}
}

// Each step of a token is announced once, however often the job runs.
func TestHooksGetTokensThatExpire(t *testing.T) {
	t.Parallel()
	for _, early := range []bool{false, true} {
		t.Run(fmt.Sprint("early ", early), func(t *testing.T) {
			t.Parallel()
			set := func(c *config.Config) { c.WebhookEarlyExpiry = early }
			h := harness.New(t, set)
			root, g := h.Root(), h.Group()
			p := h.Project(g.ID)
			to := harness.NewReceiver(t)
			addGroupHook(t, h, g, to, `"resource_access_token_events":true,"resource_deploy_token_events":true`)
			for _, days := range []int{3, 20, 29, 59, 100} {
				at := time.Now().UTC().AddDate(0, 0, days).Format("2006-01-02")
				for _, place := range []string{fmt.Sprintf("/projects/%d", p.ID), fmt.Sprintf("/groups/%d", g.ID)} {
					expect(t, root.JSON("POST", place+"/access_tokens",
						fmt.Sprintf(`{"name":"%d","scopes":["api"],"expires_at":%q}`, days, at)), 201, "")
					expect(t, root.JSON("POST", place+"/deploy_tokens",
						fmt.Sprintf(`{"name":"%d","scopes":["read_repository"],"expires_at":%q}`, days, at)), 201, "")
				}
			}
			want := map[string]int{}
			steps := map[string]string{"3": "seven_days"}
			if early {
				steps["29"], steps["59"] = "thirty_days", "sixty_days"
			}
			for name, step := range steps {
				for _, kind := range []string{"access_token", "deploy_token"} {
					for _, place := range []string{"project", "group"} {
						want[strings.Join([]string{kind, place, name, step}, " ")] = 1
					}
				}
			}
			h.StartWorker() // which runs the job
			to.Wait(len(want))
			soon := time.Now().UTC().AddDate(0, 0, 2).Format("2006-01-02")
			expect(t, root.JSON("POST", fmt.Sprintf("/projects/%d/deploy_tokens", p.ID),
				fmt.Sprintf(`{"name":"new","scopes":["read_repository"],"expires_at":%q}`, soon)), 201, "")
			want["deploy_token project new seven_days"] = 1
			if err := h.Server.Worker.Enqueue(t.Context(), announce.ExpiringJob{}); err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, d := range to.Wait(len(want)) {
				body := d.Read(t)
				place := "project"
				if body["group"] != nil {
					place = "group"
				}
				attributes := body["object_attributes"].(map[string]any)
				got[fmt.Sprint(body["object_kind"], " ", place, " ", attributes["name"], " ", attributes["interval"])]++
			}
			if !equalCounts(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestHooksGetDeployKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID)
	to := withSystemHook(t, h)
	h.StartWorker()
	keys := fmt.Sprintf("/projects/%d/deploy_keys", p.ID)
	key := read[struct{ ID int64 }](t, h.Root().JSON("POST", keys, `{"title":"k","key":"ssh-ed25519 `+
		`AAAAC3NzaC1lZDI1NTE5AAAAIJqcTX1pMWxZyqxDbVPHXvGvMQpQzD8gKrxUqHAAS9Ji"}`), 201)
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("%s/%d", keys, key.ID), ""), 204, "")
	received := to.Wait(2)
	if got := announcedTo(t, received, "/system"); !slices.Equal(got, []string{"key_create", "key_destroy"}) {
		t.Fatalf("announced %q", got)
	}
	if body := received[0].Read(t); body["id"] != float64(key.ID) || body["username"] != nil {
		t.Errorf("%s", received[0].Body)
	}
}
