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

// deployKeyLine returns a public key that no other test uses.
func deployKeyLine(t *testing.T, comment string) string {
	t.Helper()
	line, _, _ := newKey(t)
	return line + " " + comment
}

// deployKey is a deploy key in a response.
type deployKey struct {
	ID                int64                `json:"id"`
	Title             string               `json:"title"`
	Key               string               `json:"key"`
	Fingerprint       string               `json:"fingerprint"`
	FingerprintSHA256 string               `json:"fingerprint_sha256"`
	CanPush           *bool                `json:"can_push"`
	Write             []struct{ ID int64 } `json:"projects_with_write_access"`
	Read              []struct{ ID int64 } `json:"projects_with_readonly_access"`
}

func TestDeployKeysOfAProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	p, other := h.Project(group.ID, called("web", model.Private)), h.Project(group.ID, called("other", model.Private))
	maintainer, stranger := h.ProjectMember(p, model.Maintainer), h.ProjectMember(other, model.Maintainer)
	keys, line := fmt.Sprintf("/projects/%d/deploy_keys", p.ID), deployKeyLine(t, "flux")
	body := fmt.Sprintf(`{"title":"flux","key":"  %s \n","can_push":true}`, line)
	made := maintainer.JSON("POST", keys, strings.ReplaceAll(body, "\n", `\n`))
	one := read[deployKey](t, made, 201)
	if one.Title != "flux" || one.Key != line || !*one.CanPush || !strings.HasPrefix(one.FingerprintSHA256, "SHA256:") ||
		strings.Count(one.Fingerprint, ":") != 15 {
		t.Errorf("%s", made.Body)
	}
	again := read[deployKey](t, maintainer.JSON("POST", keys, fmt.Sprintf(`{"title":"x","key":"%s"}`, line)), 201)
	if again.ID != one.ID || again.Title != "flux" || !*again.CanPush {
		t.Errorf("%+v", again)
	}
	if rows := read[[]deployKey](t, maintainer.Send("GET", keys, ""), 200); len(rows) != 1 || rows[0].Key != line {
		t.Errorf("%+v", rows)
	}
	path := fmt.Sprintf("%s/%d", keys, one.ID)
	expect(t, maintainer.Send("GET", path, ""), 200, "")
	renamed := read[deployKey](t, maintainer.JSON("PUT", path, `{"title":"renamed","can_push":false}`), 200)
	if renamed.Title != "renamed" || *renamed.CanPush {
		t.Errorf("%+v", renamed)
	}
	expect(t, maintainer.JSON("PUT", path, `{"title":""}`), 400, `{"message":{"title":["can't be blank"]}}`)
	for body, want := range map[string]string{
		`{"title":"x"}`:                           `{"error":"key is missing"}`,
		fmt.Sprintf(`{"key":"%s"}`, line):         `{"error":"title is missing"}`,
		`{"title":"x","key":"nonsense"}`:          `{"message":{"key":["is invalid"]}}`,
		`{"title":"x","key":"ssh-rsa AAAA x"}`:    "",
		`{"title":"x","expires_at":"2001-01-01"}`: `{"error":"key is missing"}`,
	} {
		expect(t, maintainer.JSON("POST", keys, body), 400, want)
	}
	// Somebody who does not know the key's project cannot use it, and maintainers of both can.
	elsewhere := fmt.Sprintf("/projects/%d/deploy_keys", other.ID)
	expect(t, stranger.JSON("POST", elsewhere, fmt.Sprintf(`{"title":"x","key":"%s"}`, line)), 400,
		`{"message":{"fingerprint_sha256":["has already been taken"]}}`)
	expect(t, stranger.Send("POST", fmt.Sprintf("%s/%d/enable", elsewhere, one.ID), ""), 404, `{"message":"404 Deploy Key Not Found"}`)
	h.JoinProject(other, maintainer.User, model.Maintainer)
	if got := read[deployKey](t, maintainer.Send("POST", fmt.Sprintf("%s/%d/enable", elsewhere, one.ID), ""), 201); *got.CanPush {
		t.Errorf("%+v", got)
	}
	if got := read[deployKey](t, maintainer.JSON("PUT", path, `{"title":"kept"}`), 200); got.Title != "renamed" {
		t.Errorf("%+v", got)
	}
	expect(t, maintainer.Send("DELETE", path, "", "If-Unmodified-Since", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)), 412, "")
	expect(t, maintainer.Send("DELETE", path, ""), 204, "")
	expect(t, maintainer.Send("GET", path, ""), 404, `{"message":"404 Deploy Key Not Found"}`)
	expect(t, stranger.Send("GET", fmt.Sprintf("%s/%d", elsewhere, one.ID), ""), 200, "")
	expect(t, stranger.Send("DELETE", fmt.Sprintf("%s/%d", elsewhere, one.ID), ""), 204, "")
	expect(t, maintainer.Send("POST", fmt.Sprintf("%s/%d/enable", keys, one.ID), ""), 404, "")
}

