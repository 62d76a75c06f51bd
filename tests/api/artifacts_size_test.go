package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/syntax"
	"svc/tests/harness"
)

// expectArtifactsSize checks the size of the artifacts in the statistics of a project, alone and in a list.
func expectArtifactsSize(t *testing.T, caller *harness.Caller, id int64, when string, want int) {
	t.Helper()
	type project struct {
		ID         int64
		Statistics struct {
			Artifacts int64 `json:"job_artifacts_size"`
			Storage   int64 `json:"storage_size"`
		}
	}
	one := read[project](t, caller.Send("GET", fmt.Sprintf("/projects/%d?statistics=true", id), ""), 200)
	all := read[[]project](t, caller.Send("GET", "/projects?membership=true&statistics=true", ""), 200)
	for _, p := range append(all, one) {
		if p.ID == id && (p.Statistics.Artifacts != int64(want) || p.Statistics.Storage != int64(want)) {
			t.Errorf("%s: the size is %+v, want %d", when, p.Statistics, want)
		}
	}
	if len(all) == 0 {
		t.Error("the list is empty")
	}
}

func TestTheSizeOfArtifactsFollowsUploadsAndRemovals(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("a", 0), aJob("b", 0), aJob("c", 0), aJob("d", 0)})
	id := s.project.ID
	size := func(when string, want int) {
		t.Helper()
		expectArtifactsSize(t, s.owner, id, when, want)
	}
	size("at first", 0)
	archive := anArchive(t, "out.txt", strings.Repeat("x", 50))
	for n := range 4 {
		s.keep(n, "archive", "zip", "artifacts.zip", archive)
	}
	s.keep(0, "junit", "gzip", "junit.xml.gz", "0123456789")
	size("after uploads", 4*len(archive)+10)

	expect(t, s.owner.Send("DELETE", s.path(1, "/artifacts"), ""), 204, "")
	size("after a removal", 3*len(archive)+10)

	s.run(0, "log", false)
	expect(t, s.owner.Send("POST", s.path(0, "/erase"), ""), 201, "")
	size("after erasing", 2*len(archive))

	soon := time.Now().Add(time.Second)
	other := s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("e", 0)})
	s.AddArtifact(other.Jobs[0], artifacts.Upload{
		FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip", ExpireAt: &soon,
	}, archive)
	size("after another upload", 3*len(archive))
	if n, err := s.Store.JobArtifacts.DeleteExpired(t.Context(), time.Now().Add(time.Hour), 10); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	size("after the expiry", 2*len(archive))

	expect(t, s.owner.Send("DELETE", fmt.Sprintf("/projects/%d/pipelines/%d", id, s.pipeline.Pipeline.ID), ""), 204, "")
	size("after the removal of the pipeline", 0)

	again := s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("f", 0)})
	s.AddArtifact(again.Jobs[0], artifacts.Upload{FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip"}, archive)
	neighbour := s.Project(*s.owner.User.NamespaceID)
	expectArtifactsSize(t, s.owner, neighbour.ID, "in another project", 0)
	if err := s.Store.Projects.Delete(t.Context(), s.project.ID, nil); err != nil { // its artifacts go with it
		t.Fatal(err)
	}
}
