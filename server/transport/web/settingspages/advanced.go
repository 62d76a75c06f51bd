package settingspages

import (
	"time"

	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/server/domain/removal"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// advancedView is the content of the page with what changes addresses or ends things.
type advancedView struct {
	Noun      string
	Path      page.Form
	Rename    bool
	Archive   *page.Button // nil if the caller may not archive
	Archived  bool
	Export    *exportView // nil if the caller may not export the project or group
	Transfer  page.Form
	Move      bool
	Delete    page.Form
	MayDelete bool
	Marked    *markedView // nil if it is not marked for deletion
	Days      int64       // after which a deletion takes effect; 0 for at once
}

// markedView describes a project or group that is marked for deletion.
type markedView struct {
	At      time.Time // when it is deleted
	Restore page.Button
}

// marked returns what the page shows of a mark, or nil if there is none.
func marked(v *page.Visit, since *time.Time, row model.ScheduledDeletion, err error) (*markedView, error) {
	if since == nil || store.IsNotFound(err) {
		return nil, nil
	}
	return &markedView{row.DeleteAt, page.Button{Action: at(v, advanced+"/restore"), Label: "Restore", Class: "quiet"}}, err
}

// mostPlaces is the number of groups that the form offers for a transfer.
const mostPlaces = 100

// advancedProject shows what changes the address of a project or ends it.
// GET /{project}/-/settings/advanced
func (p *Pages) advancedProject(v *page.Visit) error { return p.showAdvancedProject(v, nil) }

func (p *Pages) showAdvancedProject(v *page.Visit, refused error) error {
	row := v.Project.Project
	view := advancedView{
		Noun: "project", Path: pathForm(v, row.Path), Rename: v.May(access.AdminProject), Archived: row.Archived,
		Delete: deleteForm(v, row.FullPath, "Delete project"), MayDelete: v.May(access.RemoveProject), Move: v.May(access.TransferProject),
		Days: p.Store.Settings.Current().DeletionAdjournedPeriod,
	}
	var err error
	if view.Marked, err = p.markedProject(v); err != nil {
		return err
	}
	if view.Export, err = p.exportOfProject(v); err != nil {
		return err
	}
	if v.May(access.ArchiveProject) && view.Marked == nil {
		view.Archive = &page.Button{Action: at(v, advanced+"/archive"), Label: "Archive project", Class: "quiet"}
		if row.Archived {
			view.Archive = &page.Button{Action: at(v, advanced+"/unarchive"), Label: "Unarchive project", Class: "quiet"}
		}
	}
	if view.Move {
		places, err := p.places(v)
		if err != nil {
			return err
		}
		view.Transfer = page.Form{Action: at(v, advanced+"/transfer"), Submit: "Transfer", Danger: true, Fields: []page.Field{
			{Name: "namespace", Label: "New place", Type: "select", Options: places},
			page.ConfirmPath("transfer_confirmation", row.FullPath),
		}}
	}
	return p.show(v, advanced, "advanced", "Advanced", &view, refused, &view.Path, &view.Transfer, &view.Delete)
}

// markedProject returns what the page shows of the mark of a project, or nil if there is none.
func (p *Pages) markedProject(v *page.Visit) (*markedView, error) {
	row := v.Project.Project
	if row.MarkedForDeletionAt == nil {
		return nil, nil
	}
	mark, err := p.Store.ScheduledDeletions.OfProject(v.Request().Context(), row.ID)
	return marked(v, row.MarkedForDeletionAt, mark, err)
}

// places returns the namespaces that the project can be moved to.
func (p *Pages) places(v *page.Visit) ([]page.Option, error) {
	ctx := v.Request().Context()
	groups, _, err := p.Store.Projects.ListTransferLocations(
		ctx, v.Project.Project, store.GroupFilter{}, *access.Reader(ctx), store.Page{Limit: mostPlaces},
	)
	var all []page.Option
	if own := v.Actor.User.Username; v.Project.Place.FullPath != own {
		all = append(all, page.Option{Value: own, Label: own + " (you)"})
	}
	for _, g := range groups {
		all = append(all, page.Option{Value: g.FullPath, Label: g.FullPath})
	}
	return all, err
}

// pathForm is the form that changes the last part of an address.
func pathForm(v *page.Visit, path string) page.Form {
	return page.Form{Action: at(v, advanced+"/path"), Submit: "Change path", Fields: []page.Field{{
		Name: "path", Label: "Path", Type: "text", Value: path, Required: true,
		Hint: "The last part of the address. Old addresses of projects lead to the new one until something else gets them.",
	}}}
}

// deleteForm is the form that deletes a project or group, after its path was typed.
func deleteForm(v *page.Visit, path, submit string) page.Form {
	return page.Form{
		Action: at(v, advanced+"/delete"), Submit: submit, Danger: true,
		Fields: []page.Field{page.ConfirmPath("delete_confirmation", path)},
	}
}

// renameProject changes the path of a project.
// POST /{project}/-/settings/advanced/path
func (p *Pages) renameProject(v *page.Visit) error {
	path := v.Value("path")
	if err := p.Projects.Apply(v.Request().Context(), *v.Project, project.Change{Path: &path}); err != nil {
		return p.showAdvancedProject(v, err)
	}
	return p.movedProject(v, "The path was changed.")
}

// movedProject redirects to a project whose address has changed.
func (p *Pages) movedProject(v *page.Visit, text string) error {
	ctx := v.Request().Context()
	row, err := p.Store.Projects.Get(ctx, v.Project.Project.ID, "", access.Reader(ctx))
	if err != nil {
		return err
	}
	return v.Done("/"+row.Project.FullPath+"/-/"+advanced, text)
}

// archive makes a project read-only.
// POST /{project}/-/settings/advanced/archive
func (p *Pages) archive(v *page.Visit) error {
	if err := p.Projects.Archive(v.Request().Context(), v.Project.Project); err != nil {
		return err
	}
	return v.Done(at(v, advanced), "The project is archived. Everybody who sees it can still read it.")
}

// unarchive makes an archived project writable again.
// POST /{project}/-/settings/advanced/unarchive
func (p *Pages) unarchive(v *page.Visit) error {
	if err := p.Projects.Unarchive(v.Request().Context(), v.Project.Project); err != nil {
		return err
	}
	return v.Done(at(v, advanced), "The project is not archived any more.")
}

// transferProject moves a project to another namespace.
// POST /{project}/-/settings/advanced/transfer
func (p *Pages) transferProject(v *page.Visit) error {
	ctx := v.Request().Context()
	err := v.ConfirmedPath("transfer_confirmation", v.Project.Project.FullPath)
	var mover model.User
	if err == nil {
		mover, err = p.Store.Users.Get(ctx, v.Actor.User.ID)
	}
	var to project.Place
	if err == nil {
		to, err = p.Projects.MayCreateIn(ctx, mover, v.Value("namespace"))
	}
	if store.IsNotFound(err) || page.IsMissing(err) {
		err = page.Broken(map[string][]string{"namespace": {"was not found"}})
	}
	if err == nil {
		err = p.Projects.Transfer(ctx, v.Project.Project, to)
	}
	if err != nil {
		return p.showAdvancedProject(v, err)
	}
	return p.movedProject(v, "The project was moved.")
}

// deleteProject deletes a project.
// POST /{project}/-/settings/advanced/delete
func (p *Pages) deleteProject(v *page.Visit) error {
	row := v.Project.Project
	err := v.ConfirmedPath("delete_confirmation", row.FullPath)
	later := false
	if err == nil {
		later, err = p.Projects.Remove(v.Request().Context(), row, removal.Request{
			Permanently: row.MarkedForDeletionAt != nil, FullPath: row.FullPath,
		})
	}
	switch {
	case err != nil:
		return p.showAdvancedProject(v, err)
	case later:
		return p.movedProject(v, "The project is marked for deletion.")
	}
	return v.Done("/", "The project "+row.FullPath+" was deleted.")
}

// restoreProject restores a project that is marked for deletion.
// POST /{project}/-/settings/advanced/restore
func (p *Pages) restoreProject(v *page.Visit) error {
	if err := p.Projects.Restore(v.Request().Context(), v.Project.Project); err != nil {
		return p.showAdvancedProject(v, err)
	}
	return p.movedProject(v, "The project was restored.")
}

// advancedGroup shows what changes the address of a group or ends it.
// GET /groups/{group}/-/settings/advanced
func (p *Pages) advancedGroup(v *page.Visit) error { return p.showAdvancedGroup(v, nil) }

func (p *Pages) showAdvancedGroup(v *page.Visit, refused error) error {
	g := v.Group.Namespace
	view := advancedView{
		Noun: "group", Path: pathForm(v, g.Path), Rename: true, Delete: deleteForm(v, g.FullPath, "Delete group"),
		MayDelete: v.May(access.RemoveGroup), Move: true,
		Transfer: page.Form{Action: at(v, advanced+"/transfer"), Submit: "Transfer", Danger: true, Fields: []page.Field{
			{
				Name: "parent", Label: "New parent group", Type: "text", Autocomplete: "off",
				Hint: "The full path of a group. Leave empty for the top level.",
			},
			page.ConfirmPath("transfer_confirmation", g.FullPath),
		}},
		Days: p.Store.Settings.Current().DeletionAdjournedPeriod,
	}
	var err error
	if view.Export, err = p.exportOfGroup(v); err != nil {
		return err
	}
	if g.MarkedForDeletionAt != nil {
		mark, err := p.Store.ScheduledDeletions.OfGroup(v.Request().Context(), g.ID)
		if view.Marked, err = marked(v, g.MarkedForDeletionAt, mark, err); err != nil {
			return err
		}
		view.Rename, view.Move = false, false
	}
	return p.show(v, advanced, "advanced", "Advanced", &view, refused, &view.Path, &view.Transfer, &view.Delete)
}

// renameGroup changes the path of a group.
// POST /groups/{group}/-/settings/advanced/path
func (p *Pages) renameGroup(v *page.Visit) error {
	path := v.Value("path")
	if err := p.Groups.Apply(v.Request().Context(), v.Group.Namespace, group.Change{Path: &path}); err != nil {
		return p.showAdvancedGroup(v, err)
	}
	return p.movedGroup(v, "The path was changed.")
}

// movedGroup redirects to a group whose address has changed.
func (p *Pages) movedGroup(v *page.Visit, text string) error {
	ctx := v.Request().Context()
	g, _, err := p.Store.Namespaces.GetGroup(ctx, v.Group.ID, "", access.Reader(ctx))
	if err != nil {
		return err
	}
	return v.Done("/groups/"+g.FullPath+"/-/"+advanced, text)
}

// transferGroup moves a group into another group, or to the top level.
// POST /groups/{group}/-/settings/advanced/transfer
func (p *Pages) transferGroup(v *page.Visit) error {
	if err := p.moveGroup(v); err != nil {
		return p.showAdvancedGroup(v, err)
	}
	return p.movedGroup(v, "The group was moved.")
}

func (p *Pages) moveGroup(v *page.Visit) error {
	ctx := v.Request().Context()
	if err := v.ConfirmedPath("transfer_confirmation", v.Group.FullPath); err != nil {
		return err
	}
	var parentID *int64
	if path := v.Value("parent"); path != "" {
		parent, _, err := p.Access.GroupAt(ctx, path, access.ReadGroup)
		if page.IsMissing(err) {
			return page.Broken(map[string][]string{"parent": {"was not found"}})
		}
		if err != nil {
			return err
		}
		parentID = &parent.ID
	}
	to, err := p.Groups.MayCreateIn(ctx, parentID)
	if err != nil {
		return err
	}
	return p.Groups.Transfer(ctx, v.Group.Namespace, to)
}

// deleteGroup deletes a group with everything in it.
// POST /groups/{group}/-/settings/advanced/delete
func (p *Pages) deleteGroup(v *page.Visit) error {
	g := v.Group.Namespace
	err := v.ConfirmedPath("delete_confirmation", g.FullPath)
	later := false
	if err == nil {
		later, err = p.Groups.Remove(v.Request().Context(), g, removal.Request{
			Permanently: g.MarkedForDeletionAt != nil, FullPath: g.FullPath,
		})
	}
	switch {
	case err != nil:
		return p.showAdvancedGroup(v, err)
	case later:
		return p.movedGroup(v, "The group is marked for deletion.")
	}
	return v.Done("/-/groups", "The group "+g.FullPath+" was deleted.")
}

// restoreGroup restores a group that is marked for deletion.
// POST /groups/{group}/-/settings/advanced/restore
func (p *Pages) restoreGroup(v *page.Visit) error {
	if err := p.Groups.Restore(v.Request().Context(), v.Group.Namespace); err != nil {
		return p.showAdvancedGroup(v, err)
	}
	return p.movedGroup(v, "The group was restored.")
}
