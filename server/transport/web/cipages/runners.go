package cipages

import (
	"net/http"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

func (p *Pages) registerRunners(r *page.Router) {
	for _, form := range []struct {
		method, rest string
		handler      func(v *page.Visit, o runnerOwner) error
		project      access.Ability
	}{
		{"GET", "", p.runners, access.AdminProjectRunner},
		{"GET", "/new", p.newRunner, access.CreateProjectRunner},
		{"POST", "/new", p.createRunner, access.CreateProjectRunner},
		{"GET", "/:id", p.runner, access.AdminProjectRunner},
		{"POST", "/:id", p.changeRunner, access.AssignProjectRunner},
		{"POST", "/:id/pause", p.pauseRunner, access.AssignProjectRunner},
		{"POST", "/:id/resume", p.resumeRunner, access.AssignProjectRunner},
		{"POST", "/:id/reset_token", p.resetRunnerToken, access.AssignProjectRunner},
		{"POST", "/:id/assign", p.assignRunner, access.AssignProjectRunner},
		{"POST", "/:id/unassign", p.unassignRunner, access.AssignProjectRunner},
		{"POST", "/:id/delete", p.deleteRunner, access.AssignProjectRunner},
	} {
		r.Project(form.method, runnersPath+form.rest, form.project, func(v *page.Visit) error {
			return form.handler(v, p.projectRunners(v))
		})
		r.Group(form.method, runnersPath+form.rest, access.AdminGroupRunner, func(v *page.Visit) error {
			return form.handler(v, p.groupRunners(v))
		})
		add := r.Get
		if form.method == http.MethodPost {
			add = r.Post
		}
		add(adminRunnersPath+form.rest, page.Admins, func(v *page.Visit) error { return form.handler(v, p.adminRunners(v)) })
	}
	r.ProjectSettings(runnersPath, "Runners", access.AdminProjectRunner)
	r.GroupSettings(runnersPath, "Runners", access.AdminGroupRunner)
	r.Nav(page.Administration, adminRunnersPath, "Runners")
}

var (
	runnerTypes = choices{
		{Label: "Any type"},
		{Value: model.InstanceRunner, Label: "Instance"},
		{Value: model.GroupRunner, Label: "Group"},
		{Value: model.ProjectRunner, Label: "Project"},
	}
	runnerStatuses = choices{
		{Label: "Any status"},
		{Value: "online", Label: "Online"},
		{Value: "offline", Label: "Offline"},
		{Value: "stale", Label: "Stale"},
		{Value: "never_contacted", Label: "Never contacted"},
		{Value: "paused", Label: "Paused"},
	}
)

// runnersView is the content of the list of runners.
type runnersView struct {
	Intro           string
	Runners         []runnerLine
	Pager           page.Pager
	Types, Statuses []page.Option
	Filtered        bool
	Path, New       string
}

// runnerLine is a line of the list of runners.
type runnerLine struct {
	model.Runner
	Kind, Status string
	Tags         []string
	Path         string // of its page; empty for runners that are managed elsewhere
}

// runners lists runners.
// GET /{project}/-/settings/runners
// GET /groups/{group}/-/settings/runners
// GET /admin/runners
func (p *Pages) runners(v *page.Visit, o runnerOwner) error {
	kind, types, err := runnerTypes.read(v, "type")
	if err != nil {
		return err
	}
	status, marked, err := runnerStatuses.read(v, "status")
	if err != nil {
		return err
	}
	o.filter.Type, o.filter.Status = kind, status
	pager := v.Pager("type", "status")
	rows, total, err := p.Store.Runners.List(v.Request().Context(), o.filter, pager.Page)
	if err != nil {
		return err
	}
	view := runnersView{
		Intro: o.intro, Pager: pager.Of(total.More), Types: types, Statuses: marked, Filtered: kind != "" || status != "", Path: o.path,
	}
	if o.mayMake {
		view.New = o.path + "/new"
	}
	for _, row := range rows {
		view.Runners = append(view.Runners, o.line(v, row))
	}
	return o.show(page.View{Templates: p.templates, Name: "runners", Title: "Runners", Data: view})
}

// line returns the line of a runner. Only runners of the same kind have a page here.
func (o runnerOwner) line(v *page.Visit, row model.Runner) runnerLine {
	line := runnerLine{Runner: row, Tags: list(row.Tags), Kind: kindOf(row), Status: statusOf(v, row)}
	own := row.RunnerType == o.Type && (o.GroupID == nil || row.GroupID != nil && *row.GroupID == *o.GroupID)
	if own || o.Type == model.InstanceRunner {
		line.Path = o.runnerPath(row.ID)
	}
	return line
}

// kindOf returns the type of a runner for people.
func kindOf(row model.Runner) string {
	for _, o := range runnerTypes {
		if o.Value == row.RunnerType {
			return o.Label
		}
	}
	return row.RunnerType
}

// statusOf returns the status of a runner for people.
func statusOf(v *page.Visit, row model.Runner) string {
	if row.Paused {
		return "paused"
	}
	return badgeOf(model.ContactStatus(row.ContactedAt, row.CreatedAt, v.Now())).Text
}
