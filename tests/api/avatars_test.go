package api

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// Two images of one pixel, black and white.
const (
	blackDot = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	whiteDot = "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	badImage = `{"message":{"avatar":["file format is not supported. Please try one of the following supported formats: ` +
		`image/png, image/jpeg, image/gif, image/bmp, image/webp, image/vnd.microsoft.icon"]}}`
	bigImage = `{"message":{"avatar":["is too big (should be at most 200 KiB)"]}}`
)

func bytesOf(t *testing.T, text string) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// link returns the path of avatar_url in a response. The URL must be on this server.
func link(t *testing.T, h *harness.H, a harness.Answer) string {
	t.Helper()
	text, _ := member(t, a, "avatar_url").(string)
	path, ok := strings.CutPrefix(text, h.URL)
	if !ok {
		t.Fatalf("avatar_url is %q in %d %s", text, a.Status, a.Body)
	}
	return path
}

func TestUsersSetAndRemoveTheirAvatar(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane, anyone, dot := h.NewUser(named("jane")), h.Anonymous(), bytesOf(t, blackDot)
	// The service ignores the file name and the content type that the caller declares.
	set := jane.File("PUT", "/user/avatar", nil, "avatar", `../"x.svg`, "text/html", dot)
	expect(t, set, 200, "")
	path := link(t, h, set)
	if !strings.HasPrefix(path, fmt.Sprintf("/uploads/-/system/user/avatar/%d/", jane.User.ID)) || !strings.HasSuffix(path, ".gif") {
		t.Errorf("the picture is at %s", path)
	}
	for name, c := range map[string]*harness.Caller{"an administrator": h.Root(), "another user": h.NewUser(), "nobody": anyone} {
		if got := c.Send("GET", "/users?username=jane", ""); !strings.Contains(got.Body, `"avatar_url":"`+h.URL+path+`"`) {
			t.Errorf("in a list, %s sees %s", name, got.Body)
		}
	}
	shown := anyone.Send("GET", path, "")
	expect(t, shown, 200, dot)
	for name, want := range map[string]string{
		"Content-Type": "image/gif", "X-Content-Type-Options": "nosniff",
		"Content-Disposition": `inline; filename="` + path[strings.LastIndex(path, "/")+1:] + `"`,
		"Cache-Control":       "max-age=3600, public", "Content-Length": fmt.Sprint(len(dot)),
	} {
		if got := shown.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	expect(t, anyone.Send("GET", path, "", "If-None-Match", shown.Header.Get("ETag")), 304, "")
	if head := anyone.Send("HEAD", path, ""); head.Status != 200 || head.Body != "" || head.Header.Get("Content-Type") != "image/gif" {
		t.Errorf("HEAD answered %d %q %v", head.Status, head.Body, head.Header)
	}
	for _, where := range []harness.Answer{jane.Send("GET", "/user", ""), jane.Send("GET", fmt.Sprintf("/users/%d", jane.User.ID), "")} {
		if got := link(t, h, where); got != path {
			t.Errorf("shown as %s", got)
		}
	}
	if got := link(t, h, jane.Send("GET", "/namespaces/jane", "")); got != path {
		t.Errorf("the namespace shows %s", got)
	}
	other := jane.JSON("PUT", "/user/avatar", `{"avatar":"`+whiteDot+`"}`) // JSON bodies carry the image as base64
	expect(t, other, 200, "")
	expect(t, anyone.Send("GET", path, ""), 404, `{"message":"404 Avatar Not Found"}`)
	expect(t, anyone.Send("GET", link(t, h, other), ""), 200, bytesOf(t, whiteDot))
	for _, gone := range []harness.Answer{
		jane.File("PUT", "/user/avatar", nil, "avatar", "", "application/octet-stream", ""),
		jane.Form("PUT", "/user/avatar", "avatar="), jane.JSON("PUT", "/user/avatar", `{"avatar":null}`),
	} {
		expect(t, gone, 200, `{"avatar_url":null}`)
	}
	expect(t, anyone.Send("GET", link(t, h, other), ""), 404, `{"message":"404 Avatar Not Found"}`)
	expect(t, anyone.Send("GET", "/uploads/-/system/user/avatar/999999/x.gif", ""), 404, `{"message":"404 Avatar Not Found"}`)
	expect(t, anyone.Send("GET", "/uploads/-/system/user/avatar/x/x.gif", ""), 404, `{"error":"404 Not Found"}`)
	expect(t, anyone.Form("PUT", "/user/avatar", "avatar="), 401, `{"message":"401 Unauthorized"}`)
}

func TestAFileThatIsNotAnImageChangesNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, jane := h.Root(), h.NewUser(named("jane"))
	group := h.Group(at("acme"))
	h.Join(group, jane.User, model.Owner)
	expect(t, jane.JSON("PUT", "/user/avatar", `{"avatar":"`+blackDot+`"}`), 200, "")
	user := fmt.Sprintf("/users/%d", jane.User.ID)
	before, groupBefore := root.Send("GET", user, "").Body, jane.Send("GET", "/groups/acme", "").Body
	for data, want := range map[string]string{
		"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>": badImage,
		"GIF89a":                            badImage,
		"\x89PNG\r\n\x1a\n<script>":         badImage,
		"\x00":                              badImage,
		strings.Repeat("x", 200<<10+1):      bigImage,
		bytesOf(t, blackDot)[:3] + "<html>": badImage,
		strings.Repeat("\x00\xff", 150<<10): bigImage,
	} {
		expect(t, jane.File("PUT", "/user/avatar", nil, "avatar", "dot.gif", "image/gif", data), 400, want)
		expect(t, root.File("PUT", user, map[string]string{"bio": "new"}, "avatar", "dot.gif", "image/gif", data), 400, want)
		expect(t, jane.File("PUT", "/groups/acme", map[string]string{"description": "new"}, "avatar", "dot.gif",
			"image/gif", data), 400, want)
		expect(t, jane.File("POST", "/groups", map[string]string{
			"name": "New", "path": "new",
		}, "avatar", "dot.gif", "image/gif", data), 400, want)
		expect(t, root.File("POST", "/users", map[string]string{
			"email": "new@example.com", "name": "New", "username": "new", "force_random_password": "true",
		},
			"avatar", "dot.gif", "image/gif", data), 400, want)
	}
	expect(t, jane.JSON("PUT", "/user/avatar", `{"avatar":"no base64"}`), 400, `{"error":"avatar is invalid"}`)
	expect(t, jane.JSON("PUT", "/user/avatar", `{"avatar":7}`), 400, "")
	expect(t, jane.JSON("PUT", "/user/avatar", `{"avatar":{"file":"x"}}`), 400, `{"error":"avatar is invalid"}`)
	expect(t, jane.JSON("PUT", "/user/avatar", `{}`), 400, `{"error":"avatar is missing"}`)
	expect(t, jane.File("PUT", "/user/avatar", nil, "avatar", "dot.gif", "image/gif", strings.Repeat("x", 2<<20)),
		413, `{"message":"413 Request Entity Too Large"}`)
	expect(t, root.Send("GET", user, ""), 200, before)
	expect(t, jane.Send("GET", "/groups/acme", ""), 200, groupBefore)
	expect(t, jane.Send("GET", "/groups/new", ""), 404, "")
	if got := usernames(t, root.Send("GET", "/users", "")); got != "jane root" {
		t.Errorf("users are %s", got)
	}
}

func TestAdministratorsSetAvatarsOfUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	made := root.File("POST", "/users", map[string]string{
		"email": "jane@example.com", "name": "Jane", "username": "jane", "force_random_password": "1",
	},
		"avatar", "dot.gif", "image/gif", bytesOf(t, blackDot))
	expect(t, made, 201, "")
	path, user := link(t, h, made), fmt.Sprintf("/users/%v", member(t, made, "id"))
	expect(t, root.Send("GET", path, ""), 200, bytesOf(t, blackDot))
	expect(t, root.JSON("PUT", user, `{"bio":"the picture stays"}`), 200, "")
	expect(t, root.Send("GET", path, ""), 200, bytesOf(t, blackDot))
	changed := root.File("PUT", user, nil, "avatar", "dot.gif", "image/gif", bytesOf(t, whiteDot))
	expect(t, root.Send("GET", link(t, h, changed), ""), 200, bytesOf(t, whiteDot))
	if got := member(t, root.Form("PUT", user, "avatar="), "avatar_url"); got != nil {
		t.Errorf("it is still %v", got)
	}
	again := root.JSON("PUT", user, `{"avatar":"`+whiteDot+`"}`)
	id := int64(member(t, made, "id").(float64))
	if err := h.Store.Users.Remove(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	expect(t, root.Send("GET", link(t, h, again), ""), 404, `{"message":"404 Avatar Not Found"}`)
	if _, err := h.Store.Avatars.Get(t.Context(), model.AvatarUser, id); !store.IsNotFound(err) {
		t.Errorf("the picture outlives its owner: %v", err)
	}
}

