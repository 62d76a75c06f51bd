package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

func TestProjectsAreListedByEveryFilter(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"), seen(model.Public))
	sub := h.Group(at("sub"), in(top), seen(model.Public))
	ann := h.NewUser(named("ann"))
	h.Join(sub, ann.User, model.Developer)
	h.Project(top.ID, called("alpha", model.Public), func(p *model.Project) { p.Topics = "Go,Web"; p.Archived = true })
	b := h.Project(sub.ID, called("beta", model.Internal),
		func(p *model.Project) { p.Topics = "go"; p.IssuesAccessLevel = model.FeatureDisabled })
	h.Project(sub.ID, called("gamma_100%", model.Private), func(p *model.Project) {
		p.Path = "gamma_100" // only the name can have a %
		p.MergeRequestsAccessLevel = model.FeatureDisabled
		p.RepositoryStorage = "fast"
	})
	h.Project(*ann.User.NamespaceID, called("delta", model.Private))
	h.Project(top.ID, called("hidden", model.Private))
	soon := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	get := func(query string) string { return paths(t, ann.Send("GET", query, "")) }
	for query, want := range map[string]string{
		"/projects":                                    "ann/delta top/sub/gamma_100 top/sub/beta top/alpha",
		"/projects?sort=asc":                           "top/alpha top/sub/beta top/sub/gamma_100 ann/delta",
		"/projects?order_by=name&sort=asc":             "top/alpha top/sub/beta ann/delta top/sub/gamma_100",
		"/projects?order_by=path":                      "top/sub/gamma_100 ann/delta top/sub/beta top/alpha",
		"/projects?order_by=last_activity_at&sort=asc": "top/alpha top/sub/beta top/sub/gamma_100 ann/delta",
		"/projects?order_by=updated_at&sort=asc":       "top/alpha top/sub/beta top/sub/gamma_100 ann/delta",
		"/projects?search=A":                           "ann/delta top/sub/gamma_100 top/sub/beta top/alpha",
		"/projects?search=_100%25":                     "top/sub/gamma_100",
		"/projects?search=top":                         "",
		"/projects?search=top&search_namespaces=true":  "top/sub/gamma_100 top/sub/beta top/alpha",
		"/projects?search=beta&order_by=similarity":    "top/sub/beta",
		"/projects?owned=true":                         "ann/delta",
		"/projects?membership=true":                    "ann/delta top/sub/gamma_100 top/sub/beta",
		"/projects?min_access_level=40":                "ann/delta",
		"/projects?visibility=private":                 "ann/delta top/sub/gamma_100",
		"/projects?archived=true":                      "top/alpha",
		"/projects?archived=false&visibility=internal": "top/sub/beta",
		"/projects?topic=GO":                           "top/sub/beta top/alpha",
		"/projects?topic=go,web":                       "top/alpha",
		"/projects?with_issues_enabled=true":           "ann/delta top/sub/gamma_100 top/alpha",
		"/projects?with_merge_requests_enabled=false":  "top/sub/gamma_100",
		"/projects?with_programming_language=Go":       "",
		// The filter is for administrators only.
		"/projects?repository_storage=fast":                          "ann/delta top/sub/gamma_100 top/sub/beta top/alpha",
		"/projects?starred=true":                                     "",
		fmt.Sprintf("/projects?id_after=%d", b.ID):                   "ann/delta top/sub/gamma_100",
		fmt.Sprintf("/projects?id_before=%d", b.ID):                  "top/alpha",
		"/projects?last_activity_after=" + soon:                      "",
		"/projects?last_activity_before=" + soon + "&topic=web":      "top/alpha",
		"/groups/top/projects":                                       "top/alpha",
		"/groups/top/projects?include_subgroups=true&simple=true":    "top/sub/gamma_100 top/sub/beta top/alpha",
		"/groups/top%2Fsub/projects?order_by=id&sort=asc":            "top/sub/beta top/sub/gamma_100",
		"/users/ann/projects":                                        "ann/delta",
		fmt.Sprintf("/users/%d/projects?search=x", ann.User.ID):      "",
		"/users/ann/starred_projects":                                "",
		"/projects?order_by=star_count&sort=asc&visibility=internal": "top/sub/beta",
	} {
		if got := get(query); got != want {
			t.Errorf("%s is %q, want %q", query, got, want)
		}
	}
	if got := paths(t, h.Root().Send("GET", "/projects?repository_storage=fast", "")); got != "top/sub/gamma_100" {
		t.Errorf("on the storage fast is %q", got)
	}
	if got := paths(t, h.Root().Send("GET", "/projects?membership=true", "")); got != "" {
		t.Errorf("an administrator without roles is a member of %q", got)
	}
	expect(t, ann.Send("GET", "/users/nobody/projects", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, ann.Send("GET", "/groups/nothing/projects", ""), 404, "")
	expect(t, ann.Send("GET", "/projects?order_by=id;drop+table+projects", ""), 400, `{"error":"order_by does not have a valid value"}`)
	anonymous := h.Anonymous().Send("GET", "/projects", "")
	if strings.Contains(anonymous.Body, `"visibility"`) || paths(t, anonymous) != "top/alpha" {
		t.Errorf("an anonymous caller is shown %s", anonymous.Body)
	}
	h.Golden("listProjects/simple", anonymous.Body)
}

func TestProjectsAreListedWithKeysetPagination(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("g"), seen(model.Public))
	var want []string
	for i := range 7 {
		v := model.Public
		if i == 3 {
			v = model.Private
		}
		h.Project(group.ID, called(fmt.Sprintf("p%d", i), v))
		if i != 3 {
			want = append(want, fmt.Sprintf("g/p%d", i))
		}
	}
	user := h.NewUser()
	for _, sort := range []string{"asc", "desc"} {
		next := "/projects?pagination=keyset&order_by=id&per_page=2&sort=" + sort
		var got []string
		for pages := 0; next != "" && pages < 10; pages++ {
			answer := user.Send("GET", next, "")
			got = append(got, strings.Fields(paths(t, answer))...)
			link := answer.Header.Get("Link")
			if answer.Header.Get("X-Total") != "" ||
				(link != "" && !strings.Contains(link, map[string]string{"asc": "id_after=", "desc": "id_before="}[sort])) {
				t.Errorf("headers are %v", answer.Header)
			}
			next, _, _ = strings.Cut(strings.TrimPrefix(link, "<"+h.URL+"/api/v4"), ">")
		}
		if sort == "desc" {
			for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 {
				got[i], got[j] = got[j], got[i]
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got %v, want %v", sort, got, want)
		}
	}
	expect(t, user.Send("GET", "/projects?pagination=keyset", ""), 405,
		`{"error":"Keyset pagination is not yet available for this type of request"}`)
}

func TestAListOfProjectsTakesAFixedNumberOfStatements(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "&membership=true"} {
		h := harness.New(t)
		group := h.Group(seen(model.Internal))
		ann := h.Member(group, model.Guest)
		count := func() int64 {
			before := h.Store.Statements()
			expect(t, ann.Send("GET", "/projects?per_page=5"+query, ""), 200, "")
			return h.Store.Statements() - before
		}
		for range 6 {
			h.Project(group.ID)
		}
		count() // fills the caches
		few := count()
		for range 30 {
			h.Project(group.ID)
		}
		first, many := count(), count() // the first request reads the rows that are not cached yet
		if many != few || first > few+1 || first > 4 {
			t.Errorf("%s: %d statements for few projects, %d and then %d for many; want the same, at most 4", query, few, first, many)
		}
	}
}

func TestProjectsThatAUserHasPushedToAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("g"), seen(model.Public))
	ann, other := h.NewUser(named("ann")), h.NewUser()
	public, private := h.Project(group.ID, called("public", model.Public)), h.Project(group.ID, called("private", model.Private))
	h.Project(group.ID, called("untouched", model.Public))
	h.Join(group, ann.User, model.Developer)
	for _, p := range []model.Project{public, private, public} {
		if err := h.Store.Pushes.Begin(t.Context(), []model.Push{{
			ProjectID: p.ID, UserID: &ann.User.ID, Batch: "one", Ref: "refs/heads/main",
		}}); err != nil {
			t.Fatal(err)
		}
		done := store.PushResult{ProjectID: p.ID, Batch: "one", Events: []model.Event{{
			ProjectID: &p.ID, AuthorID: ann.User.ID, Action: model.EventPushed,
		}}}
		if ended, err := h.Store.Pushes.End(t.Context(), done); err != nil || !ended["one"] {
			t.Fatal(ended, err)
		}
	}
	for who, want := range map[*harness.Caller]string{ann: "g/private g/public", other: "g/public", h.Anonymous(): "g/public"} {
		if got := paths(t, who.Send("GET", "/users/ann/contributed_projects", "")); got != want {
			t.Errorf("%q sees %q, want %q", who.User.Username, got, want)
		}
	}
	if got := paths(t, ann.Send("GET", fmt.Sprintf("/users/%d/contributed_projects", other.User.ID), "")); got != "" {
		t.Errorf("who has pushed nothing has %q", got)
	}
}