func TestDeployKeysOfTheInstanceAndOfUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID, called("web", model.Private))
	maintainer, developer := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	line := deployKeyLine(t, "public")
	body := fmt.Sprintf(`{"title":"all","key":"%s","expires_at":"2099-01-01T00:00:00Z"}`, line)
	one := read[deployKey](t, h.Root().JSON("POST", "/deploy_keys", body), 201)
	expect(t, h.Root().JSON("POST", "/deploy_keys", body), 400, `{"message":{"fingerprint_sha256":["has already been taken"]}}`)
	expect(t, maintainer.JSON("POST", "/deploy_keys", body), 403, "")
	expect(t, maintainer.Send("GET", "/deploy_keys", ""), 403, "")
	expect(t, h.Anonymous().Send("GET", "/deploy_keys", ""), 401, "")
	keys := fmt.Sprintf("/projects/%d/deploy_keys", p.ID)
	expect(t, developer.Send("GET", keys, ""), 403, "")
	expect(t, maintainer.Send("POST", fmt.Sprintf("%s/%d/enable", keys, one.ID), ""), 201, "")
	kept := read[deployKey](t, maintainer.JSON("PUT", fmt.Sprintf("%s/%d", keys, one.ID), `{"title":"x","can_push":true}`), 200)
	if kept.Title != "all" {
		t.Errorf("%+v", kept)
	}
	rows := read[[]deployKey](t, h.Root().Send("GET", "/deploy_keys?public=true", ""), 200)
	if len(rows) != 1 || len(rows[0].Write) != 1 || rows[0].Write[0].ID != p.ID || len(rows[0].Read) != 0 || rows[0].CanPush != nil {
		t.Errorf("%+v", rows)
	}
	for who, want := range map[*harness.Caller]int{maintainer: 1, h.Root(): 1, developer: 0, h.NewUser(): 0} {
		list := "/users/" + maintainer.User.Username + "/project_deploy_keys"
		if rows := read[[]deployKey](t, who.Send("GET", list, ""), 200); len(rows) != want {
			t.Errorf("%+v", rows)
		}
	}
	expect(t, maintainer.Send("GET", "/users/nobody-at-all/project_deploy_keys", ""), 404, "")
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/%d", keys, one.ID), ""), 204, "")
	if rows := read[[]deployKey](t, h.Root().Send("GET", "/deploy_keys", ""), 200); len(rows) != 1 {
		t.Errorf("a public key stays: %+v", rows)
	}
	// A key is either of a user or a deploy key.
	expect(t, developer.JSON("POST", "/user/keys", fmt.Sprintf(`{"title":"x","key":"%s"}`, line)), 400,
		`{"message":{"fingerprint_sha256":["has already been taken"]}}`)
	own := deployKeyLine(t, "own")
	expect(t, developer.JSON("POST", "/user/keys", fmt.Sprintf(`{"title":"x","key":"%s"}`, own)), 201, "")
	expect(t, maintainer.JSON("POST", keys, fmt.Sprintf(`{"title":"x","key":"%s"}`, own)), 400, "")
}

func TestEveryRoleWithDeployKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	p := h.Project(group.ID, called("web", model.Private))
	keys := fmt.Sprintf("/projects/%d/deploy_keys", p.ID)
	public := read[deployKey](t, h.Root().JSON("POST", "/deploy_keys", fmt.Sprintf(`{"title":"p","key":"%s"}`, deployKeyLine(t, "p"))), 201)
	one := read[deployKey](t, h.Root().JSON("POST", keys, fmt.Sprintf(`{"title":"k","key":"%s"}`, deployKeyLine(t, "k"))), 201)
	callers := map[string]*harness.Caller{"outsider": h.NewUser(), "anonymous": h.Anonymous(), "administrator": h.Root()}
	for name, role := range map[string]model.Access{
		"guest": model.Guest, "reporter": model.Reporter, "developer": model.Developer, "maintainer": model.Maintainer,
		"owner": model.Owner,
	} {
		callers[name] = h.Member(group, role)
	}
	refusals := map[string]int{"anonymous": 401, "outsider": 404, "guest": 403, "reporter": 403, "developer": 403}
	for name, caller := range callers {
		add := fmt.Sprintf(`{"title":"x","key":"%s"}`, deployKeyLine(t, name))
		for _, c := range []struct {
			method, path, body string
			want               int
		}{
			{"GET", keys, "", 200},
			{"GET", fmt.Sprintf("%s/%d", keys, one.ID), "", 200},
			{"POST", keys, add, 201},
			{"PUT", fmt.Sprintf("%s/%d", keys, one.ID), `{"can_push":true}`, 200},
			{"POST", fmt.Sprintf("%s/%d/enable", keys, public.ID), "{}", 201},
			{"DELETE", fmt.Sprintf("%s/%d", keys, public.ID), "", 204},
		} {
			want := c.want
			if refused, ok := refusals[name]; ok {
				want = refused
			}
			got := caller.Send(c.method, c.path, c.body, "Content-Type", "application/json")
			if got.Status != want && !(name == "anonymous" && got.Status == 404) {
				t.Errorf("%s: %s %s: %d, want %d", name, c.method, c.path, got.Status, want)
			}
		}
	}
}
