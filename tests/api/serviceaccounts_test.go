package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// idOf returns the member id of an answer as a text.
func idOf(t *testing.T, a harness.Answer) string {
	t.Helper()
	n, ok := member(t, a, "id").(float64)
	if !ok {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return itoa(int64(n))
}

func TestServiceAccountsOfTheInstanceAreForAdministrators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	const path = "/service_accounts"
	expect(t, root.Send("GET", path, ""), 200, `[]`)
	plain := root.Send("POST", path, "")
	if plain.Status != 201 || member(t, plain, "name") != "Service account user" ||
		!strings.HasPrefix(member(t, plain, "username").(string), "service_account_") || member(t, plain, "unconfirmed_email") != nil {
		t.Errorf("%d %s", plain.Status, plain.Body)
	}
	made := root.JSON("POST", path, `{"name":"Deployer","username":"deployer","email":"deploy@example.com"}`)
	if made.Status != 201 || member(t, made, "email") != "deploy@example.com" || member(t, made, "state") != "active" {
		t.Errorf("%d %s", made.Status, made.Body)
	}
	id := idOf(t, made)
	list := root.Send("GET", path+"?order_by=username&sort=asc&per_page=1", "")
	if list.Header.Get("X-Total") != "2" || !strings.Contains(list.Body, `"deployer"`) {
		t.Errorf("%d %s", list.Status, list.Body)
	}
	if newest := root.Send("GET", path, ""); !strings.HasPrefix(newest.Body, `[{"id":`+id) {
		t.Error(newest.Body)
	}
	expect(t, root.JSON("POST", path, `{"username":"deployer"}`), 400, `{"message":"Username has already been taken"}`)
	expect(t, root.JSON("POST", path, `{"email":"deploy@example.com"}`), 400, `{"message":"Email has already been taken"}`)
	if got := root.JSON("POST", path, `{"username":"a b"}`); got.Status != 400 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	changed := root.JSON("PATCH", path+"/"+id, `{"name":"Shipper","username":"shipper"}`)
	if changed.Status != 200 || member(t, changed, "name") != "Shipper" || member(t, changed, "username") != "shipper" ||
		!strings.HasSuffix(member(t, changed, "web_url").(string), "/shipper") {
		t.Errorf("%d %s", changed.Status, changed.Body)
	}
	token := root.JSON("POST", "/users/"+id+"/personal_access_tokens", `{"name":"ci","scopes":["api"]}`)
	plainToken, _ := member(t, token, "token").(string)
	self := h.WithHeaders("PRIVATE-TOKEN", plainToken).Send("GET", "/user", "")
	if self.Status != 200 || member(t, self, "username") != "shipper" || member(t, self, "bot") != true {
		t.Errorf("%d %s", self.Status, self.Body)
	}
	u := h.NewUser()
	for _, c := range []struct{ method, path, body string }{
		{"GET", path, ""}, {"POST", path, `{}`}, {"PATCH", path + "/" + id, `{"name":"x"}`},
	} {
		expect(t, u.JSON(c.method, c.path, c.body), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.Anonymous().JSON(c.method, c.path, c.body), 401, `{"message":"401 Unauthorized"}`)
	}
	expect(t, root.JSON("PATCH", path+"/"+itoa(u.User.ID), `{"name":"x"}`), 404, `{"message":"404 User Not Found"}`)
}