func TestAvatarsOfGroupsFollowTheVisibilityOfTheGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, dot := h.NewUser(), bytesOf(t, blackDot)
	made := owner.File("POST", "/groups", map[string]string{"name": "Acme", "path": "acme"}, "avatar", "dot.gif", "image/gif", dot)
	expect(t, made, 201, "")
	path, id := link(t, h, made), int64(member(t, made, "id").(float64))
	if !strings.HasPrefix(path, fmt.Sprintf("/uploads/-/system/group/avatar/%d/", id)) {
		t.Errorf("the picture is at %s", path)
	}
	shown := owner.Send("GET", path, "")
	expect(t, shown, 200, dot)
	if got := shown.Header.Get("Cache-Control"); got != "max-age=0, private, must-revalidate" {
		t.Errorf("Cache-Control is %q", got)
	}
	expect(t, owner.Send("GET", "/groups/acme/avatar", ""), 200, dot)
	expect(t, owner.Send("GET", "/groups/acme/avatar", "", "If-None-Match", shown.Header.Get("ETag")), 304, "")
	for _, outsider := range []*harness.Caller{h.NewUser(), h.Anonymous()} {
		for _, hidden := range []string{path, "/groups/acme/avatar"} {
			expect(t, outsider.Send("GET", hidden, "", "If-None-Match", shown.Header.Get("ETag")), 404, `{"message":"404 Group Not Found"}`)
		}
	}
	expect(t, owner.JSON("PUT", "/groups/acme", `{"visibility":"internal"}`), 200, "")
	expect(t, h.NewUser().Send("GET", path, ""), 200, dot)
	expect(t, h.NewUser(harness.External).Send("GET", path, ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, owner.JSON("PUT", "/groups/acme", `{"visibility":"public"}`), 200, "")
	expect(t, h.Anonymous().Send("GET", path, ""), 200, dot)
	if got := member(t, owner.Send("GET", "/namespaces/acme", ""), "avatar_url"); got != h.URL+path {
		t.Errorf("as a namespace it is %v", got)
	}
	p := h.Project(id, called("web", model.Public))
	for _, list := range []string{"/groups", "/groups?search=acme"} {
		groups := read[[]map[string]any](t, h.Anonymous().Send("GET", fmt.Sprintf("/projects/%d%s", p.ID, list), ""), 200)
		if len(groups) != 1 || groups[0]["avatar_url"] != h.URL+path {
			t.Errorf("%s of a project: %v", list, groups)
		}
	}
	if got := member(t, owner.Form("PUT", "/groups/acme", "avatar="), "avatar_url"); got != nil {
		t.Errorf("it is still %v", got)
	}
	expect(t, owner.Send("GET", "/groups/acme/avatar", ""), 404, `{"message":"404 Avatar Not Found"}`)
	expect(t, owner.JSON("PUT", "/groups/acme", `{"avatar":"`+whiteDot+`"}`), 200, "")
	expect(t, owner.Send("DELETE", "/groups/acme", ""), 202, "")
	if _, err := h.Store.Avatars.Get(t.Context(), model.AvatarGroup, id); !store.IsNotFound(err) {
		t.Errorf("the picture outlives its owner: %v", err)
	}
}

