package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestJobsAreNeverMoreVisibleThanTheRepository(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for name, c := range map[string]struct {
		edit func(*model.Project)
		want string // statuses of operations for everybody who can see the project
	}{
		"open": {func(*model.Project) {}, "200 200 200 200 200 200 200 200 200"},
		"code of members": {
			func(p *model.Project) { p.RepositoryAccessLevel = model.FeaturePrivate },
			"403 403 403 403 200 200 200 200 200",
		},
		"no code": {
			func(p *model.Project) { p.RepositoryAccessLevel = model.FeatureDisabled },
			"403 403 403 403 403 403 403 403 200",
		},
		"jobs of members": {func(p *model.Project) { p.BuildsAccessLevel = model.FeaturePrivate }, "403 403 403 200 200 200 200 200 200"},
		"private":         {func(p *model.Project) { p.Visibility = model.Private }, "404 404 404 200 200 200 200 200 200"},
		"private, code of members": {func(p *model.Project) {
			p.Visibility, p.RepositoryAccessLevel = model.Private, model.FeaturePrivate
		}, "404 404 404 403 200 200 200 200 200"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			p := h.Project(h.Group(seen(model.Public)).ID, func(p *model.Project) { p.Visibility = model.Public }, c.edit)
			owner := h.ProjectMember(p, model.Owner)
			made := h.Pipeline(p, owner.User, []syntax.Job{aJob("deploy", 0)})
			h.ClaimJob(made.Jobs[0])
			h.WriteLog(made.Jobs[0], "hello\n")
			h.AddArtifact(made.Jobs[0], artifacts.Upload{
				FileType: model.ArchiveArtifact, FileFormat: "zip", Filename: "artifacts.zip",
			}, zipped(t, "a", "b"))
			environment := model.Environment{
				ProjectID: p.ID,
				Name:      "production",
				Slug:      "production",
				Tier:      "production",
				State:     model.EnvironmentAvailable,
			}
			if err := h.Store.Environments.Create(t.Context(), &environment); err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("/projects/%d", p.ID)
			people := newCallersByRole(h, p)
			for _, path := range []string{
				"/pipelines", fmt.Sprintf("/pipelines/%d", made.Pipeline.ID), fmt.Sprintf("/pipelines/%d/jobs", made.Pipeline.ID),
				fmt.Sprintf("/pipelines/%d/bridges", made.Pipeline.ID), fmt.Sprintf("/pipelines/%d/test_report", made.Pipeline.ID),
				"/jobs", fmt.Sprintf("/jobs/%d", made.Jobs[0].ID), fmt.Sprintf("/jobs/%d/trace", made.Jobs[0].ID),
				fmt.Sprintf("/jobs/%d/artifacts", made.Jobs[0].ID),
				"/pipeline_schedules", "/environments", fmt.Sprintf("/environments/%d", environment.ID), "/deployments",
			} {
				people.answers(t, name+" "+path, c.want, func(role string, caller *harness.Caller) string {
					a := caller.Send("GET", at+path, "")
					if role == "anonymous" && a.Status == 401 { // the operation needs a signed-in caller
						return strings.Fields(c.want)[0]
					}
					return fmt.Sprint(a.Status)
				})
			}
		})
	}
}