func TestServiceAccountsOfGroupsAndProjectsHaveTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(n *model.Namespace) { n.Visibility = model.Private })
	sub := h.Group(func(n *model.Namespace) { n.Visibility, n.ParentID = model.Private, &group.ID })
	web := h.Project(group.ID, called("web", model.Private))
	for _, c := range []struct {
		base    string
		manager *harness.Caller
		below   *harness.Caller
		prefix  string
	}{
		{
			fmt.Sprintf("/groups/%d/service_accounts", group.ID), h.Member(group, model.Owner), h.Member(group, model.Maintainer),
			fmt.Sprintf("service_account_group_%d_", group.ID),
		},
		{
			fmt.Sprintf("/projects/%d/service_accounts", web.ID), h.ProjectMember(web, model.Maintainer), h.ProjectMember(web,
				model.Developer),
			fmt.Sprintf("service_account_project_%d_", web.ID),
		},
	} {
		made := c.manager.JSON("POST", c.base, `{"name":"Deployer"}`)
		if made.Status != 201 || !strings.HasPrefix(member(t, made, "username").(string), c.prefix) {
			t.Fatalf("%d %s", made.Status, made.Body)
		}
		one := c.base + "/" + idOf(t, made)
		expect(t, c.manager.JSON("POST", c.base, `{"email":"x@example.com"}`), 400,
			`{"message":"400 Bad request - Only administrators can set the email address of a service account"}`)
		if got := c.manager.JSON("PATCH", one, `{"name":"Renamed"}`); got.Status != 200 || member(t, got, "name") != "Renamed" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		token := c.manager.JSON("POST", one+"/personal_access_tokens", `{"name":"ci","scopes":["read_api"]}`)
		plain, _ := member(t, token, "token").(string)
		if token.Status != 201 || plain == "" {
			t.Fatalf("%d %s", token.Status, token.Body)
		}
		tokenPath := one + "/personal_access_tokens/" + idOf(t, token)
		if list := c.manager.Send("GET", one+"/personal_access_tokens?state=active", ""); list.Header.Get("X-Total") != "1" ||
			strings.Contains(list.Body, plain) {
			t.Errorf("%d %s", list.Status, list.Body)
		}
		if got := h.WithHeaders("PRIVATE-TOKEN", plain).Send("GET", "/user", ""); got.Status != 200 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		if got := c.manager.JSON("POST", one+"/personal_access_tokens", `{"name":"ci","scopes":["sudo"]}`); got.Status != 400 {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		rotated := c.manager.JSON("POST", tokenPath+"/rotate", `{"expires_at":"`+time.Now().AddDate(0, 0, 30).Format(time.DateOnly)+`"}`)
		fresh, _ := member(t, rotated, "token").(string)
		if rotated.Status != 200 || fresh == plain {
			t.Fatalf("%d %s", rotated.Status, rotated.Body)
		}
		if got := h.WithHeaders("PRIVATE-TOKEN", plain).Send("GET", "/user", ""); got.Status != 401 {
			t.Errorf("the old token still works: %d", got.Status)
		}
		expect(t, c.manager.Send("DELETE", one+"/personal_access_tokens/"+idOf(t, rotated), ""), 204, "")
		if got := h.WithHeaders("PRIVATE-TOKEN", fresh).Send("GET", "/user", ""); got.Status != 401 {
			t.Errorf("a revoked token still works: %d", got.Status)
		}
		for _, r := range []struct{ method, path, body string }{
			{"GET", c.base, ""},
			{"POST", c.base, `{}`},
			{"PATCH", one, `{"name":"x"}`},
			{"DELETE", one, ""},
			{"GET", one + "/personal_access_tokens", ""},
			{"POST", one + "/personal_access_tokens", `{"name":"x","scopes":["api"]}`},
			{"DELETE", tokenPath, ""},
			{"POST", tokenPath + "/rotate", ""},
		} {
			if got := c.below.JSON(r.method, r.path, r.body); got.Status != 403 {
				t.Errorf("%s %s: %d %s", r.method, r.path, got.Status, got.Body)
			}
			if got := h.NewUser().JSON(r.method, r.path, r.body); got.Status != 404 {
				t.Errorf("%s %s: %d %s", r.method, r.path, got.Status, got.Body)
			}
		}
		for _, r := range []struct{ method, path string }{
			{"PATCH", c.base + "/" + itoa(c.manager.User.ID)},
			{"DELETE", c.base + "/" + itoa(c.manager.User.ID)},
			{"GET", c.base + "/" + itoa(c.manager.User.ID) + "/personal_access_tokens"},
			{"DELETE", one + "/personal_access_tokens/999"},
		} {
			if got := c.manager.JSON(r.method, r.path, map[string]string{"PATCH": `{"name":"x"}`}[r.method]); got.Status != 404 {
				t.Errorf("%s %s: %d %s", r.method, r.path, got.Status, got.Body)
			}
		}
		expect(t, c.manager.Send("DELETE", one, ""), 204, "")
		expect(t, c.manager.Send("GET", c.base, ""), 200, `[]`)
		expect(t, c.manager.Send("DELETE", one, ""), 404, `{"message":"404 User Not Found"}`)
	}
	owner := h.Member(group, model.Owner)
	expect(t, owner.JSON("POST", fmt.Sprintf("/groups/%d/service_accounts", sub.ID), `{}`), 400,
		`{"message":"400 Bad request - Service accounts can be created only in groups at the top level"}`)
}

func TestServiceAccountsEndWithTheirGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	owner := h.Member(group, model.Owner)
	id := idOf(t, owner.JSON("POST", fmt.Sprintf("/groups/%d/service_accounts", group.ID), `{"name":"Deployer"}`))
	if got := owner.Send("DELETE", "/groups/"+itoa(group.ID), ""); got.Status != 202 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	expect(t, h.Root().Send("GET", "/users/"+id, ""), 404, `{"message":"404 User Not Found"}`)
}

func TestCustomAttributesOfGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	group, other := h.Group(), h.Group(func(n *model.Namespace) { n.Visibility = model.Public })
	path := fmt.Sprintf("/groups/%d/custom_attributes", group.ID)
	expect(t, root.JSON("PUT", path+"/cost_center", `{"value":"7"}`), 200, `{"key":"cost_center","value":"7"}`)
	expect(t, root.JSON("PUT", path+"/cost_center", `{"value":"8"}`), 200, `{"key":"cost_center","value":"8"}`)
	expect(t, root.Send("GET", path, ""), 200, `[{"key":"cost_center","value":"8"}]`)
	expect(t, root.Send("GET", path+"/cost_center", ""), 200, `{"key":"cost_center","value":"8"}`)
	expect(t, root.Send("GET", path+"/other", ""), 404, `{"message":"404 Not found"}`)
	if got := root.JSON("PUT", path+"/x", `{"value":"`+strings.Repeat("x", 10001)+`"}`); got.Status != 400 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	found := root.Send("GET", "/groups?custom_attributes[cost_center]=8", "")
	if found.Header.Get("X-Total") != "1" || !strings.Contains(found.Body, group.FullPath) {
		t.Error(found.Body)
	}
	if all := h.NewUser().Send("GET", "/groups?all_available=true&custom_attributes[cost_center]=8", ""); !strings.Contains(all.Body,
		other.FullPath) {
		t.Error(all.Body)
	}
	owner := h.Member(group, model.Owner)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		body := map[string]string{"PUT": `{"value":"1"}`}[method]
		expect(t, owner.JSON(method, path+"/cost_center", body), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.Anonymous().JSON(method, path+"/cost_center", body), 401, `{"message":"401 Unauthorized"}`)
	}
	expect(t, root.Send("DELETE", path+"/cost_center", ""), 204, "")
	expect(t, root.Send("DELETE", path+"/cost_center", ""), 404, `{"message":"404 Not found"}`)
}
