package api

import (
	"fmt"
	"testing"

	"svc/server/domain/ci/syntax"
	civars "svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// jobWithCrossNeed returns a job that needs the artifacts of a job in another project or pipeline.
func jobWithCrossNeed(name string, need syntax.CrossNeed) syntax.Job {
	j := aJob(name, 0)
	need.Artifacts = true
	j.HasNeeds, j.CrossNeeds = true, []syntax.CrossNeed{need}
	return j
}

func TestAJobGetsArtifactsOfOtherProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := &jobProject{H: h, t: t, owner: h.NewUser()}
	s.project = s.Project(*s.owner.User.NamespaceID)
	mine := h.Project(*s.owner.User.NamespaceID)
	for _, text := range []string{"old", "new", "unfinished"} {
		s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("build", 0)})
		s.keep(0, "archive", "zip", "artifacts.zip", anArchive(t, "a", text))
		s.keep(0, "dotenv", "raw", ".env", "WHICH="+text+"\n")
		if text != "unfinished" {
			s.run(0, "", false)
		}
	}
	m := newFakeRunner(t, h, anyJobs)
	unfinished := m.job() // claims the job
	need := jobWithCrossNeed("use", syntax.CrossNeed{Project: "$WHERE", Ref: "main", Job: "build"})
	need.Variables = []civars.Variable{{Key: "WHERE", Value: s.project.FullPath}}
	h.Pipeline(mine, s.owner.User, []syntax.Job{need})
	g := m.job()
	if len(g.Dependencies) != 1 || g.variable("WHICH") != "new" {
		t.Fatalf("%+v, %s", g.Dependencies, g.variable("WHICH"))
	}
	d := g.Dependencies[0]
	path := fmt.Sprintf("/jobs/%d/artifacts", d.ID)
	expect(t, h.WithHeaders("Job-Token", d.Token).Send("GET", path, ""), 200, anArchive(t, "a", "new"))
	// A newer job that succeeds while this job runs does not take the older artifacts away.
	expect(t, m.update(unfinished, "success", ""), 200, "200")
	expect(t, h.WithHeaders("Job-Token", d.Token).Send("GET", path, ""), 200, anArchive(t, "a", "new"))
	// The token gives no access to other artifacts of that project.
	other := s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("secret", 0)})
	s.pipeline = other
	s.keep(0, "archive", "zip", "artifacts.zip", anArchive(t, "a", "secret"))
	s.run(0, "", false)
	expect(t, h.WithHeaders("Job-Token", d.Token).Send("GET", fmt.Sprintf("/jobs/%d/artifacts", other.Jobs[0].ID), ""), 403,
		`{"message":"403 Forbidden"}`)
	expect(t, m.update(g, "success", ""), 200, "200")
	expect(t, h.WithHeaders("Job-Token", d.Token).Send("GET", path, ""), 403, "")
}

func TestAJobFailsIfItsUserCannotReadItsCrossProjectNeeds(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := &jobProject{H: h, t: t, owner: h.NewUser()}
	s.project = s.Project(*s.owner.User.NamespaceID)
	kept, closed := aJob("build", 0), aJob("closed", 0)
	closed.Artifacts = &syntax.Artifacts{Access: "none"}
	s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{kept, closed})
	for n := range 2 {
		s.keep(n, "archive", "zip", "artifacts.zip", anArchive(t, "a", "b"))
		s.run(n, "", false)
	}
	here := s.project.FullPath
	stranger := h.NewUser()
	theirs := h.Project(*stranger.User.NamespaceID)
	reporter := h.ProjectMember(s.project, model.Reporter)
	reporters := h.Project(*reporter.User.NamespaceID)
	m := newFakeRunner(t, h, anyJobs)
	for name, c := range map[string]struct {
		in   model.Project
		user model.User
		need syntax.CrossNeed
	}{
		"a project that the user does not see": {theirs, stranger.User, syntax.CrossNeed{Project: here, Ref: "main", Job: "build"}},
		"a project that is not there":          {theirs, stranger.User, syntax.CrossNeed{Project: "no/where", Ref: "main", Job: "build"}},
		"another ref":                          {reporters, reporter.User, syntax.CrossNeed{Project: here, Ref: "side", Job: "build"}},
		"another name":                         {reporters, reporter.User, syntax.CrossNeed{Project: here, Ref: "main", Job: "none"}},
		"artifacts for nobody":                 {reporters, reporter.User, syntax.CrossNeed{Project: here, Ref: "main", Job: "closed"}},
		"a variable that is not set":           {reporters, reporter.User, syntax.CrossNeed{Project: "$NONE", Ref: "main", Job: "build"}},
		"a pipeline of no relation": {
			reporters, reporter.User, syntax.CrossNeed{Pipeline: fmt.Sprint(s.pipeline.Pipeline.ID), Job: "build"},
		},
		"a pipeline that is no number": {reporters, reporter.User, syntax.CrossNeed{Pipeline: "x", Job: "build"}},
	} {
		n := h.Pipeline(c.in, c.user, []syntax.Job{jobWithCrossNeed("use", c.need)})
		m.none(name)
		if got := m.status(runnerJob{ID: n.Jobs[0].ID}); got != "failed missing_dependency_failure" {
			t.Errorf("%s: %s", name, got)
		}
	}
	h.Pipeline(reporters, reporter.User, []syntax.Job{jobWithCrossNeed("use", syntax.CrossNeed{Project: here, Ref: "main", Job: "build"})})
	g := m.job()
	if len(g.Dependencies) != 1 {
		t.Fatalf("%+v", g.Dependencies)
	}
	// A user who loses access to the project no longer gets the artifacts.
	if _, err := h.Store.SQL().ExecContext(t.Context(), "DELETE FROM members WHERE user_id = $1 AND source_id = $2",
		reporter.User.ID, s.project.ID); err != nil {
		t.Fatal(err)
	}
	expect(t, h.WithHeaders("Job-Token", g.Token).Send("GET", fmt.Sprintf("/jobs/%d/artifacts", g.Dependencies[0].ID), ""),
		403, `{"message":"403 Forbidden"}`)
}

func TestAChildGetsArtifactsOfItsParent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := &jobProject{H: h, t: t, owner: h.NewUser()}
	s.project = s.Project(*s.owner.User.NamespaceID)
	bridge := aJob("child", 2)
	bridge.Trigger, bridge.When = &syntax.Trigger{}, "manual"
	s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("build", 0), bridge})
	s.keep(0, "archive", "zip", "artifacts.zip", anArchive(t, "a", "parent's"))
	s.run(0, "", false)
	var above int64
	for _, j := range s.pipeline.Jobs {
		if j.Bridge {
			above = j.ID
		}
	}
	h.Pipeline(s.project, s.owner.User, []syntax.Job{jobWithCrossNeed("use", syntax.CrossNeed{
		Pipeline: fmt.Sprint(s.pipeline.Pipeline.ID), Job: "build",
	})}, func(n *store.NewPipeline) {
		n.Pipeline.UpstreamJobID, n.Pipeline.Child = &above, true
	})
	g := newFakeRunner(t, h, anyJobs).job()
	if len(g.Dependencies) != 1 {
		t.Fatalf("%+v", g)
	}
	expect(t, h.WithHeaders("Job-Token", g.Token).Send("GET", fmt.Sprintf("/jobs/%d/artifacts", g.Dependencies[0].ID), ""),
		200, anArchive(t, "a", "parent's"))
}
