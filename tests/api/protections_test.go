package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestProtectedBranchesAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer := h.ProjectMember(p, model.Maintainer)
	const path = "/projects/acme%2Fweb/protected_branches"
	usual := maintainer.JSON("POST", path, `{"name":"main"}`)
	expect(t, usual, 201, "")
	h.Golden("createProjectProtectedBranch/usual", usual.Body)
	full := maintainer.Form("POST", path,
		"name=release/*&push_access_level=0&merge_access_level=30&unprotect_access_level=40&allow_force_push=true")
	expect(t, full, 201, "")
	h.Golden("createProjectProtectedBranch/full", full.Body)
	listed := maintainer.Send("GET", path, "")
	expect(t, listed, 200, "["+usual.Body+","+full.Body+"]")
	if listed.Header.Get("X-Total") != "2" {
		t.Errorf("%v", listed.Header)
	}
	expect(t, maintainer.Send("GET", path+"?search=RELEASE/", ""), 200, "["+full.Body+"]")
	expect(t, maintainer.Send("GET", path+"?search=%25", ""), 200, "[]")
	expect(t, maintainer.Send("GET", path+"/release%2F*", ""), 200, full.Body)
	expect(t, maintainer.Send("GET", path+"/release%2F1", ""), 404, `{"message":"404 Not found"}`)
	changed := maintainer.JSON("PATCH", path+"/release%2F*",
		`{"push_access_level":30,"merge_access_level":40,"unprotect_access_level":30,"allow_force_push":false}`)
	expect(t, changed, 200, "")
	h.Golden("updateProjectProtectedBranch/all", changed.Body)
	expect(t, maintainer.JSON("PATCH", path+"/release%2F*", `{}`), 200, changed.Body)
	expect(t, maintainer.JSON("PATCH", path+"/none", `{}`), 404, `{"message":"404 Not found"}`)
	for body, want := range map[string]string{
		`{}`:                                  `{"error":"name is missing"}`,
		`{"name":""}`:                         `{"error":"name is empty"}`,
		`{"name":" "}`:                        `{"message":{"name":["can't be blank"]}}`,
		`{"name":"x","push_access_level":50}`: `{"error":"push_access_level does not have a valid value"}`,
		`{"name":"x","unprotect_access_level":0}`:          `{"error":"unprotect_access_level does not have a valid value"}`,
		`{"name":"a..b"}`:                                  `{"message":{"name":["is invalid"]}}`,
		`{"name":"a\nb"}`:                                  `{"message":{"name":["is invalid"]}}`,
		`{"name":"-a"}`:                                    `{"message":{"name":["is invalid"]}}`,
		`{"name":"` + strings.Repeat("\u00e9", 256) + `"}`: `{"message":{"name":["is too long (maximum is 255 characters)"]}}`,
	} {
		expect(t, maintainer.JSON("POST", path, body), 400, want)
	}
	expect(t, maintainer.JSON("POST", path, `{"name":"main"}`), 409, `{"message":"Protected branch 'main' already exists"}`)
	before := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, maintainer.Send("DELETE", path+"/main", "", "If-Unmodified-Since", before), 412, "")
	expect(t, maintainer.Send("DELETE", path+"/main", ""), 204, "")
	expect(t, maintainer.Send("DELETE", path+"/main", ""), 404, `{"message":"404 Not found"}`)
}

func TestOnlyTheUnprotectLevelChangesAProtection(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	callers := newCallersByRole(h, p)
	maintainer := callers["maintainer"]
	const path = "/projects/acme%2Fweb/protected_branches"
	const refused = `{"message":"403 Forbidden - You are not allowed to change or remove this protection"}`
	made := maintainer.JSON("POST", path, `{"name":"main","unprotect_access_level":60}`)
	expect(t, made, 201, "")
	if !strings.Contains(made.Body, `"access_level":60,"access_level_description":"Administrators"`) {
		t.Error(made.Body)
	}
	for _, caller := range []*harness.Caller{maintainer, callers["owner"]} {
		expect(t, caller.JSON("PATCH", path+"/main", `{"unprotect_access_level":40}`), 403, refused)
		expect(t, caller.Send("DELETE", path+"/main", ""), 403, refused)
	}
	expect(t, maintainer.Send("GET", path+"/main", ""), 200, made.Body)
	expect(t, h.Root().JSON("PATCH", path+"/main", `{"unprotect_access_level":30}`), 200, "")
	expect(t, callers["developer"].JSON("PATCH", path+"/main", `{}`), 403, "")
	expect(t, callers["developer"].Send("DELETE", path+"/main", ""), 403, "")
	expect(t, maintainer.JSON("PATCH", path+"/main", `{"unprotect_access_level":60}`), 200, "")
	expect(t, h.Root().Send("DELETE", path+"/main", ""), 204, "")
}

func TestProtectedTagsAreCreatedReadAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer := h.ProjectMember(p, model.Maintainer)
	const path = "/projects/acme%2Fweb/protected_tags"
	usual := maintainer.JSON("POST", path, `{"name":"rel/*"}`)
	expect(t, usual, 201, "")
	h.Golden("createProjectProtectedTag/usual", usual.Body)
	none := maintainer.JSON("POST", path, `{"name":"v1.0","create_access_level":0}`)
	expect(t, none, 201, "")
	expect(t, maintainer.Send("GET", path, ""), 200, "["+usual.Body+","+none.Body+"]")
	expect(t, maintainer.Send("GET", path+"/rel%2F%2A", ""), 200, usual.Body)
	expect(t, maintainer.Send("GET", path+"/v1%2E0", ""), 200, none.Body)
	expect(t, maintainer.JSON("POST", path, `{"name":"v1.0"}`), 409, `{"message":"Protected tag 'v1.0' already exists"}`)
	expect(t, maintainer.JSON("POST", path, `{"name":"x","create_access_level":10}`), 400,
		`{"error":"create_access_level does not have a valid value"}`)
	expect(t, maintainer.Send("DELETE", path+"/v1.0", ""), 204, "")
	expect(t, maintainer.Send("DELETE", path+"/v1.0", ""), 404, `{"message":"404 Not found"}`)
}
