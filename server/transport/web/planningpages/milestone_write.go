package planningpages

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/domain/milestone"
	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// formView is the content of a page with one form, and the button that deletes what it is about.
type formView struct {
	Form   page.Form
	Delete *page.Button
}

// milestoneForm is the form of a milestone.
func milestoneForm(m model.Milestone, action, submit string) page.Form {
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "title", Label: "Title", Type: "text", Value: m.Title, Required: true, Focus: true, Autocomplete: "off"},
		{Name: "description", Label: "Description", Type: "textarea", Rows: 8, Value: wire.Value(m.Description), Hint: "Markdown."},
		{Name: "start_date", Label: "Start date", Type: "date", Value: dayText(m.StartDate)},
		{Name: "due_date", Label: "Due date", Type: "date", Value: dayText(m.DueDate)},
	}}
}

func dayText(day *time.Time) string {
	if day == nil {
		return ""
	}
	return day.Format(time.DateOnly)
}

// newMilestone shows the form for a new milestone.
// GET /{project}/-/milestones/new
func (p *Pages) newMilestone(v *page.Visit) error { return p.showNewMilestone(v, nil) }

func (p *Pages) showNewMilestone(v *page.Visit, refused error) error {
	at := here(v)
	return p.showForm(v, refused, formView{Form: milestoneForm(model.Milestone{}, at.root+"milestones", "Create the milestone")}, page.View{
		Title: "New milestone", Tab: page.TabMilestones, Crumbs: milestoneCrumbs(at),
	})
}

// showForm shows a page with a form, after a refusal with its reason.
func (p *Pages) showForm(v *page.Visit, refused error, form formView, view page.View) error {
	status, err := v.Fill(refused, &form.Form)
	if err != nil {
		return err
	}
	view.Templates, view.Name, view.Status, view.Data = p.templates, "edit", status, form
	return v.Show(view)
}

// sentMilestone reads the form of a milestone.
func sentMilestone(v *page.Visit) (milestone.New, error) {
	const maxTitle, maxDescription = 255, 1_000_000 // of the API
	description := strings.ReplaceAll(v.Value("description"), "\r\n", "\n")
	n := milestone.New{Title: v.Value("title"), Description: &description}
	if utf8.RuneCountInString(n.Title) > maxTitle {
		return n, apierr.Invalid("title", fmt.Sprintf("is too long (maximum is %d characters)", maxTitle))
	}
	if utf8.RuneCountInString(description) > maxDescription {
		return n, apierr.Invalid("description", fmt.Sprintf("is too long (maximum is %d characters)", maxDescription))
	}
	var err error
	if n.StartDate, err = issuablepages.ReadDay(v, "start_date"); err != nil {
		return n, err
	}
	n.DueDate, err = issuablepages.ReadDay(v, "due_date")
	return n, err
}

// createMilestone creates a milestone.
// POST /{project}/-/milestones
func (p *Pages) createMilestone(v *page.Visit) error {
	at := here(v)
	n, err := sentMilestone(v)
	var made model.Milestone
	if err == nil {
		made, err = p.milestones.Create(v.Request().Context(), at.Owner, n)
	}
	if err != nil {
		return p.showNewMilestone(v, err)
	}
	return v.Done(fmt.Sprintf("%smilestones/%d", at.root, made.IID), "The milestone was created.")
}

// editMilestone shows the form that changes a milestone.
// GET /{project}/-/milestones/{iid}/edit
func (p *Pages) editMilestone(v *page.Visit) error {
	row, err := p.find(v, here(v))
	if err != nil {
		return err
	}
	if err := page.CheckEditable(wire.Value(row.Milestone.Description), page.UseAPI); err != nil {
		return err
	}
	return p.showEditMilestone(v, row.Milestone, nil)
}

func (p *Pages) showEditMilestone(v *page.Visit, m model.Milestone, refused error) error {
	at := here(v)
	path := fmt.Sprintf("%smilestones/%d", at.root, m.IID)
	return p.showForm(v, refused, formView{
		Form: milestoneForm(m, path, "Save the milestone"),
		Delete: &page.Button{
			Action: path + "/delete", Label: "Delete the milestone", Class: "danger",
			Confirm: "Delete the milestone for good; its issues and merge requests stay",
		},
	}, page.View{
		Title: "Edit the milestone", Tab: page.TabMilestones, Crumbs: append(milestoneCrumbs(at), page.Link{Path: path, Label: m.Title}),
	})
}

// updateMilestone changes a milestone.
// POST /{project}/-/milestones/{iid}
func (p *Pages) updateMilestone(v *page.Visit) error {
	at := here(v)
	row, err := p.find(v, at)
	if err != nil {
		return err
	}
	n, err := sentMilestone(v)
	if err == nil {
		_, err = p.milestones.Apply(v.Request().Context(), at.Owner, row.Milestone.ID, milestone.Change{
			Title: &n.Title, Description: wire.Maybe(n.Description), StartDate: wire.Maybe(n.StartDate), DueDate: wire.Maybe(n.DueDate),
		})
	}
	if err != nil {
		return p.showEditMilestone(v, row.Milestone, err)
	}
	return v.Done(fmt.Sprintf("%smilestones/%d", at.root, row.Milestone.IID), "The milestone was saved.")
}

// setMilestoneState closes or reopens a milestone.
// POST /{project}/-/milestones/{iid}/state
func (p *Pages) setMilestoneState(v *page.Visit) error {
	at := here(v)
	row, err := p.find(v, at)
	if err != nil {
		return err
	}
	state, text := v.Value("state"), "The milestone was closed."
	switch state {
	case milestone.Close:
	case milestone.Activate:
		text = "The milestone is open again."
	default:
		return apierr.BadRequest("The state is unknown")
	}
	if _, err := p.milestones.Apply(v.Request().Context(), at.Owner, row.Milestone.ID, milestone.Change{State: state}); err != nil {
		return err
	}
	return v.Done(fmt.Sprintf("%smilestones/%d", at.root, row.Milestone.IID), text)
}

// deleteMilestone deletes a milestone.
// POST /{project}/-/milestones/{iid}/delete
func (p *Pages) deleteMilestone(v *page.Visit) error {
	at := here(v)
	row, err := p.find(v, at)
	if err != nil {
		return err
	}
	if err := p.milestones.Delete(v.Request().Context(), at.Owner, row.Milestone.ID, nil); err != nil {
		return err
	}
	return v.Done(at.root+"milestones", "The milestone was deleted.")
}
