package api

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the header of the protocol
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

const (
	firstState  = `{"version": 4, "serial": 1, "lineage": "x",  "outputs": {"a": {"value": 1.50}}}`
	secondState = `{"version":4,"serial":2}`
	terraform   = `{"ID":"one","Operation":"OperationTypeApply","Info":"","Who":"ada@laptop","Version":"1.9.0",` +
		`"Created":"2026-01-20T10:00:00Z","Path":""}`
	otherLock = `{"ID":"two","Operation":"OperationTypePlan","Info":"","Who":"bo@laptop","Version":"1.9.0",` +
		`"Created":"2026-01-20T10:00:01Z","Path":""}`
)

func TestTerraformWritesReadsAndDeletesAState(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	callers := newCallersByRole(h, p)
	maintainer, developer, path := callers["maintainer"], callers["developer"], "/projects/acme%2Fweb/terraform/state/production"
	expect(t, developer.Send("GET", path, ""), 404, `{"message":"404 Not found"}`)
	expect(t, maintainer.JSON("POST", path, firstState), 200, "")
	expect(t, developer.Send("GET", path, ""), 200, firstState)
	expect(t, maintainer.JSON("POST", path, secondState), 200, "")
	expect(t, developer.Send("GET", path, ""), 200, secondState)
	expect(t, developer.Send("GET", path+"/versions/1", ""), 200, firstState)
	expect(t, developer.Send("GET", path+"/versions/3", ""), 404, "")
	tag := developer.Send("GET", path, "").Header.Get("ETag")
	expect(t, developer.Send("GET", path, "", "If-None-Match", tag), 304, "")
	expect(t, developer.Send("GET", path, "", "Range", "bytes=1-9"), 206, secondState[1:10])

	expect(
		t, maintainer.JSON("POST", path, `{"version":4,"serial":2,"other":true}`), 422, `{"message":{"serial":["has already been taken"]}}`,
	)
	expect(t, maintainer.Send("POST", path, ""), 204, "")
	for _, body := range []string{"x", `[]`, `{}`, `{"serial":"x"}`, `{"serial":-1}`, `{"serial":null}`} {
		expect(t, maintainer.JSON("POST", path, body), 400, "")
	}
	sum := md5.Sum([]byte(`{"serial":3}`)) //nolint:gosec // the header of the protocol
	right := base64.StdEncoding.EncodeToString(sum[:])
	expect(t, maintainer.Send("POST", path, `{"serial":4}`, "Content-Type", "application/json", "Content-MD5", right), 400, "")
	expect(t, maintainer.Send("POST", path, `{"serial":3}`, "Content-Type", "application/json", "Content-MD5", right), 200, "")
	expect(t, developer.Send("GET", path, ""), 200, `{"serial":3}`)
	expect(t, maintainer.JSON("POST", strings.Replace(path, "production", "a%20b", 1), firstState), 400, "")
	nested := strings.Replace(path, "production", "eu%2Fproduction", 1)
	expect(t, maintainer.JSON("POST", nested, firstState), 200, "")
	expect(t, maintainer.Send("GET", nested, ""), 200, firstState)

	const roles = "401 403 403 403 403 "
	read := func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") }
	callers.statuses(t, "read", roles+"200 200 200 200", read)
	callers.statuses(t, "read a version", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.Send("GET", path+"/versions/1", "")
	})
	callers.statuses(
		t, "write", roles+"403 422 422 422", func(c *harness.Caller) harness.Answer { return c.JSON("POST", path, firstState) },
	)
	callers.statuses(t, "delete a version", roles+"403 404 404 404", func(c *harness.Caller) harness.Answer {
		return c.Send("DELETE", path+"/versions/9", "")
	})
	expect(t, maintainer.Send("DELETE", path+"/versions/3", ""), 204, "")
	expect(t, developer.Send("GET", path, ""), 200, secondState)
	expect(t, developer.Send("DELETE", path, ""), 403, "")
	expect(t, maintainer.Send("DELETE", path, ""), 200, "")
	expect(t, maintainer.Send("DELETE", path, ""), 404, "")
	expect(t, developer.Send("GET", path, ""), 404, "")
	expect(t, developer.Send("GET", path+"/versions/1", ""), 404, "")
	expect(t, maintainer.JSON("PUT", "/projects/acme%2Fweb", `{"infrastructure_access_level":"disabled"}`), 200, "")
	expect(t, developer.Send("GET", nested, ""), 403, "")
	hidden := h.Project(h.Group().ID, called("hidden", model.Private))
	expect(
		t, developer.Send("GET", fmt.Sprintf("/projects/%d/terraform/state/x", hidden.ID), ""), 404, `{"message":"404 Project Not Found"}`,
	)
}

