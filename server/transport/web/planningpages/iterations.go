package planningpages

import (
	"fmt"
	"net/url"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/iteration"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// iterationsView is the content of the list of the iterations of a group.
type iterationsView struct {
	Rows   []iterationRow
	States []page.Link
	Pager  page.Pager
	New    string // the address of the form; empty if the caller may not create iterations
}

// iterationRow is an iteration in a list.
type iterationRow struct {
	model.Iteration
	Path  string
	From  string // the group above that it comes from; empty for one of the group itself
	State string
}

// iterationStates are the words for the states of iterations.
var iterationStates = map[int64]string{
	model.IterationUpcoming: "upcoming", model.IterationCurrent: "current", model.IterationClosed: "closed",
}

// newIterationRow prepares an iteration for a page.
func newIterationRow(v *page.Visit, row model.IterationRow) iterationRow {
	shown := iterationRow{
		Iteration: row.Iteration, Path: fmt.Sprintf("/groups/%s/-/iterations/%d", row.Place, row.Iteration.ID),
		State: iterationStates[row.Iteration.State(v.Now())],
	}
	if row.Iteration.GroupID != v.Group.ID {
		shown.From = row.Place
	}
	return shown
}

// mayIterations reports whether the caller may change the iterations of the group.
func mayIterations(v *page.Visit) bool { return v.Actor != nil && v.May(access.AdminGroupMilestone) }

// listIterations lists the iterations of a group, and those of the groups above it.
// GET /groups/{group}/-/iterations
func (p *Pages) listIterations(v *page.Visit) error {
	state := v.QueryParam("state")
	switch state {
	case "":
		state = "opened"
	case "opened", "closed", "all":
	default:
		return apierr.BadRequest("The state is unknown")
	}
	filter := store.IterationFilter{State: state, Ancestors: true}
	if state == "all" {
		filter.State = ""
	}
	view := iterationsView{Pager: v.Pager("state")}
	rows, total, err := p.store.Iterations.List(v.Request().Context(), v.Group.ID, filter, view.Pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Rows = append(view.Rows, newIterationRow(v, row))
	}
	if view.Pager = view.Pager.Of(total.More); mayIterations(v) {
		view.New = here(v).root + "iterations/new"
	}
	for _, s := range []struct{ value, label string }{{"opened", "Open"}, {"closed", "Closed"}, {"all", "All"}} {
		view.States = append(view.States, page.Link{
			Path: v.With(url.Values{"state": {s.value}}), Label: s.label, Here: s.value == state,
		})
	}
	return v.Show(page.View{Templates: p.templates, Name: "iterations", Title: "Iterations", Tab: page.TabIterations, Data: view})
}

// iterationView is the content of the page of an iteration.
type iterationView struct {
	iterationRow
	Name           string
	Text           issuablepages.Text
	Opened, Closed int64
	Issues         []issuablepages.Row
	More           bool // there are more issues than the page shows
	Edit           string
}

// findIteration finds the iteration of a page: one of the group itself.
func (p *Pages) findIteration(v *page.Visit) (model.IterationRow, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.IterationRow{}, page.NotFound()
	}
	row, err := p.store.Iterations.Get(v.Request().Context(), v.Group.ID, id)
	if store.IsNotFound(err) {
		err = page.NotFound()
	}
	return row, err
}

// iteration shows an iteration with its issues that the caller sees.
// GET /groups/{group}/-/iterations/{id}
func (p *Pages) iteration(v *page.Visit) error {
	row, err := p.findIteration(v)
	if err != nil {
		return err
	}
	at, ctx := here(v), v.Request().Context()
	view := iterationView{iterationRow: newIterationRow(v, row), Name: row.Iteration.Name()}
	if view.Text, err = issuablepages.NewTexts(at.path).Render(wire.Value(row.Iteration.Description)); err != nil {
		return err
	}
	filter := store.IssueFilter{
		IssuableFilter: store.IssuableFilter{OrderBy: "updated_at"}, Iteration: fmt.Sprint(row.Iteration.ID),
	}
	rows, total, err := p.store.Issues.List(ctx, at.scope, filter, store.Page{Limit: milestoneItems})
	if err != nil {
		return err
	}
	view.Issues, view.More = issuablepages.IssueRows(rows, at.path, v.Now()), total.More
	if view.Opened, view.Closed, err = p.store.Issues.Count(ctx, at.scope, filter); err != nil {
		return err
	}
	if mayIterations(v) {
		view.Edit = view.Path + "/edit"
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "iteration", Title: view.Name, Tab: page.TabIterations, Crumbs: iterationCrumbs(at), Data: view,
	})
}

func iterationCrumbs(at place) []page.Link {
	return []page.Link{{Path: at.root + "iterations", Label: "Iterations"}}
}

