package cipages

import (
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/ci/runner"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// protectedRunner is the access level of a runner that only runs jobs on protected branches and tags.
const protectedRunner = "ref_protected"

// crumbs returns the link to the list, which the administration has in its side navigation.
func (o runnerOwner) crumbs() []page.Link {
	if o.Type == model.InstanceRunner {
		return nil
	}
	return []page.Link{{Path: o.path, Label: "Runners"}}
}

// runnerForm returns the form of a runner.
func runnerForm(action, submit string, row model.Runner) page.Form {
	timeout := ""
	if row.MaximumTimeout != nil {
		timeout = strconv.FormatInt(*row.MaximumTimeout, 10)
	}
	form := page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "description", Label: "Description", Type: "text", Value: text(row.Description)},
		{
			Name: "tags_list", Label: "Tags", Type: "text", Value: strings.Join(list(row.Tags), ", "), Autocomplete: "off",
			Hint: "Separated by commas. The runner takes jobs whose tags it has.",
		},
		{Name: "run_untagged", Label: "Run jobs without tags, too", Type: "checkbox", Checked: row.RunUntagged},
		{
			Name: "protected", Label: "Run only jobs on protected branches and tags", Type: "checkbox",
			Checked: row.AccessLevel == protectedRunner,
		},
		{
			Name: "maximum_timeout", Label: "Longest time of a job, in seconds", Type: "number", Value: timeout, Mode: "numeric",
			Hint: "At least 600. Empty for no limit of the runner.",
		},
		{Name: "maintenance_note", Label: "Note for the people who manage it", Type: "textarea", Value: text(row.MaintenanceNote), Rows: 2},
	}}
	if row.RunnerType == model.ProjectRunner {
		form.Fields = append(form.Fields, page.Field{
			Name: "locked", Label: "Not for other projects", Type: "checkbox", Checked: row.Locked,
		})
	}
	return form
}

// sentRunner is the form of a runner that was sent.
type sentRunner struct {
	description, note *string
	timeout           *int64
	tags              []string
	untagged, locked  bool
	level             string
}

// readRunner reads the form of a runner.
func readRunner(v *page.Visit) (sentRunner, error) {
	sent := sentRunner{
		description: optional(v, "description"), note: optional(v, "maintenance_note"), tags: strings.Split(v.Value("tags_list"), ","),
		untagged: v.Value("run_untagged") != "", locked: v.Value("locked") != "", level: "not_protected",
	}
	if v.Value("protected") != "" {
		sent.level = protectedRunner
	}
	if given := optional(v, "maximum_timeout"); given != nil {
		number, err := strconv.ParseInt(*given, 10, 64)
		if err != nil {
			return sent, page.Broken(map[string][]string{"maximum_timeout": {"is not a number"}})
		}
		sent.timeout = &number
	}
	return sent, nil
}

// newRunner shows the form for a new runner.
// GET /{project}/-/settings/runners/new
// GET /groups/{group}/-/settings/runners/new
// GET /admin/runners/new
func (p *Pages) newRunner(v *page.Visit, o runnerOwner) error { return p.showNewRunner(v, o, nil) }

func (p *Pages) showNewRunner(v *page.Visit, o runnerOwner, refused error) error {
	form := runnerForm(o.path+"/new", "Create the runner", model.Runner{RunnerType: o.Type, RunUntagged: true})
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return o.show(page.View{
		Templates: p.templates, Name: "form_page", Status: status, Title: "New runner", Crumbs: o.crumbs(), Data: page.FormPage{
			Intro: []string{"The next page shows the command that connects a machine to this runner."}, Form: form,
		},
	})
}

// createRunner creates a runner and shows its token once.
// POST /{project}/-/settings/runners/new
// POST /groups/{group}/-/settings/runners/new
// POST /admin/runners/new
func (p *Pages) createRunner(v *page.Visit, o runnerOwner) error {
	ctx := v.Request().Context()
	sent, err := readRunner(v)
	var row model.Runner
	var token string
	if err == nil {
		row, token, err = p.Runners.Create(ctx, o.Owner, runner.Settings{
			Description: sent.description, MaintenanceNote: sent.note, Locked: sent.locked, RunUntagged: &sent.untagged, Tags: sent.tags,
			AccessLevel: sent.level, MaximumTimeout: sent.timeout,
		}, reqctx.Of(ctx).Actor.User.ID)
	}
	if err != nil {
		return p.showNewRunner(v, o, err)
	}
	if err := v.Tell(page.Flash{Text: "The runner was created.", Secret: token}); err != nil {
		return err
	}
	return v.Redirect(o.runnerPath(row.ID))
}

// changeRunner changes a runner.
// POST /{project}/-/settings/runners/{id}
// POST /groups/{group}/-/settings/runners/{id}
// POST /admin/runners/{id}
func (p *Pages) changeRunner(v *page.Visit, o runnerOwner) error {
	row, err := p.findOwnRunner(v, o)
	if err != nil {
		return err
	}
	sent, err := readRunner(v)
	if err == nil {
		change := runner.Change{
			Description: wire.Maybe(sent.description), MaintenanceNote: wire.Maybe(sent.note), MaximumTimeout: wire.Maybe(sent.timeout),
			AccessLevel: &sent.level, Tags: &sent.tags, RunUntagged: &sent.untagged,
		}
		if row.RunnerType == model.ProjectRunner {
			change.Locked = &sent.locked
		}
		_, err = p.Runners.Apply(v.Request().Context(), row, change)
	}
	if err != nil {
		return p.showRunner(v, o, row, true, err)
	}
	return v.Done(o.runnerPath(row.ID), "The runner was saved.")
}
