package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestPackagesAreListedFilteredAndOrdered(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("beta", "2.0", "a", "x")
	f.upload("alpha", "1.0", "a", "x")
	f.upload("alpha", "1.1", "a", "x")
	for query, want := range map[string]string{
		"":                           "beta 2.0, alpha 1.0, alpha 1.1",
		"?sort=desc":                 "alpha 1.1, alpha 1.0, beta 2.0",
		"?order_by=name":             "alpha 1.0, alpha 1.1, beta 2.0",
		"?order_by=version":          "alpha 1.0, alpha 1.1, beta 2.0",
		"?order_by=type&sort=desc":   "alpha 1.1, alpha 1.0, beta 2.0",
		"?package_name=LPH":          "alpha 1.0, alpha 1.1",
		"?package_name=%25":          "",
		"?package_version=1.0":       "alpha 1.0",
		"?package_type=npm":          "",
		"?package_type=generic":      "beta 2.0, alpha 1.0, alpha 1.1",
		"?status=hidden":             "",
		"?include_versionless=true":  "beta 2.0, alpha 1.0, alpha 1.1",
		"?per_page=1&page=2":         "alpha 1.0",
		"?status=default&sort=asc":   "beta 2.0, alpha 1.0, alpha 1.1",
		"?package_name=a&sort=desc":  "alpha 1.1, alpha 1.0, beta 2.0",
		"?order_by=name&sort=desc":   "beta 2.0, alpha 1.1, alpha 1.0",
		"?package_type=generic&page": "beta 2.0, alpha 1.0, alpha 1.1",
	} {
		var got []string
		for _, row := range f.list(query) {
			got = append(got, row.Name+" "+*row.Version)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s, want %s", query, text, want)
		}
	}
	reporter := f.members[model.Reporter]
	for _, query := range []string{"?order_by=size", "?sort=up", "?package_type=tar", "?status=gone"} {
		expect(t, reporter.Send("GET", f.base+"/packages"+query, ""), 400, "")
	}
	one := reporter.Send("GET", fmt.Sprintf("%s/packages/%d", f.base, f.list("?package_version=1.1")[0].ID), "")
	f.h.Golden("getProjectPackage/generic", one.Body)
	shown := read[shownPackage](t, one, 200)
	if len(shown.Versions) != 1 || shown.Versions[0].Version != "1.0" || shown.Links.DeleteAPIPath != nil ||
		*shown.Links.WebPath != fmt.Sprintf("/acme/web/-/packages/%d", shown.ID) {
		t.Errorf("%+v", shown)
	}
	expect(t, reporter.Send("GET", f.base+"/packages/999999", ""), 404, `{"message":"404 Not found"}`)
}

func TestAGroupListsThePackagesThatTheCallerCanRead(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	below := f.h.Group(func(g *model.Namespace) { g.ParentID, g.Path = &f.group.ID, "below" })
	inside := f.h.Project(below.ID, called("inside", model.Private))
	f.upload("web", "1.0", "a", "x")
	expect(t, developer.Send("PUT", fmt.Sprintf("/projects/%d/packages/generic/inside/1.0/a", inside.ID), "x"), 201, "")
	guest := f.members[model.Guest]
	f.h.JoinProject(inside, guest.User, model.Reporter)
	group := fmt.Sprintf("/groups/%d/packages", f.group.ID)
	for _, c := range []struct {
		who   *harness.Caller
		query string
		want  string
	}{
		{developer, "", "acme/web acme/below/inside"},
		{developer, "?exclude_subgroups=true", "acme/web"},
		{developer, "?order_by=project_path", "acme/below/inside acme/web"},
		{developer, "?order_by=project_path&sort=desc", "acme/web acme/below/inside"},
		{developer, "?package_name=ins", "acme/below/inside"},
		{guest, "", "acme/below/inside"},
		{f.h.Root(), "", "acme/web acme/below/inside"},
	} {
		var got []string
		for _, row := range read[[]shownPackage](t, c.who.Send("GET", group+c.query, ""), 200) {
			got = append(got, *row.ProjectPath)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s %s: %s, want %s", c.who.User.Username, c.query, text, c.want)
		}
	}
	expect(t, f.h.NewUser().Send("GET", group, ""), 404, "")
	expect(t, f.h.Anonymous().Send("GET", group, ""), 404, "")
}

