package memberpages

import (
	"context"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// membersView is the content of the page with the members of a project or group.
type membersView struct {
	Base, Noun  string
	Search      string
	Members     []memberRow
	Pager       page.Pager
	Roles       []model.Access // that the caller may give
	Manage      bool
	Add, Share  page.Form
	MayShare    bool
	Shares      []model.GroupShare
	Invitations []model.InvitationRow
	Requests    []model.AccessRequestRow
	Leave       bool // the caller is a direct member
	Ask         bool // the caller has no role, and may request one
}

// memberRow is a member, and where their role comes from.
type memberRow struct {
	model.MemberRow
	From   string // the path of the group that gives the role; empty for a direct member
	Change bool   // the caller may change the role
	Self   bool
}

// few is the number of invitations and requests on the page.
const few = 50

// members lists the members of a project or group, those of the groups above included.
// GET /{project}/-/project_members, GET /groups/{group}/-/group_members
func (p *Pages) members(v *page.Visit) error { return p.show(v, nil) }

func (p *Pages) show(v *page.Visit, refused error) error {
	ctx, in, at := v.Request().Context(), sourceOf(v), v.Pager("search")
	view := membersView{
		Base: in.Base, Noun: in.Noun, Search: v.QueryParam("search"), Roles: page.Roles(in.Role), Manage: v.May(in.Abilities.manage),
		MayShare: v.May(in.Abilities.share), Ask: in.Role == model.NoAccess && in.RequestAccessEnabled && v.May(in.Abilities.ask),
	}
	filter := in.Filter(true)
	filter.Query = view.Search
	rows, total, err := p.Store.Members.List(ctx, filter, at.Page)
	if err != nil {
		return err
	}
	view.Pager = at.Of(total.More)
	if view.Members, err = p.rows(v, in, rows); err != nil {
		return err
	}
	if err := p.addSharing(ctx, v, in, &view); err != nil {
		return err
	}
	view.Add, view.Share = addForm(in), shareForm(in)
	status, err := v.Fill(refused, &view.Add, &view.Share)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "members", Status: status, Title: "Members", Tab: page.TabMembers, Data: view,
	})
}

// rows adds to members where their roles come from. One query reads the paths of the groups.
func (p *Pages) rows(v *page.Visit, in source, members []model.MemberRow) ([]memberRow, error) {
	var groups []int64
	for _, m := range members {
		if m.Member.SourceType == model.SourceGroup {
			groups = append(groups, m.Member.SourceID)
		}
	}
	paths, err := p.Store.Namespaces.Paths(v.Request().Context(), groups)
	manage := v.May(in.Abilities.manage)
	all := make([]memberRow, len(members))
	for i, m := range members {
		direct := m.Member.SourceType == in.Type && m.Member.SourceID == in.ID
		ownsPlace := in.OwnerID != nil && *in.OwnerID == m.User.ID
		all[i] = memberRow{
			MemberRow: m, Self: m.User.ID == v.Actor.User.ID,
			Change: manage && direct && !ownsPlace && m.Member.AccessLevel <= in.Role,
		}
		if !direct && m.Member.SourceType == model.SourceGroup {
			all[i].From = paths[m.Member.SourceID]
		}
	}
	return all, err
}

// addSharing adds the groups that have access, and the invitations and requests if the caller may see them.
func (p *Pages) addSharing(ctx context.Context, v *page.Visit, in source, view *membersView) (err error) {
	if in.Project != nil {
		view.Shares, err = p.Store.ProjectLinks.ListByProject(ctx, in.ID, access.Reader(ctx))
	} else {
		view.Shares, err = p.Store.GroupLinks.ListByGroup(ctx, in.ID, access.Reader(ctx))
	}
	if err != nil {
		return err
	}
	own, err := p.Store.Members.Get(ctx, in.Filter(false), v.Actor.User.ID)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	view.Leave = err == nil && own.User.ID == v.Actor.User.ID && (in.OwnerID == nil || *in.OwnerID != own.User.ID)
	if !v.May(in.Applicants) {
		return nil
	}
	window := store.Page{Limit: few}
	if view.Invitations, _, err = p.Store.Invitations.List(ctx, in.Type, in.ID, "", window); err != nil {
		return err
	}
	view.Requests, _, err = p.Store.AccessRequests.List(ctx, in.Type, in.ID, window)
	return err
}
