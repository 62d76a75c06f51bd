package planningpages

import (
	"net/url"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// milestonesView is the content of a list of milestones.
type milestonesView struct {
	Rows   []milestoneRow
	States []page.Link
	Pager  page.Pager
	New    string // the address of the form; empty if the caller may not create milestones
	Search string
	State  string
}

// milestoneRow is a milestone in a list.
type milestoneRow struct {
	model.Milestone
	Path string
	From string // the group above that it comes from; empty for one of the project or group itself
	Late bool
}

// listMilestones lists the milestones of a project or group, and those of the groups above it.
// GET /{project}/-/milestones
func (p *Pages) listMilestones(v *page.Visit) error {
	at, filter := here(v), store.MilestoneFilter{State: model.MilestoneActive, Search: v.QueryParam("search"), Ancestors: true}
	state := v.QueryParam("state")
	switch state {
	case "", model.MilestoneActive, "opened":
		state = model.MilestoneActive
	case model.MilestoneClosed:
		filter.State = state
	case "all":
		filter.State = ""
	default:
		return apierr.BadRequest("The state is unknown")
	}
	view := milestonesView{Pager: v.Pager("state", "search"), Search: filter.Search, State: state}
	rows, total, err := p.store.Milestones.List(v.Request().Context(), at.ResourceOwner, filter, view.Pager.Page)
	if err != nil {
		return err
	}
	for i := range rows {
		view.Rows = append(view.Rows, rowOf(v, at, rows[i]))
	}
	if view.Pager = view.Pager.Of(total.More); at.mayMilestones {
		view.New = at.root + "milestones/new"
	}
	for _, s := range []struct{ value, label string }{{model.MilestoneActive, "Open"}, {model.MilestoneClosed, "Closed"}, {"all", "All"}} {
		link := page.Link{Path: v.With(url.Values{"state": {s.value}}, "search"), Label: s.label, Here: s.value == state}
		view.States = append(view.States, link)
	}
	return v.Show(page.View{Templates: p.templates, Name: "milestones", Title: "Milestones", Tab: page.TabMilestones, Data: view})
}
