package api

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// anArchive returns a zip file with files given as pairs of name and content.
func anArchive(t *testing.T, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestArtifactsAreDownloaded(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("build", 0), aJob("test", 0)})
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), ""), 404, `{"message":"404 Not Found"}`)
	content := anArchive(t, "out/page.html", "<script>alert(1)</script>", "../up", "x", "data.json", "{}")
	s.keep(0, "archive", "zip", "artifacts.zip", content)
	whole := s.owner.Send("GET", s.path(0, "/artifacts"), "")
	if expect(t, whole, 200, content); whole.Header.Get("Content-Type") != "application/zip" ||
		whole.Header.Get("Content-Disposition") != `attachment; filename=artifacts.zip` {
		t.Error(whole.Header)
	}
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), "", "Range", "bytes=2-5"), 206, content[2:6])
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), "", "Range", "bytes=-3"), 206, content[len(content)-3:])
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), "", "Range", "bytes=2-5", "If-Range", `"other"`), 200, content)
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), "", "Range", fmt.Sprintf("bytes=%d-", len(content))), 416,
		`{"error":"416 Range Not Satisfiable"}`)
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), "", "If-None-Match", whole.Header.Get("ETag")), 304, "")
	for _, path := range []string{"/artifacts/out/page.html", "/artifacts/out%2Fpage.html"} {
		one := s.owner.Send("GET", s.path(0, path), "")
		expect(t, one, 200, "<script>alert(1)</script>")
		if one.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
			!strings.Contains(one.Header.Get("Content-Security-Policy"), "sandbox") ||
			one.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Error(one.Header)
		}
	}
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts/data.json"), ""), 200, "{}")
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts/out/page.html"), "", "Range", "bytes=1-6"), 206, "script")
	for path, want := range map[string]int{
		"none": 404, "out": 404, "..%2Fup": 400, "out%2F..%2F..%2Fup": 400, "%2Fetc%2Fpasswd": 400, "out/": 404,
	} {
		if got := s.owner.Send("GET", s.path(0, "/artifacts/"+path), ""); got.Status != want {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	other := s.Project(*s.owner.User.NamespaceID)
	expect(t, s.owner.Send("GET", fmt.Sprintf("/projects/%d/jobs/%d/artifacts", other.ID, s.pipeline.Jobs[0].ID), ""),
		404, `{"message":"404 Not found"}`)
}

func TestArtifactsOfARefComeFromTheNewestSuccessfulJob(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := &jobProject{H: h, t: t, owner: h.NewUser()}
	s.project = s.Project(*s.owner.User.NamespaceID)
	onBranch := func(n *store.NewPipeline) {
		n.Pipeline.Ref = "feature/x"
		n.Jobs[0].Ref = "feature/x"
	}
	for _, text := range []string{"old", "new", "unfinished"} {
		s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("build it", 0)}, onBranch)
		s.keep(0, "archive", "zip", "artifacts.zip", anArchive(t, "out/which.txt", text))
		if text != "unfinished" {
			s.run(0, "", false)
		}
	}
	base := fmt.Sprintf("/projects/%d/jobs/artifacts/", s.project.ID)
	expect(t, s.owner.Send("GET", base+"feature%2Fx/raw/out/which.txt?job=build+it", ""), 200, "new")
	expect(t, s.owner.Send("GET", base+"feature%2Fx/download?job=build+it", ""), 200, anArchive(t, "out/which.txt", "new"))
	expect(t, s.owner.Send("GET", base+"feature%2Fx/raw/..%2Fx?job=build+it", ""), 400, "")
	expect(t, s.owner.Send("GET", base+"feature%2Fx/download", ""), 400, `{"error":"job is missing"}`)
	expect(t, s.owner.Send("GET", base+"feature%2Fx/download?job=test", ""), 404, `{"message":"404 Not Found"}`)
	expect(t, s.owner.Send("GET", base+"main/download?job=build+it", ""), 404, `{"message":"404 Not Found"}`)
}

func TestArtifactDownloadsFollowRoles(t *testing.T) {
	t.Parallel()
	kept := func(name, access string) syntax.Job {
		j := aJob(name, 0)
		j.Artifacts = &syntax.Artifacts{Access: access}
		return j
	}
	s := newJobProject(
		t,
		[]syntax.Job{kept("all", ""), kept("developer", "developer"), kept("maintainer", "maintainer"), kept("none", "none")},
		func(p *model.Project) { p.Visibility = model.Public },
	)
	for n := range 4 {
		s.keep(n, "archive", "zip", "artifacts.zip", anArchive(t, "a", "b"))
		s.run(n, "", false)
	}
	callers := []*harness.Caller{
		s.Anonymous(), s.NewUser(), s.ProjectMember(s.project, model.Guest), s.ProjectMember(s.project, model.Reporter),
		s.ProjectMember(s.project, model.Developer), s.ProjectMember(s.project, model.Maintainer), s.owner, s.Root(),
	}
	byRef := fmt.Sprintf("/projects/%d/jobs/artifacts/main/", s.project.ID)
	for n, c := range []struct{ job, want string }{
		{"all", "[200 200 200 200 200 200 200 200]"},
		{"developer", "[403 403 403 403 200 200 200 200]"},
		{"maintainer", "[403 403 403 403 403 200 200 200]"},
		{"none", "[403 403 403 403 403 403 403 403]"},
	} {
		for _, path := range []string{
			s.path(n, "/artifacts"), s.path(n, "/artifacts/a"), byRef + "download?job=" + c.job, byRef + "raw/a?job=" + c.job,
		} {
			var got []int
			for _, caller := range callers {
				got = append(got, caller.Send("GET", path, "").Status)
			}
			if text := fmt.Sprint(got); text != c.want {
				t.Errorf("%s: %s, want %s", path, text, c.want)
			}
		}
	}
}

func TestArtifactsAreKeptAndDeleted(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("build", 0), aJob("test", 0)}, func(p *model.Project) { p.KeepLatestArtifact = false })
	expect(t, s.owner.Send("POST", s.path(0, "/artifacts/keep"), ""), 404, `{"message":"404 Not Found"}`)
	s.keep(0, "archive", "zip", "artifacts.zip", anArchive(t, "a", "b"))
	s.keep(1, "archive", "zip", "artifacts.zip", anArchive(t, "a", "b"))
	kept := s.owner.Send("POST", s.path(0, "/artifacts/keep"), "")
	if expect(t, kept, 200, ""); !strings.Contains(kept.Body, `"artifacts_expire_at":null`) {
		t.Error(kept.Body)
	}
	developer := s.ProjectMember(s.project, model.Developer)
	expect(t, developer.Send("DELETE", s.path(0, "/artifacts"), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, developer.Send("DELETE", fmt.Sprintf("/projects/%d/artifacts", s.project.ID), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, s.owner.Send("DELETE", s.path(0, "/artifacts"), ""), 204, "")
	expect(t, s.owner.Send("GET", s.path(0, "/artifacts"), ""), 404, "")
	expect(t, s.owner.Send("GET", s.path(1, "/artifacts"), ""), 200, "")
	s.StartWorker()
	expect(t, s.owner.Send("DELETE", fmt.Sprintf("/projects/%d/artifacts", s.project.ID), ""), 202, `{"message":"202 Accepted"}`)
	wait.Until(t, "the artifacts are deleted", func() bool {
		return s.owner.Send("GET", s.path(1, "/artifacts"), "").Status == 404
	})
}
