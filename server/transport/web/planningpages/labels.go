package planningpages

import (
	"fmt"
	"strconv"

	"svc/openapi/wire"
	"svc/server/domain/label"
	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// labelsView is the content of a list of labels.
type labelsView struct {
	Rows     []labelRow
	Pager    page.Pager
	New      string // the address of the form; empty if the caller may not create labels
	Search   string
	Requests bool // the caller sees merge requests
}

// labelRow is a label in a list.
type labelRow struct {
	model.LabelRow
	Label issuablepages.Label
	Edit  string // the address of the form; empty for a label of a group above, and if the caller may not change it
}

// listLabels lists the labels of a project or group, and those of the groups above it.
// GET /{project}/-/labels
func (p *Pages) listLabels(v *page.Visit) error {
	at, ctx := here(v), v.Request().Context()
	view := labelsView{Pager: v.Pager("search"), Search: v.QueryParam("search"), Requests: at.seesRequests}
	rows, total, err := p.store.Labels.List(ctx, at.ResourceOwner, store.LabelFilter{Search: view.Search, Ancestors: true}, view.Pager.Page)
	if err != nil {
		return err
	}
	if at.seesIssues && at.seesRequests { // otherwise the numbers would say what the caller may not see
		if err := p.store.Labels.Count(ctx, rows, at.scope); err != nil {
			return err
		}
	}
	if view.Pager = view.Pager.Of(total.More); at.mayLabels {
		view.New = at.root + "labels/new"
	}
	for _, row := range rows {
		shown := labelRow{LabelRow: row, Label: issuablepages.Labels([]model.Label{row.Label}, at.root+"issues")[0]}
		own := row.Label.ProjectID != nil || at.GroupID != nil && row.Label.GroupID != nil && *at.GroupID == *row.Label.GroupID
		if own && at.mayLabels {
			shown.Edit = at.root + "labels/" + strconv.FormatInt(row.Label.ID, 10) + "/edit"
		}
		view.Rows = append(view.Rows, shown)
	}
	return v.Show(page.View{Templates: p.templates, Name: "labels", Title: "Labels", Tab: page.TabIssues, Data: view})
}

// labelForm is the form of a label.
func labelForm(l model.Label, action, submit string) page.Form {
	color := l.Color
	if color == "" {
		color = store.DefaultLabelColor
	}
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "title", Label: "Name", Type: "text", Value: l.Name, Required: true, Focus: true, Autocomplete: "off"},
		{Name: "color", Label: "Color", Type: "color", Value: color, Required: true},
		{Name: "description", Label: "Description", Type: "text", Value: wire.Value(l.Description)},
	}}
}

func labelCrumbs(at place) []page.Link {
	return []page.Link{{Path: at.root + "labels", Label: "Labels"}}
}

// newLabel shows the form for a new label.
// GET /{project}/-/labels/new
func (p *Pages) newLabel(v *page.Visit) error { return p.showNewLabel(v, nil) }

func (p *Pages) showNewLabel(v *page.Visit, refused error) error {
	at := here(v)
	return p.showForm(v, refused, formView{Form: labelForm(model.Label{}, at.root+"labels", "Create the label")}, page.View{
		Title: "New label", Tab: page.TabIssues, Crumbs: labelCrumbs(at),
	})
}

// maxLabelText is the length of the description of a label in the API, in characters.
const maxLabelText = 500

// createLabel creates a label.
// POST /{project}/-/labels
func (p *Pages) createLabel(v *page.Visit) error {
	at, description := here(v), v.Value("description")
	err := checkLabelText(description)
	if err == nil {
		_, err = p.labels.Create(v.Request().Context(), at.ResourceOwner, label.New{
			Name: v.Value("title"), Color: v.Value("color"), Description: &description,
		})
	}
	if err != nil {
		return p.showNewLabel(v, err)
	}
	return v.Done(at.root+"labels", "The label was created.")
}

func checkLabelText(text string) error {
	if len([]rune(text)) > maxLabelText {
		return apierr.Invalid("description", fmt.Sprintf("is too long (maximum is %d characters)", maxLabelText))
	}
	return nil
}

// findLabel finds the label of a page: one of the project or group itself.
func (p *Pages) findLabel(v *page.Visit, at place) (model.Label, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.Label{}, page.NotFound()
	}
	row, err := p.store.Labels.Get(v.Request().Context(), at.ResourceOwner, strconv.FormatInt(id, 10), store.LabelFilter{})
	if err == nil && row.Label.ID != id { // a label whose name is a number
		err = page.NotFound()
	}
	return row.Label, page.Hide(apierr.OrNotFound(err))
}

// editLabel shows the form that changes a label.
// GET /{project}/-/labels/{id}/edit
func (p *Pages) editLabel(v *page.Visit) error {
	row, err := p.findLabel(v, here(v))
	if err != nil {
		return err
	}
	return p.showEditLabel(v, row, nil)
}

func (p *Pages) showEditLabel(v *page.Visit, row model.Label, refused error) error {
	at := here(v)
	path := at.root + "labels/" + strconv.FormatInt(row.ID, 10)
	return p.showForm(v, refused, formView{
		Form: labelForm(row, path, "Save the label"),
		Delete: &page.Button{
			Action: path + "/delete", Label: "Delete the label", Class: "danger",
			Confirm: "Delete the label for good, also from all issues and merge requests",
		},
	}, page.View{Title: "Edit the label", Tab: page.TabIssues, Crumbs: labelCrumbs(at)})
}

// updateLabel changes a label.
// POST /{project}/-/labels/{id}
func (p *Pages) updateLabel(v *page.Visit) error {
	at := here(v)
	row, err := p.findLabel(v, at)
	if err != nil {
		return err
	}
	name, color, description := v.Value("title"), v.Value("color"), v.Value("description")
	if err = checkLabelText(description); err == nil {
		_, err = p.labels.Apply(v.Request().Context(), at.ResourceOwner, strconv.FormatInt(row.ID, 10), label.Change{
			Name: &name, Color: &color, Description: wire.Some(description),
		})
	}
	if err != nil {
		return p.showEditLabel(v, row, err)
	}
	return v.Done(at.root+"labels", "The label was saved.")
}

// deleteLabel deletes a label.
// POST /{project}/-/labels/{id}/delete
func (p *Pages) deleteLabel(v *page.Visit) error {
	at := here(v)
	row, err := p.findLabel(v, at)
	if err != nil {
		return err
	}
	if err := p.store.Labels.Delete(v.Request().Context(), row, nil); err != nil {
		return err
	}
	return v.Done(at.root+"labels", "The label was deleted.")
}
