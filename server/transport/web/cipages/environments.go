package cipages

import (
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

const environmentsPath = "environments"

func (p *Pages) registerEnvironments(r *page.Router) {
	r.Project("GET", environmentsPath, access.ReadEnvironment, p.environments)
	r.Project("GET", environmentsPath+"/new", access.AdminEnvironment, p.newEnvironment)
	r.Project("POST", environmentsPath+"/new", access.AdminEnvironment, p.createEnvironment)
	r.Project("GET", environmentsPath+"/:id", access.ReadEnvironment, p.environment)
	r.Project("GET", environmentsPath+"/:id/edit", access.AdminEnvironment, p.editEnvironment)
	r.Project("POST", environmentsPath+"/:id/edit", access.AdminEnvironment, p.changeEnvironment)
	r.Project("POST", environmentsPath+"/:id/stop", access.AdminEnvironment, p.stopEnvironment)
	r.Project("POST", environmentsPath+"/:id/delete", access.AdminEnvironment, p.deleteEnvironment)
}

// environmentStates are the filters of the list of environments.
var environmentStates = choices{
	{Label: "Any state"},
	{Value: model.EnvironmentAvailable, Label: "Available"},
	{Value: model.EnvironmentStopping, Label: "Stopping"},
	{Value: model.EnvironmentStopped, Label: "Stopped"},
}

// environmentsView is the content of the list of environments.
type environmentsView struct {
	Environments []environmentLine
	Pager        page.Pager
	States       []page.Option
	Search       string
	Filtered     bool
	MayMake      bool
	Path, New    string
}

// environmentLine is a line of the list of environments.
type environmentLine struct {
	model.Environment
	Path string
	Last *deploymentLine // the last successful deployment
}

// deploymentLine is a deployment.
type deploymentLine struct {
	model.DeploymentRow
	Badge           badge
	Path, Commit    string // of the job, empty if there is none, and of the commit
	Title, Duration string
}

// environments lists the environments of a project.
// GET /{project}/-/environments
func (p *Pages) environments(v *page.Visit) error {
	state, marked, err := environmentStates.read(v, "states")
	if err != nil {
		return err
	}
	ctx, pager := v.Request().Context(), v.Pager("states", "search")
	filter := store.EnvironmentFilter{State: state, Search: v.QueryParam("search")}
	rows, total, err := p.Store.Environments.List(ctx, v.Project.Project.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	last, err := p.Store.Deployments.LastOf(ctx, ids)
	if err != nil {
		return err
	}
	view := environmentsView{
		Pager: pager.Of(total.More), States: marked, Search: filter.Search, Filtered: filter != store.EnvironmentFilter{},
		MayMake: v.May(access.AdminEnvironment), Path: at(v, environmentsPath), New: at(v, environmentsPath+"/new"),
	}
	for _, row := range rows {
		line := environmentLine{Environment: row, Path: numbered(v.Project.Project, environmentsPath, row.ID)}
		if deployment, ok := last[row.ID]; ok {
			shown := deploymentOf(v, deployment)
			line.Last = &shown
		}
		view.Environments = append(view.Environments, line)
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "environments", Title: "Environments", Tab: page.TabPipelines,
		Nav: nav(v, environmentsPath), Data: view,
	})
}

func deploymentOf(v *page.Visit, row model.DeploymentRow) deploymentLine {
	project := v.Project.Project
	line := deploymentLine{
		DeploymentRow: row, Badge: badgeOf(row.Deployment.Status), Commit: commitPath(project, row.SHA()),
		Title: readCommit(row.CommitData()).Title(),
	}
	if row.Job != nil {
		line.Path = jobPath(project, row.Job.Job.ID)
		line.Duration = between(row.Job.Job.StartedAt, row.Job.Job.FinishedAt, v.Now())
	} else {
		line.Duration = between(&row.Deployment.CreatedAt, row.Deployment.FinishedAt, v.Now())
	}
	return line
}

// environmentView is the content of the page of an environment.
type environmentView struct {
	Environment model.Environment
	Deployments []deploymentLine
	Pager       page.Pager
	Edit        string
	Actions     []page.Button
}

// findEnvironment returns the environment of the address.
func (p *Pages) findEnvironment(v *page.Visit) (model.Environment, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.Environment{}, err
	}
	found, err := p.Store.Environments.Get(v.Request().Context(), v.Project.Project.ID, id)
	return found, apierr.OrNotFound(err, "")
}

// environment shows an environment and its deployments.
// GET /{project}/-/environments/{id}
func (p *Pages) environment(v *page.Visit) error {
	found, err := p.findEnvironment(v)
	if err != nil {
		return err
	}
	pager := v.Pager()
	filter := store.DeploymentFilter{Environment: found.Name, Desc: true}
	rows, total, err := p.Store.Deployments.List(v.Request().Context(), v.Project.Project.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	view := environmentView{Environment: found, Pager: pager.Of(total.More)}
	for _, row := range rows {
		view.Deployments = append(view.Deployments, deploymentOf(v, row))
	}
	if path := numbered(v.Project.Project, environmentsPath, found.ID); v.May(access.AdminEnvironment) {
		view.Edit = path + "/edit"
		if found.State == model.EnvironmentStopped {
			view.Actions = []page.Button{{
				Action: path + "/delete", Label: "Delete", Class: "danger", Confirm: "Delete the environment with its deployments",
			}}
		} else {
			view.Actions = []page.Button{{Action: path + "/stop", Label: "Stop", Class: "danger", Confirm: "Stop " + found.Name}}
		}
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "environment", Title: found.Name, Tab: page.TabPipelines, Nav: nav(v, environmentsPath),
		Crumbs: []page.Link{{Path: at(v, environmentsPath), Label: "Environments"}}, Data: view,
	})
}

// stopEnvironment stops an environment.
// POST /{project}/-/environments/{id}/stop
func (p *Pages) stopEnvironment(v *page.Visit) error {
	found, err := p.findEnvironment(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	stopped, err := p.Environments.StopAs(ctx, *v.Project, found, false, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return err
	}
	text := "The environment was stopped."
	if stopped.State == model.EnvironmentStopping {
		text = "The job that stops the environment was started."
	}
	return v.Done(numbered(v.Project.Project, environmentsPath, found.ID), text)
}

// deleteEnvironment deletes a stopped environment.
// POST /{project}/-/environments/{id}/delete
func (p *Pages) deleteEnvironment(v *page.Visit) error {
	found, err := p.findEnvironment(v)
	if err != nil {
		return err
	}
	if err := p.Environments.Delete(v.Request().Context(), found, nil); err != nil {
		return err
	}
	return v.Done(at(v, environmentsPath), "The environment "+found.Name+" was deleted.")
}
