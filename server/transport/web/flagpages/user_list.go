package flagpages

import (
	"strconv"
	"strings"

	"svc/server/domain/featureflag"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// listsView is the content of the list of user lists.
type listsView struct {
	Parts  []page.Link
	Lists  []listView
	Pager  page.Pager
	Search string
	New    string // the address of the form; empty if the caller may not create lists
}

// listView is a user list on a page.
type listView struct {
	model.FeatureFlagUserList
	Path, Edit string // Edit is empty if the caller may not change lists
	Users      int
}

func listAddress(v *page.Visit, iid int64) string {
	return address(v, listsPattern) + "/" + strconv.FormatInt(iid, 10)
}

func listOf(v *page.Visit, row model.FeatureFlagUserList) listView {
	shown := listView{FeatureFlagUserList: row, Path: listAddress(v, row.IID), Users: strings.Count(row.UserXIDs, ",") + 1}
	if v.May(access.AdminFeatureFlag) {
		shown.Edit = shown.Path + "/edit"
	}
	return shown
}

// lists lists the user lists of a project.
// GET /{project}/-/feature_flags_user_lists
func (p *Pages) lists(v *page.Visit) error {
	view := listsView{Parts: parts(v, listsPattern), Pager: v.Pager("search"), Search: v.QueryParam("search")}
	rows, total, err := p.Store.FeatureFlagUserLists.List(v.Request().Context(), v.Project.Project.ID, view.Search, view.Pager.Page)
	if err != nil {
		return err
	}
	if view.Pager = view.Pager.Of(total.More); v.May(access.AdminFeatureFlag) {
		view.New = address(v, listsPattern) + "/new"
	}
	for _, row := range rows {
		view.Lists = append(view.Lists, listOf(v, row))
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "lists", Title: "User lists", Tab: page.TabFlags, Crumbs: flagCrumbs(v), Data: view,
	})
}

// list shows a user list.
// GET /{project}/-/feature_flags_user_lists/{iid}
func (p *Pages) list(v *page.Visit) error {
	row, err := p.findList(v)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "list", Title: row.Name, Tab: page.TabFlags, Crumbs: listCrumbs(v), Data: listOf(v, row),
	})
}

// listForm is the form of a user list.
func listForm(l model.FeatureFlagUserList, action, submit string) page.Form {
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "name", Label: "Name", Type: "text", Value: l.Name, Required: true, Focus: true, Autocomplete: "off"},
		{
			Name: "users", Label: "Users", Type: "textarea", Rows: 8, Value: l.UserXIDs, Required: true,
			Hint: "IDs as the programs of the project know them, separated by commas.",
		},
	}}
}

// sentList reads the form of a user list.
func sentList(v *page.Visit) featureflag.ListChange {
	return featureflag.ListChange{Name: new(v.Value("name")), Users: new(strings.Join(splitTexts(v.Value("users")), ","))}
}

// newList shows the form for a new user list.
// GET /{project}/-/feature_flags_user_lists/new
func (p *Pages) newList(v *page.Visit) error { return p.showNewList(v, nil) }

func (p *Pages) showNewList(v *page.Visit, refused error) error {
	form := listForm(model.FeatureFlagUserList{}, address(v, listsPattern), "Create the list")
	return p.showForm(v, refused, formView{Form: form}, "New user list", listCrumbs(v))
}

// createList creates a user list.
// POST /{project}/-/feature_flags_user_lists
func (p *Pages) createList(v *page.Visit) error {
	made, err := p.Flags.CreateList(v.Request().Context(), v.Project.Project, sentList(v))
	if err != nil {
		return p.showNewList(v, err)
	}
	return v.Done(listAddress(v, made.IID), "The list was created.")
}

// editList shows the form that changes a user list.
// GET /{project}/-/feature_flags_user_lists/{iid}/edit
func (p *Pages) editList(v *page.Visit) error {
	row, err := p.findList(v)
	if err != nil {
		return err
	}
	if err := page.CheckEditable(row.UserXIDs, page.UseAPI); err != nil {
		return err
	}
	return p.showList(v, row, nil)
}

func (p *Pages) showList(v *page.Visit, row model.FeatureFlagUserList, refused error) error {
	at := listAddress(v, row.IID)
	return p.showForm(v, refused, formView{
		Form: listForm(row, at, "Save the list"),
		Delete: &page.Button{
			Action: at + "/delete", Label: "Delete the list", Class: "danger", Confirm: "Delete the list for good",
		},
	}, "Edit the list", append(listCrumbs(v), page.Link{Path: at, Label: row.Name}))
}

// updateList changes a user list.
// POST /{project}/-/feature_flags_user_lists/{iid}
func (p *Pages) updateList(v *page.Visit) error {
	row, err := p.findList(v)
	if err != nil {
		return err
	}
	if _, err := p.Flags.ApplyList(v.Request().Context(), v.Project.Project, row, sentList(v)); err != nil {
		return p.showList(v, row, err)
	}
	return v.Done(listAddress(v, row.IID), "The list was saved.")
}

// deleteList deletes a user list that no strategy names.
// POST /{project}/-/feature_flags_user_lists/{iid}/delete
func (p *Pages) deleteList(v *page.Visit) error {
	row, err := p.findList(v)
	if err != nil {
		return err
	}
	if err := p.Flags.DeleteList(v.Request().Context(), v.Project.Project, row, nil); err != nil {
		return page.Hide(err)
	}
	return v.Done(address(v, listsPattern), "The list was deleted.")
}
