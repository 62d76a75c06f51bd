package api

import (
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const broadcasts = "/broadcast_messages"

func TestBroadcastMessagesAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	made := root.JSON("POST", broadcasts, `{"message":"Restart at six","target_access_levels":[40,30,30]}`)
	id := itoa(int64(member(t, made, "id").(float64)))
	if made.Status != 201 || member(t, made, "active") != true || member(t, made, "theme") != "indigo" ||
		member(t, made, "broadcast_type") != "banner" || member(t, made, "color") != nil || member(t, made, "dismissable") != false ||
		!strings.Contains(made.Body, `"target_access_levels":[30,40]`) {
		t.Errorf("%d %s", made.Status, made.Body)
	}
	changed := root.JSON("PUT", broadcasts+"/"+id, `{"color":"#ff0000","target_access_levels":[10,20]}`)
	if changed.Status != 200 || member(t, changed, "color") != "#ff0000" || member(t, changed, "message") != "Restart at six" ||
		!strings.Contains(changed.Body, `"target_access_levels":[10,20]`) {
		t.Errorf("%d %s", changed.Status, changed.Body)
	}
	if again := root.Form("PUT", broadcasts+"/"+id, "target_access_levels=10,20"); again.Body != changed.Body {
		t.Errorf("%d %s", again.Status, again.Body)
	}
	root.JSON("POST", broadcasts, `{"message":"Past","starts_at":"2020-01-01T00:00:00Z","ends_at":"2020-01-02T00:00:00Z"}`)
	list := h.Anonymous().Send("GET", broadcasts, "")
	if list.Status != 200 || list.Header.Get("X-Total") != "2" || strings.Index(list.Body, "Past") > strings.Index(list.Body, "Restart") ||
		!strings.Contains(list.Body, `"active":false`) {
		t.Errorf("%d %s", list.Status, list.Body)
	}
	if got := h.Anonymous().Send("GET", broadcasts+"?per_page=1", ""); got.Header.Get("X-Next-Page") != "2" {
		t.Errorf("%v", got.Header)
	}
	expect(t, h.NewUser().Send("GET", broadcasts+"/"+id, ""), 200, changed.Body)
	for _, body := range []string{
		`{"message":" "}`, `{"message":"x","color":"red"}`, `{"message":"x","theme":"pink"}`, `{"message":"x","target_access_levels":[7]}`,
		`{"message":"x","starts_at":"2030-01-01T00:00:00Z","ends_at":"2029-01-01T00:00:00Z"}`, `{}`,
		`{"message":"x","broadcast_type":"song"}`, `{"message":"x","starts_at":"soon"}`,
	} {
		if got := root.JSON("POST", broadcasts, body); got.Status != 400 {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	for _, c := range []struct{ method, path, body string }{
		{"POST", broadcasts, `{"message":"x"}`}, {"PUT", broadcasts + "/" + id, `{"message":"x"}`}, {"DELETE", broadcasts + "/" + id, ""},
	} {
		expect(t, h.NewUser().JSON(c.method, c.path, c.body), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.Anonymous().JSON(c.method, c.path, c.body), 401, `{"message":"401 Unauthorized"}`)
	}
	expect(t, root.Send("DELETE", broadcasts+"/"+id, ""), 204, "")
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		expect(t, root.JSON(method, broadcasts+"/"+id, map[string]string{"PUT": `{"message":"x"}`}[method]), 404,
			`{"message":"404 Not found"}`)
	}
}

func TestPagesShowBroadcastMessagesToTheRightPeople(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	dev := h.NewUserWithPassword()
	web := h.Project(h.Group(func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	h.JoinProject(web, dev.User, model.Developer)
	root.JSON("POST", broadcasts, `{"message":"For **everybody**","dismissable":true,"color":"#abcdef"}`)
	root.JSON("POST", broadcasts, `{"message":"For developers","target_access_levels":[30]}`)
	root.JSON("POST", broadcasts, `{"message":"On one page","target_path":"/users/sign_in"}`)
	root.JSON("POST", broadcasts, `{"message":"Tomorrow","starts_at":"2099-01-01T00:00:00Z","ends_at":"2099-01-02T00:00:00Z"}`)
	sees := func(b *harness.Browser, path string, want ...string) {
		t.Helper()
		page := b.Get(path).Body
		for _, text := range []string{"For <strong>everybody</strong>", "For developers", "On one page", "Tomorrow"} {
			found, wanted := strings.Contains(page, text), false
			for _, w := range want {
				wanted = wanted || w == text
			}
			if found != wanted {
				t.Errorf("%s: %q is shown: %v", path, text, found)
			}
		}
	}
	anybody := h.Browser()
	sees(anybody, "/users/sign_in", "For <strong>everybody</strong>", "On one page")
	sees(anybody, "/"+web.FullPath, "For <strong>everybody</strong>")
	sees(h.SignedIn(dev.User), "/"+web.FullPath, "For <strong>everybody</strong>", "For developers")
	sees(h.SignedIn(dev.User), "/", "For <strong>everybody</strong>")
	anybody.Get("/users/sign_in")
	anybody.Submit("/-/broadcast_messages/close", url.Values{})
	sees(anybody, "/users/sign_in", "On one page")
	if style := anybody.Get("/-/appearance.css").Body; !strings.Contains(style, "background:#abcdef") {
		t.Error(style)
	}
}
