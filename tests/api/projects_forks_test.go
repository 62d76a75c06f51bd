package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// number returns a numeric member of a project, as an administrator sees it.
func number(t *testing.T, h *harness.H, id int64, name string) int {
	t.Helper()
	n, ok := member(t, h.Root().Send("GET", fmt.Sprintf("/projects/%d", id), ""), name).(float64)
	if !ok {
		t.Fatalf("%s of project %d is no number", name, id)
	}
	return int(n)
}

// forks returns the full paths of the projects in a response, without those of their origins.
func forks(t *testing.T, a harness.Answer) string {
	t.Helper()
	var rows []struct {
		Path string `json:"path_with_namespace"`
	}
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil {
		t.Fatalf("answered %d %s", a.Status, a.Body)
	}
	found := make([]string, len(rows))
	for i, row := range rows {
		found[i] = row.Path
	}
	return strings.Join(found, " ")
}

func TestAProjectIsForked(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	web := h.Project(acme.ID, called("web", model.Public), func(p *model.Project) {
		p.Topics, p.MergeMethod, p.DefaultBranch, p.Archived, p.StarCount = "Go,Web", "ff", "trunk", true, 7
	})
	ann := h.NewUser(named("ann"))
	team := h.Group(at("team"))
	h.Join(team, ann.User, model.Developer)

	own := ann.JSON("POST", "/projects/acme%2Fweb/fork", `{}`)
	expect(t, own, 201, "")
	h.Golden("forkProject/own", own.Body)
	if got := ann.Send("GET", "/projects/ann%2Fweb", ""); member(t, got, "import_status") != "finished" {
		t.Errorf("clients wait for ever for %s", got.Body)
	}
	private := ann.Form("POST", "/projects/acme%2Fweb/fork",
		"namespace_path=team&name=Our+web&path=our-web&visibility=public&description=ours")
	expect(t, private, 201, "")
	for name, want := range map[string]any{
		"path_with_namespace": "team/our-web", "name": "Our web", "visibility": "private", "description": "ours", "merge_method": "ff",
		"default_branch": "trunk", "archived": false, "star_count": float64(0), "forks_count": float64(0),
	} {
		if got := member(t, private, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got := number(t, h, web.ID, "forks_count"); got != 2 {
		t.Errorf("%d forks are counted", got)
	}
	// Each caller sees the forks that they may see, with every filter.
	for _, c := range []struct {
		who   *harness.Caller
		query string
		want  string
	}{
		{ann, "", "team/our-web ann/web"},
		{h.Anonymous(), "", "ann/web"},
		{ann, "?search=our", "team/our-web"},
		{ann, "?topic=go&order_by=id&sort=asc&owned=true", "ann/web"},
		{ann, "?pagination=keyset&order_by=id&per_page=1", "team/our-web"},
	} {
		if got := forks(t, c.who.Send("GET", "/projects/acme%2Fweb/forks"+c.query, "")); got != c.want {
			t.Errorf("forks%s are %q, want %q", c.query, got, c.want)
		}
	}
	// A fork of a fork counts for that fork only, and deleted forks are no longer counted.
	expect(t, h.Root().JSON("POST", "/projects/ann%2Fweb/fork", `{}`), 201, "")
	if got := number(t, h, web.ID, "forks_count"); got != 2 {
		t.Errorf("%d forks are counted", got)
	}
	expect(t, ann.Send("DELETE", "/projects/ann%2Fweb", ""), 202, "")
	if got := number(t, h, web.ID, "forks_count"); got != 1 {
		t.Errorf("%d forks are counted after one was deleted", got)
	}
	if got := h.Root().Send("GET", "/projects/root%2Fweb", ""); strings.Contains(got.Body, "forked_from_project") {
		t.Errorf("its origin is gone, but %s", got.Body)
	}
}

func TestInvalidForksAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	h.Project(acme.ID, called("web", model.Public))
	h.Project(acme.ID, called("closed", model.Public), func(p *model.Project) { p.ForkingAccessLevel = model.FeatureDisabled })
	h.Project(acme.ID, called("members", model.Public), func(p *model.Project) { p.ForkingAccessLevel = model.FeaturePrivate })
	h.Project(acme.ID, called("nocode", model.Public), func(p *model.Project) { p.RepositoryAccessLevel = model.FeaturePrivate })
	h.Project(acme.ID, called("secret", model.Private))
	ann := h.NewUser(named("ann", func(u *model.User) { u.ProjectsLimit = 1 }))
	guest := h.Member(acme, model.Guest)
	hidden := h.Group(at("hidden"))
	fork := func(c *harness.Caller, path, body string) harness.Answer {
		return c.JSON("POST", "/projects/acme%2F"+path+"/fork", body)
	}
	expect(t, fork(ann, "closed", `{}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, fork(h.Root(), "closed", `{}`), 403, "")
	expect(t, fork(ann, "members", `{}`), 403, "")
	expect(t, fork(guest, "members", `{}`), 201, "")
	expect(t, fork(guest, "nocode", `{}`), 403, "")
	expect(t, fork(guest, "secret", `{}`), 403, "") // guests of a private project cannot read its code
	expect(t, fork(ann, "secret", `{}`), 404, `{"message":"404 Project Not Found"}`)
	expect(t, fork(h.Anonymous(), "web", `{}`), 401, "")
	expect(t, fork(ann, "web", `{"namespace_path":"hidden"}`), 404, `{"message":"404 Target Namespace Not Found"}`)
	expect(t, fork(ann, "web", fmt.Sprintf(`{"namespace_id":%d}`, hidden.ID)), 404, `{"message":"404 Target Namespace Not Found"}`)
	expect(t, fork(ann, "web", `{"namespace":"acme"}`), 403, "")
	expect(t, fork(ann, "web", `{"namespace_path":"ann","namespace_id":1}`), 400,
		`{"error":"namespace_id, namespace_path are mutually exclusive"}`)
	expect(t, fork(ann, "web", `{"path":"x.git"}`), 400, "")
	expect(t, fork(ann, "web", `{"name":"<b>"}`), 400, "")
	expect(t, fork(ann, "web", fmt.Sprintf(`{"namespace":%d,"branches":"main"}`, *ann.User.NamespaceID)), 201, "")
	expect(t, fork(ann, "web", `{"namespace":"ANN","name":"two","path":"two"}`), 403, "") // the projects limit is reached
	expect(t, fork(h.Root(), "web", `{"namespace":"acme"}`), 409,
		`{"message":{"name":["has already been taken"],"path":["has already been taken"]}}`)
	expect(t, fork(h.Root(), "web", `{"namespace":"acme","name":"Other"}`), 409, `{"message":{"path":["has already been taken"]}}`)
	if got := number(t, h, 1, "forks_count"); got != 1 {
		t.Errorf("%d forks are counted, but one was made", got)
	}
}

func TestForkRelationsAreMadeAndEnded(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	a, b, c := h.Project(acme.ID, called("a", model.Public)), h.Project(acme.ID, called("b", model.Public)),
		h.Project(acme.ID, called("c", model.Public))
	owner, maintainer := h.Member(acme, model.Owner), h.Member(acme, model.Maintainer)
	link := func(who *harness.Caller, p, from int64) harness.Answer {
		return who.Send("POST", fmt.Sprintf("/projects/%d/fork/%d", p, from), "")
	}
	expect(t, link(owner, b.ID, a.ID), 403, "")
	linked := link(h.Root(), b.ID, a.ID)
	expect(t, linked, 201, "")
	if !strings.Contains(linked.Body, `"forked_from_project":{"id":`+fmt.Sprint(a.ID)) {
		t.Errorf("it is %s", linked.Body)
	}
	expect(t, link(h.Root(), b.ID, c.ID), 409, `{"message":"Project already forked"}`)
	expect(t, link(h.Root(), c.ID, b.ID), 201, "")
	expect(t, link(h.Root(), a.ID, c.ID), 400,
		`{"message":"400 Bad request - A project cannot be a fork of itself or of one of its forks"}`)
	expect(t, link(h.Root(), a.ID, a.ID), 400, "")
	expect(t, link(h.Root(), a.ID, 99999), 404, `{"message":"404 Project Not Found"}`)

	end := fmt.Sprintf("/projects/%d/fork", b.ID)
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, maintainer.Send("DELETE", end, ""), 403, "")
	expect(t, owner.Send("DELETE", end, "", "If-Unmodified-Since", old), 412, "")
	if got := number(t, h, a.ID, "forks_count"); got != 1 {
		t.Errorf("%d forks are counted", got)
	}
	expect(t, owner.Send("DELETE", end, ""), 204, "")
	expect(t, owner.Send("DELETE", end, ""), 304, "")
	if got := number(t, h, a.ID, "forks_count"); got != 0 {
		t.Errorf("%d forks are counted", got)
	}
}

// atOnce sends n requests concurrently and returns the number of responses for each status.
func atOnce(n int, send func(i int) harness.Answer) map[int]int {
	var wg sync.WaitGroup
	var lock sync.Mutex
	statuses := map[int]int{}
	for i := range n {
		wg.Go(func() {
			got := send(i)
			lock.Lock()
			defer lock.Unlock()
			statuses[got.Status]++
		})
	}
	wg.Wait()
	return statuses
}

func TestConcurrentForksAreCountedCorrectly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	web := h.Project(acme.ID, called("web", model.Public))
	root := h.Root()
	got := atOnce(8, func(i int) harness.Answer {
		return root.JSON("POST", "/projects/acme%2Fweb/fork", fmt.Sprintf(`{"path":"f%d","name":"f%d"}`, i%4, i%4))
	})
	if got[201] != 4 || got[409] != 4 || number(t, h, web.ID, "forks_count") != 4 {
		t.Errorf("statuses %v, %d forks are counted", got, number(t, h, web.ID, "forks_count"))
	}
	got = atOnce(8, func(i int) harness.Answer { return root.Send("DELETE", fmt.Sprintf("/projects/root%%2Ff%d", i%2), "") })
	if got[202] != 2 || got[404] != 6 || number(t, h, web.ID, "forks_count") != 2 {
		t.Errorf("statuses %v, %d forks are counted", got, number(t, h, web.ID, "forks_count"))
	}
}

func TestAForkIsNeverMoreVisibleThanItsSource(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	const refused = `{"message":{"visibility_level":["public is not allowed since the fork source project has lower visibility."]}}`
	group := h.Group(seen(model.Public))
	source := h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Internal })
	h.JoinProject(source, owner.User, model.Owner)
	at := func(id int64) string { return fmt.Sprintf("/projects/%d", id) }
	fork := func(body string) int64 {
		t.Helper()
		return int64(member(t, owner.JSON("POST", at(source.ID)+"/fork", body), "id").(float64))
	}
	mine := fork(`{"path":"mine","name":"mine","visibility":"public"}`) // reduced to the visibility of its source
	if got := member(t, owner.Send("GET", at(mine), ""), "visibility"); got != "internal" {
		t.Errorf("the fork is %v", got)
	}
	newCallersByRole(h, model.Project{ID: mine}).statuses(t, "make it public", "401 403 404 403 403 403 403 400 400",
		func(c *harness.Caller) harness.Answer {
			return c.JSON("PUT", at(mine), `{"visibility":"public"}`)
		})
	expect(t, owner.JSON("PUT", at(mine), `{"visibility":"public"}`), 400, refused)
	expect(t, owner.JSON("PUT", at(mine), `{"visibility":"private"}`), 200, "")
	expect(t, owner.JSON("PUT", at(mine), `{"visibility":"internal"}`), 200, "")
	// The access level of the repository counts, too.
	expect(t, owner.JSON("PUT", at(source.ID), `{"repository_access_level":"private"}`), 200, "")
	if got := member(t, owner.Send("GET", at(mine), ""), "forked_from_project"); got != nil {
		t.Errorf("the fork whose code is more open is still a fork: %v", got)
	}
	if n := number(t, h, source.ID, "forks_count"); n != 0 {
		t.Errorf("%d forks are counted", n)
	}
	closed := fork(`{"path":"closed","name":"closed"}`)
	expect(t, owner.JSON("PUT", at(closed), `{"repository_access_level":"enabled"}`), 400, "")
	expect(t, owner.JSON("PUT", at(source.ID), `{"repository_access_level":"enabled"}`), 200, "")
	expect(t, owner.JSON("PUT", at(closed), `{"repository_access_level":"enabled"}`), 200, "")
	// If a source becomes private, forks that are more visible lose their link to it.
	expect(t, owner.JSON("PUT", at(source.ID), `{"visibility":"private"}`), 200, "")
	if got := member(t, owner.Send("GET", at(closed), ""), "forked_from_project"); got != nil {
		t.Errorf("the fork that is more open is still a fork: %v", got)
	}
	expect(t, owner.JSON("PUT", at(closed), `{"visibility":"public"}`), 200, "")
	// Not even administrators can link a fork that is more visible than its source.
	newCallersByRole(
		h,
		model.Project{ID: closed},
	).statuses(
		t,
		"link",
		"401 403 403 403 403 403 403 403 400",
		func(c *harness.Caller) harness.Answer {
			return c.Send("POST", fmt.Sprintf("%s/fork/%d", at(closed), source.ID), "")
		},
	)
	expect(t, h.Root().Send("POST", fmt.Sprintf("%s/fork/%d", at(closed), source.ID), ""), 400, refused)
	expect(t, owner.JSON("PUT", at(closed), `{"visibility":"private"}`), 200, "")
	expect(t, h.Root().Send("POST", fmt.Sprintf("%s/fork/%d", at(closed), source.ID), ""), 201, "")
	// A transfer into a private group makes the source private.
	expect(t, owner.JSON("PUT", at(source.ID), `{"visibility":"public"}`), 200, "")
	open := fork(`{"path":"open","name":"open"}`)
	private := h.Group()
	h.Join(private, owner.User, model.Owner)
	expect(t, owner.JSON("PUT", at(source.ID)+"/transfer", fmt.Sprintf(`{"namespace":%q}`, private.FullPath)), 200, "")
	if got := member(t, owner.Send("GET", at(open), ""), "forked_from_project"); got != nil {
		t.Errorf("the fork of a project that went into a private group is still a fork: %v", got)
	}
	if n := number(t, h, source.ID, "forks_count"); n != 1 {
		t.Errorf("%d forks are counted, want 1", n)
	}
}
