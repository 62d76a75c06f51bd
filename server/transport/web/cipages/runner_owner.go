package cipages

import (
	"context"
	"slices"
	"strconv"

	"svc/server/domain/ci/runner"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

const (
	runnersPath      = "settings/runners"
	adminRunnersPath = "/admin/runners"
)

// runnerOwner is where the runners of a page belong.
type runnerOwner struct {
	runner.Owner
	filter  store.RunnerFilter
	path    string // of the list
	mayMake bool   // the visitor may create runners here
	intro   string
	project *model.Project // the project of the page, if any
	show    func(view page.View) error
	// has reports whether a runner can be managed on this page.
	has func(ctx context.Context, row model.Runner) (bool, error)
}

// runnerPath returns the path of the page of a runner.
func (o runnerOwner) runnerPath(id int64) string { return o.path + "/" + strconv.FormatInt(id, 10) }

// projectRunners returns the runners of the project of the visit.
func (p *Pages) projectRunners(v *page.Visit) runnerOwner {
	project := v.Project.Project
	return runnerOwner{
		Owner: runner.Owner{Type: model.ProjectRunner, ProjectID: &project.ID}, filter: store.RunnerFilter{ProjectID: project.ID},
		path: at(v, runnersPath), mayMake: v.May(access.CreateProjectRunner), project: &project,
		intro: "These runners run the jobs of this project: its own, those of its groups, and those of the instance.",
		show: func(view page.View) error {
			view.Tab, view.Nav = page.TabSettings, v.SettingsNav(runnersPath)
			return v.Show(view)
		},
		has: func(ctx context.Context, row model.Runner) (bool, error) {
			ids, err := p.Store.Runners.ProjectIDs(ctx, row.ID)
			return slices.Contains(ids, project.ID), err
		},
	}
}

// groupRunners returns the runners of the group of the visit.
func (p *Pages) groupRunners(v *page.Visit) runnerOwner {
	group := v.Group.Namespace
	return runnerOwner{
		Owner: runner.Owner{Type: model.GroupRunner, GroupID: &group.ID}, filter: store.RunnerFilter{GroupID: group.ID},
		path: "/groups/" + group.FullPath + "/-/" + runnersPath, mayMake: true,
		intro: "These runners run the jobs of the projects in this group and its subgroups.",
		show: func(view page.View) error {
			view.Tab, view.Nav = page.TabSettings, v.SettingsNav(runnersPath)
			return v.Show(view)
		},
		has: func(_ context.Context, row model.Runner) (bool, error) {
			return row.GroupID != nil && *row.GroupID == group.ID, nil
		},
	}
}

// adminRunners returns all runners of the instance.
func (p *Pages) adminRunners(v *page.Visit) runnerOwner {
	return runnerOwner{
		Owner: runner.Owner{Type: model.InstanceRunner}, path: adminRunnersPath, mayMake: true, show: v.Show,
		intro: "All runners. A new runner here is for the whole instance; those of groups and projects are made in their settings.",
		has:   func(context.Context, model.Runner) (bool, error) { return true, nil },
	}
}
