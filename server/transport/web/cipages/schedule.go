package cipages

import (
	"errors"
	"net/url"
	"strings"

	"svc/server/domain/ci/schedule"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// scheduleView is the content of the page of a schedule.
type scheduleView struct {
	Form         page.Form
	New          bool
	Variables    []scheduleVariable
	VariableForm page.Form
}

// scheduleVariable is a variable of a schedule with the button that removes it.
type scheduleVariable struct {
	model.PipelineScheduleVariable
	Remove page.Button
}

// scheduleForm returns the form of a schedule.
func scheduleForm(action, submit string, s model.PipelineSchedule) page.Form {
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "description", Label: "Description", Type: "text", Value: s.Description, Required: true},
		{
			Name: "cron", Label: "Times", Type: "text", Value: s.Cron, Required: true, Autocomplete: "off",
			Hint: "Minute, hour, day of the month, month and day of the week. 0 4 * * * is every day at 4:00.",
		},
		{
			Name: "cron_timezone", Label: "Time zone", Type: "text", Value: s.CronTimezone, Required: true,
			Hint: "Such as UTC or Europe/Berlin.",
		},
		{Name: "ref", Label: "Branch or tag", Type: "text", Value: s.Ref, Required: true, Autocomplete: "off"},
		{Name: "active", Label: "Active", Type: "checkbox", Checked: s.Active},
	}}
}

// scheduleChange reads the form of a schedule.
func scheduleChange(v *page.Visit) schedule.Change {
	value := func(name string) *string { text := v.Value(name); return &text }
	active := v.Value("active") != ""
	return schedule.Change{
		Description: value("description"), Ref: value("ref"), Cron: value("cron"), CronTimezone: value("cron_timezone"), Active: &active,
	}
}

// newSchedule shows the form for a new schedule.
// GET /{project}/-/pipeline_schedules/new
func (p *Pages) newSchedule(v *page.Visit) error { return p.showNewSchedule(v, nil) }

func (p *Pages) showNewSchedule(v *page.Visit, refused error) error {
	form := scheduleForm(at(v, schedulesPath+"/new"), "Create the schedule", model.PipelineSchedule{
		Cron: "0 4 * * *", CronTimezone: "UTC", Ref: v.Project.Project.DefaultBranch, Active: true,
	})
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return p.showSchedule(v, status, "New schedule", scheduleView{Form: form, New: true})
}

func (p *Pages) showSchedule(v *page.Visit, status int, title string, view scheduleView) error {
	return v.Show(page.View{
		Templates: p.templates, Name: "schedule", Status: status, Title: title, Tab: page.TabPipelines, Nav: nav(v, schedulesPath),
		Crumbs: []page.Link{{Path: at(v, schedulesPath), Label: "Schedules"}}, Data: view,
	})
}

// createSchedule creates a schedule.
// POST /{project}/-/pipeline_schedules/new
func (p *Pages) createSchedule(v *page.Visit) error {
	ctx := v.Request().Context()
	made, err := p.Schedules.Create(ctx, *v.Project, reqctx.Of(ctx).Actor.User.ID, scheduleChange(v))
	if err != nil {
		return p.showNewSchedule(v, err)
	}
	return v.Done(numbered(v.Project.Project, schedulesPath, made.ID)+"/edit", "The schedule was created.")
}

// editSchedule shows a schedule with its variables.
// GET /{project}/-/pipeline_schedules/{id}/edit
func (p *Pages) editSchedule(v *page.Visit) error {
	found, err := p.findOwnSchedule(v)
	if err != nil {
		return page.Hide(err)
	}
	return p.showEditSchedule(v, found, nil)
}

func (p *Pages) showEditSchedule(v *page.Visit, found model.PipelineSchedule, refused error) error {
	path := numbered(v.Project.Project, schedulesPath, found.ID)
	view := scheduleView{
		Form: scheduleForm(path+"/edit", "Save", found),
		VariableForm: page.Form{Action: path + "/variables", Submit: "Set the variable", Fields: []page.Field{
			{Name: "key", Label: "Key", Type: "text", Required: true, Autocomplete: "off"},
			{Name: "value", Label: "Value", Type: "textarea", Rows: 2},
			{Name: "variable_type", Label: "Type", Type: "select", Options: variableTypes.marked(model.VariableEnv)},
		}},
	}
	status, err := v.Fill(refused, &view.Form, &view.VariableForm)
	if err != nil {
		return err
	}
	rows, err := p.Store.PipelineSchedules.Variables(v.Request().Context(), found.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Variables = append(view.Variables, scheduleVariable{row, page.Button{
			Action: path + "/variables/" + url.PathEscape(row.Key) + "/delete", Label: "Remove", Class: "danger",
		}})
	}
	return p.showSchedule(v, status, found.Description, view)
}

// changeSchedule changes a schedule.
// POST /{project}/-/pipeline_schedules/{id}/edit
func (p *Pages) changeSchedule(v *page.Visit) error {
	found, err := p.findOwnSchedule(v)
	if err != nil {
		return err
	}
	if _, err := p.Schedules.Apply(v.Request().Context(), *v.Project, found, scheduleChange(v)); err != nil {
		return p.showEditSchedule(v, found, err)
	}
	return v.Done(at(v, schedulesPath), "The schedule was saved.")
}

// setScheduleVariable adds a variable to a schedule, or changes the one with the same key.
// POST /{project}/-/pipeline_schedules/{id}/variables
func (p *Pages) setScheduleVariable(v *page.Visit) error {
	found, err := p.findOwnSchedule(v)
	if err != nil {
		return err
	}
	ctx, key, kind := v.Request().Context(), strings.TrimSpace(v.Value("key")), v.Value("variable_type")
	given := schedule.Variable{Value: v.Value("value"), Type: &kind}
	err = variableTypes.check("variable_type", kind)
	if err == nil {
		var known model.PipelineScheduleVariable
		known, err = p.Store.PipelineSchedules.Variable(ctx, found.ID, key)
		var missing *store.NotFoundError
		if errors.As(err, &missing) {
			_, err = p.Schedules.AddVariable(ctx, *v.Project, found.ID, key, given)
		} else if err == nil {
			_, err = p.Schedules.ChangeVariable(ctx, *v.Project, known, given)
		}
	}
	if err != nil {
		return p.showEditSchedule(v, found, err)
	}
	return v.Done(numbered(v.Project.Project, schedulesPath, found.ID)+"/edit", "The variable "+key+" was set.")
}

// deleteScheduleVariable removes a variable from a schedule.
// POST /{project}/-/pipeline_schedules/{id}/variables/{key}/delete
func (p *Pages) deleteScheduleVariable(v *page.Visit) error {
	found, err := p.findOwnSchedule(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	known, err := p.Store.PipelineSchedules.Variable(ctx, found.ID, v.Param("key"))
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	if err := p.Store.PipelineSchedules.DeleteVariable(ctx, known); err != nil {
		return err
	}
	return v.Done(numbered(v.Project.Project, schedulesPath, found.ID)+"/edit", "The variable "+known.Key+" was removed.")
}