func TestAPackageAndItsFilesAreDeleted(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	f.upload("tools", "1.0", "a", "x")
	f.upload("tools", "1.0", "b", "x")
	developer, maintainer := f.members[model.Developer], f.members[model.Maintainer]
	id := f.list("")[0].ID
	files := f.files(id)
	path := fmt.Sprintf("%s/packages/%d", f.base, id)
	file := fmt.Sprintf("%s/package_files/%d", path, files[0].ID)
	expect(t, developer.Send("DELETE", file, ""), 403, "")
	expect(t, developer.Send("DELETE", path, ""), 403, "")
	expect(t, f.h.NewUser().Send("DELETE", path, ""), 404, "")
	shown := read[shownPackage](t, maintainer.Send("GET", path, ""), 200)
	if shown.Links.DeleteAPIPath == nil || *shown.Links.DeleteAPIPath != f.h.URL+"/api/v4"+path {
		t.Errorf("%+v", shown.Links)
	}
	expect(t, maintainer.Send("DELETE", file, ""), 204, "")
	expect(t, maintainer.Send("DELETE", file, ""), 404, `{"message":"404 Not found"}`)
	if left := f.files(id); len(left) != 1 || left[0].FileName != "b" {
		t.Errorf("%+v", left)
	}
	expect(t, maintainer.Send("DELETE", path, ""), 204, "")
	expect(t, maintainer.Send("DELETE", path, ""), 404, `{"message":"404 Not found"}`)
	expect(t, developer.Send("GET", f.generic("tools", "1.0", "b"), ""), 404, "")
	f.upload("tools", "1.0", "b", "the name is free at once")
}

func TestThePipelinesOfAPackageHaveKeysetPagination(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, n, m, g := runningJob(t, h)
	project := model.Project{ID: n.Pipeline.ProjectID}
	base := fmt.Sprintf("/projects/%d/packages", project.ID)
	row, err := h.Store.Projects.Get(t.Context(), project.ID, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []int64
	for i := range 3 {
		if i > 0 {
			want = append(want, h.Pipeline(row.Project, owner.User, []syntax.Job{aJob("more", 0)}).Pipeline.ID)
			g = nextJobOf(t, m, project.ID, want[len(want)-1])
		} else {
			want = append(want, n.Pipeline.ID)
		}
		job := h.WithHeaders("JOB-TOKEN", g.Token)
		expect(t, job.Send("PUT", fmt.Sprintf("%s/generic/tools/1.0/file-%d", base, i), "hello"), 201, "")
	}
	expect(t, owner.Send("PUT", base+"/generic/tools/1.0/mine", "hello"), 201, "") // no pipeline
	id := read[[]shownPackage](t, owner.Send("GET", base, ""), 200)[0].ID
	type pipeline struct {
		ID   int64
		User struct{ Username string }
	}
	path := fmt.Sprintf("%s/%d/pipelines?per_page=2", base, id)
	first := owner.Send("GET", path, "")
	rows := read[[]pipeline](t, first, 200)
	if len(rows) != 2 || rows[0].ID != want[2] || rows[1].ID != want[1] || rows[0].User.Username != owner.User.Username {
		t.Errorf("%+v, want the newest of %v", rows, want)
	}
	if first.Header.Get("X-Total") != "" || first.Header.Get("X-Page") != "" {
		t.Error(first.Header)
	}
	link := first.Header.Get("Link")
	next, ok := strings.CutSuffix(link, `>; rel="next"`)
	if !ok || !strings.Contains(next, "cursor=") {
		t.Fatal(link)
	}
	second := owner.Send("GET", strings.TrimPrefix(next, "<"+h.URL+"/api/v4"), "")
	if rows := read[[]pipeline](t, second, 200); len(rows) != 1 || rows[0].ID != want[0] || second.Header.Get("Link") != "" {
		t.Errorf("%+v %s", rows, second.Header.Get("Link"))
	}
	same := owner.Send("GET", path+"&pagination=keyset&order_by=id&sort=desc", "")
	expect(t, same, 200, first.Body)
	expect(t, owner.Send("GET", path+"&pagination=keyset&order_by=id&sort=asc", ""), 405, "")
	expect(t, owner.Send("GET", path+"&pagination=offset", ""), 405, "")
	expect(t, owner.Send("GET", path+"&cursor=nonsense", ""), 400, `{"error":"cursor is invalid"}`)
	expect(t, owner.Send("GET", path+"&page=2", ""), 405, "")
	expect(t, h.Anonymous().Send("GET", path, ""), 401, "")
	expect(t, h.NewUser().Send("GET", path, ""), 404, "")
	expect(t, h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", path, ""), 200, "")
	shown := read[shownPackage](t, owner.Send("GET", fmt.Sprintf("%s/%d", base, id), ""), 200)
	if shown.Pipeline == nil || shown.Pipeline.ID != want[2] {
		t.Errorf("%+v", shown)
	}
	files := read[[]shownPackageFile](t, owner.Send("GET", fmt.Sprintf("%s/%d/package_files", base, id), ""), 200)
	if len(files) != 4 || len(files[0].Pipelines) != 1 || files[0].Pipelines[0].ID != want[0] || files[3].Pipelines != nil {
		t.Errorf("%+v", files)
	}
}

// nextJobOf takes jobs until one belongs to a pipeline.
func nextJobOf(t *testing.T, m *fakeRunner, projectID, pipelineID int64) runnerJob {
	t.Helper()
	for range 10 {
		g := m.job()
		j, err := m.h.Store.Jobs.Get(t.Context(), projectID, g.ID)
		if err != nil {
			t.Fatal(err)
		}
		if j.PipelineID == pipelineID {
			return g
		}
	}
	t.Fatalf("no job of pipeline %d", pipelineID)
	return runnerJob{}
}
