package grouppages

import (
	"fmt"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// newImport shows the form for a group from a file. The parameter parent is the path of the group in which it is made.
// GET /-/groups/import
func (p *Pages) newImport(v *page.Visit) error { return p.showImport(v, v.QueryParam("parent"), nil) }

func (p *Pages) showImport(v *page.Visit, parent string, refused error) error {
	title := "Import a group"
	view := page.FormPage{
		Intro: []string{
			"The file is an export of a group, from its advanced settings here or on another instance. It has subgroups, but no " +
				"projects. Users become members if they have confirmed the public email address in the file. Import only files that " +
				"you trust.",
			"The group and its subgroups become private.",
		},
		Form:  page.ImportForm(importGroupPath, "Import group"),
		Links: []page.Link{{Path: withParent(newGroupPath, parent), Label: "New group"}},
	}
	if parent != "" {
		g, _, err := p.parent(v, parent)
		if err != nil {
			return page.Hide(err)
		}
		title = "Import a subgroup"
		view.Intro[1] = "The group is made in " + g.FullName + ", and becomes " + g.Visibility.String() +
			" as that group is. Members of that group are members here, too."
		view.Form.Hidden = []page.Field{{Name: "parent", Value: g.FullPath}}
		view.Links[0].Label = "New subgroup"
	}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: title, Data: view})
}

// createImport makes a group from a file. A job imports its content.
// POST /-/groups/import
func (p *Pages) createImport(v *page.Visit) error {
	made, role, err := p.importFile(v)
	if err != nil {
		return p.showImport(v, v.Value("parent"), err)
	}
	to := "/groups/" + made.FullPath
	if access.InGroup(v.Request().Context(), role, access.ReadGroupImport) == nil {
		to += "/-/import"
	}
	return v.Done(to, "The group was made. Its content is being imported.")
}

// importFile makes the group of the form and schedules the import of its file. It returns the group and the caller's role in
// it.
func (p *Pages) importFile(v *page.Visit) (made model.Namespace, role model.Access, err error) {
	ctx := v.Request().Context()
	if _, err := access.Allow(ctx, access.CreateGroup); err != nil {
		return made, role, err
	}
	if err := p.Limit(ctx, 0); err != nil {
		return made, role, err
	}
	in, err := p.placeOf(v)
	if err != nil {
		return made, role, err
	}
	name, path := v.Value("name"), v.Value("path")
	if name == "" { // a path that cannot be a name is refused at its own field
		if broken := naming.Path(path, v.Value("parent") == ""); broken != "" {
			return made, role, page.Broken(map[string][]string{"path": {broken}})
		}
		name = path
	}
	n := in.NewImported(name, path)
	if err := in.Check(n); err != nil {
		return made, role, err
	}
	u, err := page.ReceiveArchive(v, p.Exports.ReceiveUpload)
	if err != nil {
		return made, role, err
	}
	if made, err = p.Groups.Import(ctx, in, n, u); err != nil {
		p.Exports.DiscardUpload(ctx, u)
		return made, role, err
	}
	return p.Access.Group(ctx, strconv.FormatInt(made.ID, 10), access.ReadGroup)
}

// progress shows how far the import of a group is.
// GET /groups/{group}/-/import
func (p *Pages) progress(v *page.Visit) error {
	i, err := p.Store.GroupImports.Of(v.Request().Context(), v.Group.ID)
	if store.IsNotFound(err) {
		return page.NotFound()
	}
	if err != nil {
		return err
	}
	view, err := page.NewImportView("/groups/"+v.Group.FullPath, "group", i.State, i.Error)
	if err != nil {
		return err
	}
	switch {
	case view.Running:
		view.Progress = fmt.Sprintf("%d of %s so far.", i.Imported, page.Count(i.Records, "record"))
	case i.State == model.ExportFinished:
		view.Progress = fmt.Sprintf("It imported %s.", page.Count(i.Imported, "record"))
	default:
		view.Left = "Nothing was imported. Delete the group before you import another file at the same path."
	}
	if i.SkippedMembers > 0 {
		view.Left = page.Count(i.SkippedMembers, "member") + " could not be imported: no user here has confirmed their public email " +
			"address, or their membership has expired."
	}
	return v.ShowImport(view)
}