// iterationForm is the form of an iteration.
func iterationForm(i model.Iteration, action, submit string) page.Form {
	start, due := "", ""
	if !i.StartDate.IsZero() {
		start, due = dayText(&i.StartDate), dayText(&i.DueDate)
	}
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "title", Label: "Title", Type: "text", Value: wire.Value(i.Title), Focus: true, Autocomplete: "off", Hint: "Can be empty."},
		{Name: "description", Label: "Description", Type: "textarea", Rows: 8, Value: wire.Value(i.Description), Hint: "Markdown."},
		{Name: "start_date", Label: "Start date", Type: "date", Value: start, Required: true},
		{Name: "due_date", Label: "Due date", Type: "date", Value: due, Required: true, Hint: "The last day."},
	}}
}

// newIteration shows the form for a new iteration.
// GET /groups/{group}/-/iterations/new
func (p *Pages) newIteration(v *page.Visit) error { return p.showNewIteration(v, nil) }

func (p *Pages) showNewIteration(v *page.Visit, refused error) error {
	at := here(v)
	form := formView{Form: iterationForm(model.Iteration{}, at.root+"iterations", "Create the iteration")}
	return p.showForm(v, refused, form, page.View{Title: "New iteration", Tab: page.TabIterations, Crumbs: iterationCrumbs(at)})
}

// sentIteration reads the form of an iteration.
func sentIteration(v *page.Visit) (iteration.Input, error) {
	in := iteration.Input{Title: v.Value("title"), Description: strings.ReplaceAll(v.Value("description"), "\r\n", "\n")}
	var err error
	if in.StartDate, err = issuablepages.ReadDay(v, "start_date"); err != nil {
		return in, err
	}
	in.DueDate, err = issuablepages.ReadDay(v, "due_date")
	return in, err
}

// createIteration creates an iteration.
// POST /groups/{group}/-/iterations
func (p *Pages) createIteration(v *page.Visit) error {
	in, err := sentIteration(v)
	var made model.Iteration
	if err == nil {
		made, err = p.iterations.Create(v.Request().Context(), v.Group.Namespace, in)
	}
	if err != nil {
		return p.showNewIteration(v, err)
	}
	return v.Done(fmt.Sprintf("%siterations/%d", here(v).root, made.ID), "The iteration was created.")
}

// editIteration shows the form that changes an iteration.
// GET /groups/{group}/-/iterations/{id}/edit
func (p *Pages) editIteration(v *page.Visit) error {
	row, err := p.findIteration(v)
	if err != nil {
		return err
	}
	if err := page.CheckEditable(wire.Value(row.Iteration.Description), page.UseAPI); err != nil {
		return err
	}
	return p.showEditIteration(v, row.Iteration, nil)
}

func (p *Pages) showEditIteration(v *page.Visit, i model.Iteration, refused error) error {
	at := here(v)
	path := fmt.Sprintf("%siterations/%d", at.root, i.ID)
	return p.showForm(v, refused, formView{
		Form: iterationForm(i, path, "Save the iteration"),
		Delete: &page.Button{
			Action: path + "/delete", Label: "Delete the iteration", Class: "danger",
			Confirm: "Delete the iteration for good; its issues stay",
		},
	}, page.View{
		Title: "Edit the iteration", Tab: page.TabIterations, Crumbs: append(iterationCrumbs(at), page.Link{Path: path, Label: i.Name()}),
	})
}

// updateIteration changes an iteration.
// POST /groups/{group}/-/iterations/{id}
func (p *Pages) updateIteration(v *page.Visit) error {
	row, err := p.findIteration(v)
	if err != nil {
		return err
	}
	in, err := sentIteration(v)
	if err == nil {
		err = p.iterations.Change(v.Request().Context(), v.Group.Namespace, row.Iteration, in)
	}
	if err != nil {
		return p.showEditIteration(v, row.Iteration, err)
	}
	return v.Done(fmt.Sprintf("%siterations/%d", here(v).root, row.Iteration.ID), "The iteration was saved.")
}

// deleteIteration deletes an iteration.
// POST /groups/{group}/-/iterations/{id}/delete
func (p *Pages) deleteIteration(v *page.Visit) error {
	row, err := p.findIteration(v)
	if err != nil {
		return err
	}
	if err := p.iterations.Delete(v.Request().Context(), v.Group.Namespace, row.Iteration); err != nil {
		return err
	}
	return v.Done(here(v).root+"iterations", "The iteration was deleted.")
}

// registerIterations adds the pages of iterations.
func (p *Pages) registerIterations(r *page.Router) {
	for _, route := range []struct {
		method, pattern string
		ability         access.Ability
		handler         page.Handler
	}{
		{"GET", "iterations", access.ReadGroupMilestone, p.listIterations},
		{"GET", "iterations/new", access.AdminGroupMilestone, p.newIteration},
		{"POST", "iterations", access.AdminGroupMilestone, p.createIteration},
		{"GET", "iterations/:id", access.ReadGroupMilestone, p.iteration},
		{"GET", "iterations/:id/edit", access.AdminGroupMilestone, p.editIteration},
		{"POST", "iterations/:id", access.AdminGroupMilestone, p.updateIteration},
		{"POST", "iterations/:id/delete", access.AdminGroupMilestone, p.deleteIteration},
	} {
		r.Group(route.method, route.pattern, route.ability, route.handler).MaxForm(maxForm)
	}
}