func TestAnAvatarIsFoundOnlyByAPublicEmail(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(named("jane"))
	set := jane.JSON("PUT", "/user/avatar", `{"avatar":"`+blackDot+`"}`)
	find := func(c *harness.Caller, address string) harness.Answer {
		return c.Send("GET", "/avatar?size=32&email="+url.QueryEscape(address), "")
	}
	expect(t, find(h.Root(), "jane@example.com"), 200, `{"avatar_url":null}`) // the address is not public
	if err := h.Store.Users.Update(t.Context(), jane.User.ID, map[string]any{"public_email": "jane@example.com"}); err != nil {
		t.Fatal(err)
	}
	expect(t, find(h.Anonymous(), "JANE@example.com"), 200, set.Body)
	expect(t, find(h.Anonymous(), "nobody@example.com"), 200, `{"avatar_url":null}`)
	expect(t, h.Anonymous().Send("GET", "/avatar", ""), 400, `{"error":"email is missing"}`)
	expect(t, h.Anonymous().Send("GET", "/avatar?email=a@b.c&size=0", ""), 400, `{"error":"size does not have a valid value"}`)
}

// Whoever wins, the avatar URL in the row and the stored bytes belong to the same image.
func TestConcurrentAvatarUploadsDoNotMix(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := storetest.User(t, h.Store)
	one, other := h.WithToken(u, "api"), h.WithToken(u, "api")
	for range 5 {
		var wg sync.WaitGroup
		for caller, dot := range map[*harness.Caller]string{one: blackDot, other: whiteDot} {
			wg.Go(func() {
				expect(t, caller.JSON("PUT", "/user/avatar", `{"avatar":"`+dot+`"}`), 200, "")
				expect(t, caller.JSON("PUT", "/user/avatar", `{"avatar":""}`), 200, "")
				expect(t, caller.JSON("PUT", "/user/avatar", `{"avatar":"`+dot+`"}`), 200, "")
			})
		}
		wg.Wait()
		if got := one.Send("GET", link(t, h, one.Send("GET", "/user", "")), ""); got.Status != 200 {
			t.Errorf("the link leads to %d %s", got.Status, got.Body)
		}
	}
}

func TestTheAvatarOfAProjectFollowsItsVisibility(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	owner, other := h.Member(group, model.Maintainer), h.NewUser()
	project := h.Project(group.ID, called("web", model.Private))
	dot := bytesOf(t, blackDot)
	changed := owner.File("PUT", fmt.Sprintf("/projects/%d", project.ID), nil, "avatar", "x.gif", "image/gif", dot)
	expect(t, changed, 200, "")
	path := link(t, h, changed)
	if !strings.HasPrefix(path, fmt.Sprintf("/uploads/-/system/project/avatar/%d/", project.ID)) {
		t.Fatalf("the picture is at %s", path)
	}
	expect(t, owner.Send("GET", path, ""), 200, dot)
	expect(t, owner.Send("GET", "/projects/acme%2Fweb/avatar", ""), 200, dot)
	for _, caller := range []*harness.Caller{other, h.Anonymous()} {
		expect(t, caller.Send("GET", path, ""), 404, "")
		expect(t, caller.Send("GET", "/projects/acme%2Fweb/avatar", ""), 404, "")
	}
	expect(t, owner.File("PUT", "/projects/acme%2Fweb", nil, "avatar", "x.svg", "image/svg+xml", "<svg/>"), 400, badImage)
	expect(t, owner.JSON("PUT", "/projects/acme%2Fweb", `{"avatar":null}`), 200, "")
	expect(t, owner.Send("GET", path, ""), 404, "")
}