func TestAStateIsLockedByOneProcess(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	callers := newCallersByRole(h, p)
	maintainer, path := callers["maintainer"], fmt.Sprintf("/projects/%d/terraform/state/x", p.ID)
	expect(t, maintainer.JSON("POST", path+"/lock", terraform), 200, terraform)
	expect(t, maintainer.Send("GET", path, ""), 404, "") // a state without a version
	expect(t, maintainer.JSON("POST", path+"/lock", otherLock), 409, terraform)
	expect(t, maintainer.JSON("POST", path+"/lock", terraform), 409, terraform)
	const locked = `{"message":"The state is locked by another process"}`
	expect(t, maintainer.JSON("POST", path, firstState), 409, locked)
	expect(t, maintainer.JSON("POST", path+"?ID=two", firstState), 409, locked)
	expect(t, maintainer.JSON("POST", path+"?ID=one", firstState), 200, "")
	expect(t, maintainer.Send("DELETE", path, ""), 409, `{"message":"The state is locked"}`)
	expect(t, maintainer.JSON("DELETE", path+"/lock", otherLock), 409, terraform)
	expect(t, maintainer.JSON("DELETE", path+"/lock", terraform), 200, "")
	const nobody = `{"ID":"","Operation":"","Info":"","Who":"","Version":"","Created":"","Path":""}`
	expect(t, maintainer.JSON("DELETE", path+"/lock", terraform), 409, nobody)
	expect(t, maintainer.JSON("POST", path+"?ID=one", secondState), 409, locked)
	expect(t, maintainer.JSON("POST", path+"/lock", otherLock), 200, otherLock)
	expect(t, maintainer.Send("DELETE", path+"/lock", ""), 200, "") // by force
	expect(t, maintainer.Send("DELETE", path+"/lock", ""), 200, "")
	expect(t, maintainer.JSON("POST", path, secondState), 200, "")
	expect(t, maintainer.JSON("POST", path+"/lock", `{"Who":"x"}`), 400, `{"error":"ID is missing"}`)
	expect(t, maintainer.JSON("POST", path+"/lock", `{"ID":"`+strings.Repeat("x", 256)+`"}`), 400, "")
	expect(t, maintainer.JSON("DELETE", path+"/lock", `{"ID":"`+strings.Repeat("x", 256)+`"}`), 400, "")
	const roles = "401 403 403 403 403 403 "
	callers.statuses(
		t, "lock", roles+"200 409 409", func(c *harness.Caller) harness.Answer { return c.JSON("POST", path+"/lock", terraform) },
	)
	callers.statuses(
		t, "unlock", roles+"409 409 409", func(c *harness.Caller) harness.Answer { return c.JSON("DELETE", path+"/lock", otherLock) },
	)
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("/projects/%d/terraform/state/none/lock", p.ID), ""), 404, "")
}

// Terraform sends a token as the password of HTTP Basic.
func TestTerraformSignsInWithHTTPBasic(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0)})
	job := newFakeRunner(t, h, anyJobs).job().Token
	path := fmt.Sprintf("/api/v4/projects/%d/terraform/state/x", p.ID)
	expect(t, owner.JSON("POST", path, firstState), 200, "")
	for _, sent := range [][2]string{{"anybody", owner.Token}, {"", owner.Token}, {"gitlab-ci-token", job}} {
		expect(t, h.Anonymous().SendBasic("GET", path, sent[0], sent[1]), 200, firstState)
	}
	weak := h.WithToken(owner.User, "read_user").Token
	expect(t, h.Anonymous().SendBasic("GET", path, "anybody", weak), 403, "")
	for login, password := range map[string]string{"anybody": "wrong", "gitlab-ci-token": "wrong", "ada": job} {
		expect(t, h.Anonymous().SendBasic("GET", path, login, password), 401, "")
	}
	other := fmt.Sprintf("/api/v4/projects/%d/secure_files", p.ID) // does not accept Basic
	expect(t, h.Anonymous().SendBasic("GET", other, "anybody", owner.Token), 401, "")
	expect(t, h.WithHeaders("JOB-TOKEN", job).Send("GET", other, ""), 200, "[]")
}

func TestAStateIsNotStoredInPlainText(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID)
	path := fmt.Sprintf("/projects/%d/terraform/state/x", p.ID)
	for serial := 1; serial <= 102; serial++ {
		expect(t, h.Root().JSON("POST", path, fmt.Sprintf(`{"serial":%d,"password":"hidden-value"}`, serial)), 200, "")
	}
	ctx := store.Background(t.Context())
	state, err := h.Store.TerraformStates.Get(ctx, p.ID, "x")
	if err != nil {
		t.Fatal(err)
	}
	for serial, want := range map[int64]bool{1: false, 2: false, 3: true, 102: true} {
		v, err := h.Store.TerraformStates.Version(ctx, state.ID, serial)
		if (err == nil) != want {
			t.Errorf("version %d: %v", serial, err)
		}
		if bytes.Contains(v.Sealed, []byte("hidden")) {
			t.Errorf("version %d is stored in plain text", serial)
		}
	}
	large := `{"serial":200,"x":"` + strings.Repeat("x", 16<<20) + `"}`
	if got := h.Root().JSON("POST", path, large); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large state: %d", got.Status)
	}
}
