package cipages

import (
	"context"
	"embed"
	"io"
	"strconv"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/environment"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/report"
	"svc/server/domain/ci/runner"
	"svc/server/domain/ci/schedule"
	"svc/server/domain/ci/trigger"
	"svc/server/domain/ci/variablestore"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// Logs reads the logs of jobs.
type Logs interface {
	// Open reads at most length bytes from an offset, but never beyond the end, and returns how many will come.
	Open(ctx context.Context, job model.Job, offset, length int64) (io.ReadCloser, int64, error)
	// EraseAll removes the log and the artifacts of a finished job.
	EraseAll(ctx context.Context, jobID int64) (bool, error)
}

// Dependencies are what the pages need.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Engine       *engine.Engine
	Launcher     *launch.Launcher
	Pusher       *push.Pusher
	Writer       *commit.Writer
	Logs         Logs
	Artifacts    *artifacts.Service
	Reports      *report.Service
	Schedules    *schedule.Service
	Environments *environment.Service
	Variables    *variablestore.Service
	Runners      *runner.Service
	Triggers     *trigger.Service
	URL          string // of the service, without a trailing slash
}

// Pages are the pages about CI/CD.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates, "ci")}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	p.registerPipelines(r)
	p.registerJobs(r)
	p.registerSchedules(r)
	p.registerEnvironments(r)
	p.registerVariables(r)
	p.registerRunners(r)
	p.registerTriggers(r)
	r.Project("GET", "badges/*", access.ReadPipeline, p.picture)
	r.Project("GET", "ci/lint", access.ReadCode, p.lint)
	r.Project("POST", "ci/lint", access.CreatePipeline, p.lintText)
}

// links are the pages about CI/CD of a project, in the order of the side navigation.
var links = []struct {
	pattern, label string
	ability        access.Ability
}{
	{"pipelines", "Pipelines", access.ReadPipeline},
	{"jobs", "Jobs", access.ReadJob},
	{"pipeline_schedules", "Schedules", access.ReadPipelineSchedule},
	{"environments", "Environments", access.ReadEnvironment},
	{"ci/lint", "Check the CI file", access.ReadCode},
}

// settings are the settings about CI/CD of a project.
var settings = []struct {
	pattern, label string
	ability        access.Ability
}{
	{"settings/variables", "CI variables", access.ReadProjectVariable},
	{"settings/runners", "Runners", access.AdminProjectRunner},
	{"settings/triggers", "Trigger tokens", access.ReadTrigger},
}

// nav returns the side navigation of pages about CI/CD. here is the pattern of the page.
func nav(v *page.Visit, here string) []page.NavGroup {
	groups := []page.NavGroup{{Title: "CI"}}
	for _, l := range links {
		if v.May(l.ability) && (v.Actor != nil || l.pattern != "ci/lint") {
			groups[0].Links = append(groups[0].Links, page.Link{Path: at(v, l.pattern), Label: l.label, Here: l.pattern == here})
		}
	}
	for _, l := range settings {
		if !v.May(l.ability) {
			continue
		}
		if len(groups) == 1 {
			groups = append(groups, page.NavGroup{Title: "CI settings"})
		}
		groups[1].Links = append(groups[1].Links, page.Link{Path: at(v, l.pattern), Label: l.label, Here: l.pattern == here})
	}
	return groups
}

// at returns the path of a page of the project of the visit.
func at(v *page.Visit, rest string) string { return "/" + v.Project.Project.FullPath + "/-/" + rest }

func jobPath(p model.Project, id int64) string { return numbered(p, "jobs", id) }

func pipelinePath(p model.Project, id int64) string { return numbered(p, "pipelines", id) }

// numbered returns the path of a thing of a project.
func numbered(p model.Project, kind string, id int64) string {
	return "/" + p.FullPath + "/-/" + kind + "/" + strconv.FormatInt(id, 10)
}

// commitPath returns the path of the page of a commit.
func commitPath(p model.Project, sha string) string { return "/" + p.FullPath + "/-/commit/" + sha }
