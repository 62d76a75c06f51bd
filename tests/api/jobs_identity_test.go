package api

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/coreos/go-oidc/v3/oidc"
)

// identityOf takes the next job and returns the claims of a token that it gets, verified by an independent library.
func identityOf(t *testing.T, h *harness.H, m *fakeRunner, variable, audience string) map[string]any {
	t.Helper()
	job := m.job()
	for _, v := range job.Variables {
		if v.Key != variable {
			continue
		}
		if v.Public || !v.Masked || !v.Raw {
			t.Errorf("the variable is %+v", v)
		}
		provider, err := oidc.NewProvider(t.Context(), h.URL)
		if err != nil {
			t.Fatal(err)
		}
		token, err := provider.Verifier(&oidc.Config{ClientID: audience}).Verify(t.Context(), v.Value)
		if err != nil {
			t.Fatal(err)
		}
		var claims map[string]any
		if err := token.Claims(&claims); err != nil {
			t.Fatal(err)
		}
		return claims
	}
	t.Fatalf("job %d has no variable %s", job.ID, variable)
	return nil
}

func TestAJobProvesWhichJobItIs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	job := aJob("one", 0)
	job.IDTokens = []syntax.IDToken{
		{Variable: "ONE", Audience: []string{"https://$CI_PROJECT_NAME.example"}, Single: true},
		{Variable: "LIST", Audience: []string{"a", "b"}},
	}
	h.Pipeline(p, ann.User, []syntax.Job{job})
	h.Pipeline(p, ann.User, []syntax.Job{job})
	m := newFakeRunner(t, h, anyJobs)
	name := p.FullPath[strings.LastIndexByte(p.FullPath, '/')+1:]
	one := identityOf(t, h, m, "ONE", "https://"+name+".example")
	if one["aud"] != "https://"+name+".example" || one["project_path"] != p.FullPath || one["iss"] != h.URL ||
		one["user_login"] != ann.User.Username || one["user_access_level"] != "owner" {
		t.Errorf("the claims are %v", one)
	}
	list := identityOf(t, h, m, "LIST", "b")
	if fmt.Sprint(list["aud"]) != "[a b]" || list["jti"] == one["jti"] {
		t.Errorf("the claims are %v", list)
	}
}

// The pipeline of a merge request from a fork runs code of the fork, so its identity is that of the fork.
func TestTheIdentityOfAJobIsThatOfItsCode(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	f := newForkedWorkshop(t, h, "")
	job := aJob("one", 0)
	job.IDTokens = []syntax.IDToken{{Variable: "ONE", Audience: []string{"me"}, Single: true}}
	h.Pipeline(f.project, f.developer.User, []syntax.Job{job}, func(n *store.NewPipeline) {
		n.Pipeline.Source, n.Pipeline.MergeRequestID = "merge_request_event", &f.mr.ID
	})
	m := newFakeRunner(t, h, anyJobs)
	m.job() // of the fork
	claims := identityOf(t, h, m, "ONE", "me")
	for name, want := range map[string]any{
		"project_path": f.forked.FullPath, "job_project_path": f.project.FullPath, "ref": "idea",
		"sub": "project_path:" + f.forked.FullPath + ":ref_type:branch:ref:idea",
	} {
		if claims[name] != want {
			t.Errorf("%s is %v, not %v", name, claims[name], want)
		}
	}
}

func TestAForgedIdentityIsNotVerified(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	job := aJob("one", 0)
	job.IDTokens = []syntax.IDToken{{Variable: "ONE", Audience: []string{"me"}, Single: true}}
	h.Pipeline(h.Project(*ann.User.NamespaceID), ann.User, []syntax.Job{job})
	var token string
	for _, v := range newFakeRunner(t, h, anyJobs).job().Variables {
		if v.Key == "ONE" {
			token = v.Value
		}
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("the token is %q", token)
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(claims, &all); err != nil {
		t.Fatal(err)
	}
	all["user_access_level"] = "maintainer"
	if claims, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	provider, err := oidc.NewProvider(t.Context(), h.URL)
	if err != nil {
		t.Fatal(err)
	}
	forged := parts[0] + "." + base64.RawURLEncoding.EncodeToString(claims) + "." + parts[2]
	if _, err := provider.Verifier(&oidc.Config{ClientID: "me"}).Verify(t.Context(), forged); err == nil {
		t.Error("the forged token is verified")
	}
	// The token is no credential of this service.
	expect(t, h.WithHeaders("JOB-TOKEN", token).Send("GET", "/job", ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, h.WithHeaders("Authorization", "Bearer "+token).Send("GET", "/user", ""), 401, `{"message":"401 Unauthorized"}`)
}

// What jobs may do in other projects: all that their user may in a project that lists theirs, read like an outsider in
// one that is not private, and nothing else.
func TestAJobReadsPublicProjectsLikeAnOutsider(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	own := h.Project(*ann.User.NamespaceID)
	private := h.Project(*ann.User.NamespaceID)
	public := h.Project(*ann.User.NamespaceID, called("open", model.Public))
	internal := h.Project(*ann.User.NamespaceID, called("inside", model.Internal))
	hidden := h.Project(*ann.User.NamespaceID, called("half", model.Public), func(p *model.Project) {
		p.RepositoryAccessLevel = model.FeaturePrivate
	})
	h.Pipeline(own, ann.User, []syntax.Job{aJob("one", 0)})
	job := h.WithHeaders("JOB-TOKEN", newFakeRunner(t, h, anyJobs).job().Token)
	for _, c := range []struct {
		of     model.Project
		path   string
		status int
	}{
		{own, "/environments", 200},
		{own, "/merge_requests", 200},
		{own, "", 200},
		{private, "/merge_requests", 404},
		{private, "", 404},
		{public, "/merge_requests", 200},
		{public, "", 404}, // only the job's own project
		{public, "/environments", 200},
		{internal, "/merge_requests", 200},
		{hidden, "/repository/branches", 403},
	} {
		if a := job.Send("GET", fmt.Sprintf("/projects/%d%s", c.of.ID, c.path), ""); a.Status != c.status {
			t.Errorf("%s%s is %d, not %d: %s", c.of.Path, c.path, a.Status, c.status, a.Body)
		}
	}
	// Writing needs the list, whatever the role of the user.
	create := func(p model.Project) harness.Answer {
		return job.JSON("POST", fmt.Sprintf("/projects/%d/environments", p.ID), `{"name":"production"}`)
	}
	expect(t, create(public), 404, `{"message":"404 Project Not Found"}`)
	if a := create(own); a.Status != 201 {
		t.Errorf("its own project: %d %s", a.Status, a.Body)
	}
	if err := h.Store.JobTokenScopes.AllowProject(t.Context(), public.ID, own.ID); err != nil {
		t.Fatal(err)
	}
	if a := create(public); a.Status != 201 {
		t.Errorf("a project that lets it in: %d %s", a.Status, a.Body)
	}
	shown := job.Send("GET", fmt.Sprintf("/projects/%d", own.ID), "")
	for _, secret := range []string{`"runners_token"`, `"permissions":{`} {
		if strings.Contains(shown.Body, secret) {
			t.Errorf("the job sees %s: %s", secret, shown.Body)
		}
	}
}
