package cipages

import (
	"fmt"

	"svc/server/domain/ci/runner"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// runnerView is the content of the page of a runner.
type runnerView struct {
	Runner   model.Runner
	Kind     string
	Status   string
	Tags     []string
	Machines []machineView
	Form     page.Form
	Manages  bool
	Actions  []page.Button
	URL      string
	Projects []model.Project // that a project runner works for and the visitor sees
	Assign   *page.Form      // adds a project
}

// machineView is a machine that uses the token of a runner.
type machineView struct {
	model.RunnerManager
	Status string
}

// maxMachines is how many machines the page of a runner lists.
const maxMachines = 50

// findRunner returns the runner of the address, if it can be managed on this page, and whether the visitor manages it.
func (p *Pages) findRunner(v *page.Visit, o runnerOwner) (model.Runner, bool, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.Runner{}, false, err
	}
	ctx := v.Request().Context()
	row, sees, manages, err := p.Runners.FindWithAccess(ctx, id)
	if err != nil {
		return row, false, apierr.OrNotFound(err, "")
	}
	here, err := o.has(ctx, row)
	if err == nil && (!here || !sees) {
		err = page.NotFound()
	}
	return row, manages, err
}

// findOwnRunner is findRunner for visitors who manage the runner.
func (p *Pages) findOwnRunner(v *page.Visit, o runnerOwner) (model.Runner, error) {
	row, manages, err := p.findRunner(v, o)
	if err == nil && !manages {
		err = apierr.Forbidden()
	}
	return row, err
}

// runner shows a runner. After its creation, it also shows how to register it.
// GET /{project}/-/settings/runners/{id}
// GET /groups/{group}/-/settings/runners/{id}
// GET /admin/runners/{id}
func (p *Pages) runner(v *page.Visit, o runnerOwner) error {
	row, manages, err := p.findRunner(v, o)
	if err != nil {
		return err
	}
	return p.showRunner(v, o, row, manages, nil)
}

func (p *Pages) showRunner(v *page.Visit, o runnerOwner, row model.Runner, manages bool, refused error) error {
	view := runnerView{
		Runner: row, Kind: kindOf(row), Status: statusOf(v, row), Tags: list(row.Tags), Manages: manages, URL: p.URL,
		Form: runnerForm(o.runnerPath(row.ID), "Save", row),
	}
	forms := []*page.Form{&view.Form}
	if row.RunnerType == model.ProjectRunner {
		if err := p.addProjects(v, o, row, &view); err != nil {
			return err
		}
	}
	if view.Assign != nil {
		forms = append(forms, view.Assign)
	}
	status, err := v.Fill(refused, forms...)
	if err != nil {
		return err
	}
	machines, _, err := p.Store.Runners.Managers(v.Request().Context(), row.ID, store.Page{Limit: maxMachines})
	if err != nil {
		return err
	}
	for _, m := range machines {
		view.Machines = append(view.Machines, machineView{m, badgeOf(model.ContactStatus(m.ContactedAt, m.CreatedAt, v.Now())).Text})
	}
	if manages {
		view.Actions = o.runnerButtons(row)
	}
	return o.show(page.View{
		Templates: p.templates, Name: "runner", Status: status, Title: fmt.Sprintf("Runner #%d", row.ID), Crumbs: o.crumbs(), Data: view,
	})
}

// runnerButtons returns the actions on a runner.
func (o runnerOwner) runnerButtons(row model.Runner) []page.Button {
	path := o.runnerPath(row.ID)
	all := []page.Button{{Action: path + "/pause", Label: "Pause", Class: "quiet"}}
	if row.Paused {
		all = []page.Button{{Action: path + "/resume", Label: "Resume", Class: "quiet"}}
	}
	all = append(all, page.Button{
		Action: path + "/reset_token", Label: "New token", Class: "danger", Confirm: "The machines with the old token stop working",
	})
	if o.project != nil {
		all = append(all, page.Button{Action: path + "/unassign", Label: "Remove from this project", Class: "danger", Confirm: "Remove it"})
	}
	return append(all, page.Button{Action: path + "/delete", Label: "Delete", Class: "danger", Confirm: "Delete the runner for good"})
}

// setPaused pauses or resumes a runner.
func (p *Pages) setPaused(v *page.Visit, o runnerOwner, paused bool, text string) error {
	row, err := p.findOwnRunner(v, o)
	if err != nil {
		return err
	}
	if _, err := p.Runners.Apply(v.Request().Context(), row, runner.Change{Paused: &paused}); err != nil {
		return err
	}
	return v.Done(o.runnerPath(row.ID), text)
}

// pauseRunner pauses a runner.
// POST /{project}/-/settings/runners/{id}/pause, and the same below groups and the administration
func (p *Pages) pauseRunner(v *page.Visit, o runnerOwner) error {
	return p.setPaused(v, o, true, "The runner is paused: it gets no new jobs.")
}

// resumeRunner ends the pause of a runner.
// POST /{project}/-/settings/runners/{id}/resume, and the same below groups and the administration
func (p *Pages) resumeRunner(v *page.Visit, o runnerOwner) error {
	return p.setPaused(v, o, false, "The runner gets jobs again.")
}

// resetRunnerToken gives a runner a new token, and shows it once.
// POST /{project}/-/settings/runners/{id}/reset_token, and the same below groups and the administration
func (p *Pages) resetRunnerToken(v *page.Visit, o runnerOwner) error {
	row, err := p.findOwnRunner(v, o)
	if err != nil {
		return err
	}
	token, err := p.Runners.ResetToken(v.Request().Context(), row)
	if err != nil {
		return err
	}
	if err := v.Tell(page.Flash{Text: "The runner has a new token.", Secret: token}); err != nil {
		return err
	}
	return v.Redirect(o.runnerPath(row.ID))
}

// unassignRunner removes a runner from the project of the page.
// POST /{project}/-/settings/runners/{id}/unassign
func (p *Pages) unassignRunner(v *page.Visit, o runnerOwner) error {
	if o.project == nil {
		return page.NotFound()
	}
	row, _, err := p.findRunner(v, o)
	if err != nil {
		return err
	}
	if err := p.Runners.Unassign(v.Request().Context(), row.ID, *o.project, nil); err != nil {
		return err
	}
	return v.Done(o.path, fmt.Sprintf("Runner #%d does not run jobs of this project any more.", row.ID))
}

// deleteRunner deletes a runner.
// POST /{project}/-/settings/runners/{id}/delete, and the same below groups and the administration
func (p *Pages) deleteRunner(v *page.Visit, o runnerOwner) error {
	row, err := p.findOwnRunner(v, o)
	if err != nil {
		return err
	}
	if err := p.Runners.Delete(v.Request().Context(), row, nil); err != nil {
		return err
	}
	return v.Done(o.path, fmt.Sprintf("Runner #%d was deleted.", row.ID))
}
