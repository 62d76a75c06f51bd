package grouppages

import (
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// listView is the content of the page with the groups of a user.
type listView struct {
	Search string
	Groups []model.Namespace
	Pager  page.Pager
}

// list lists the groups in which the current user has a role.
// GET /-/groups
func (p *Pages) list(v *page.Visit) error {
	ctx, at, u := v.Request().Context(), v.Pager("search"), v.Actor.User
	view := listView{Search: v.QueryParam("search")}
	mine := &store.Reader{UserID: u.ID, External: u.External} // also of an administrator, who sees all groups
	rows, total, err := p.Store.Namespaces.ListGroups(ctx, store.GroupFilter{MemberOnly: true, Search: view.Search}, mine, at.Page)
	if err != nil {
		return err
	}
	view.Groups, view.Pager = rows, at.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "list", Title: "Your groups", Data: view})
}
