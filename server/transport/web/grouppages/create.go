package grouppages

import (
	"net/url"
	"strconv"

	"svc/server/domain/group"
	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// newGroup shows the form for a new group. The parameter parent is the path of the group in which it is made.
// GET /-/groups/new
func (p *Pages) newGroup(v *page.Visit) error { return p.showNew(v, v.QueryParam("parent"), nil) }

func (p *Pages) showNew(v *page.Visit, parent string, refused error) error {
	title, visibility := "New group", p.Store.Settings.Current().GroupVisibility()
	view := page.FormPage{Intro: []string{"A group has projects, and people who have the same role in all of them."}}
	if parent != "" {
		g, _, err := p.parent(v, parent)
		if err != nil {
			return page.Hide(err)
		}
		title, visibility = "New subgroup", g.Visibility
		view.Intro = []string{"The subgroup is made in " + g.FullName + ". Members of that group are members here, too."}
		view.Form.Hidden = []page.Field{{Name: "parent", Value: g.FullPath}}
	}
	view.Form.Action, view.Form.Submit = newGroupPath, "Create group"
	view.Form.Fields = []page.Field{
		{Name: "name", Label: "Name", Type: "text", Required: true, Focus: true},
		{Name: "path", Label: "Path", Type: "text", Hint: "The part of the address. Leave it empty to derive it from the name."},
		{Name: "description", Label: "Description", Type: "textarea", Rows: 3},
		page.VisibilityField(visibility),
	}
	view.Links = []page.Link{{Path: withParent(importGroupPath, parent), Label: "Import a group from a file"}}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: title, Data: view})
}

// parent finds the group in which a group is made.
func (p *Pages) parent(v *page.Visit, path string) (model.Namespace, model.Access, error) {
	return p.Access.GroupAt(v.Request().Context(), path, access.ReadGroup)
}

// placeOf returns the place that the hidden field "parent" names; without the field, that is the top level. It refuses callers
// who may not make groups there.
func (p *Pages) placeOf(v *page.Visit) (group.Place, error) {
	var parentID *int64
	if path := v.Value("parent"); path != "" {
		g, _, err := p.parent(v, path)
		if err != nil {
			return group.Place{}, page.Hide(err)
		}
		parentID = &g.ID
	}
	return p.Groups.MayCreateIn(v.Request().Context(), parentID)
}

// withParent returns the address of a form for a group in a parent group; an empty parent is the top level.
func withParent(path, parent string) string {
	if parent == "" {
		return path
	}
	return path + "?" + url.Values{"parent": {parent}}.Encode()
}

// createGroup makes a group or subgroup.
// POST /-/groups/new
func (p *Pages) createGroup(v *page.Visit) error {
	made, err := p.create(v)
	if err != nil {
		return p.showNew(v, v.Value("parent"), err)
	}
	return v.Done("/groups/"+made.FullPath, "The group was made.")
}

func (p *Pages) create(v *page.Visit) (model.Namespace, error) {
	ctx := v.Request().Context()
	if _, err := access.Allow(ctx, access.CreateGroup); err != nil {
		return model.Namespace{}, err
	}
	in, err := p.placeOf(v)
	if err != nil {
		return model.Namespace{}, err
	}
	row := p.Groups.DefaultRow(in)
	row.Name, row.Path, row.Description = v.Value("name"), v.Value("path"), v.Text("description")
	if row.Path == "" {
		row.Path = naming.PathOf(row.Name)
	}
	if row.Visibility, err = v.Visibility(); err != nil {
		return row, err
	}
	made, err := p.Groups.Create(ctx, in, group.New{Row: row})
	if err != nil {
		return made, err
	}
	made, _, err = p.Access.Group(ctx, strconv.FormatInt(made.ID, 10), access.ReadGroup)
	return made, err
}
