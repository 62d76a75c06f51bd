package planningpages

import (
	"context"
	"net/url"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/milestone"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// milestoneItems is how many issues and merge requests the page of a milestone lists.
const milestoneItems = 20

// milestoneView is the content of the page of a milestone.
type milestoneView struct {
	milestoneRow
	Text           issuablepages.Text
	Opened, Closed int64 // issues
	Issues         []issuablepages.Row
	Requests       []issuablepages.Row
	AllIssues      string
	AllRequests    string
	Edit           string
	Switch         *page.Button // closes or reopens the milestone
}

// rowOf prepares a milestone for a page.
func rowOf(v *page.Visit, at place, row model.MilestoneRow) milestoneRow {
	shown := milestoneRow{Milestone: row.Milestone, Path: issuablepages.MilestoneLink(&row).Path}
	if row.Milestone.GroupID != nil && (at.GroupID == nil || *at.GroupID != *row.Milestone.GroupID) {
		shown.From = row.Place
	}
	shown.Late = row.Milestone.DueDate != nil && row.Milestone.State == model.MilestoneActive &&
		row.Milestone.DueDate.AddDate(0, 0, 1).Before(v.Now())
	return shown
}

// find finds the milestone of a page: one of the project or group itself.
func (p *Pages) find(v *page.Visit, at place) (model.MilestoneRow, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return model.MilestoneRow{}, page.NotFound()
	}
	filter := store.MilestoneFilter{IIDs: []int64{iid}}
	rows, _, err := p.store.Milestones.List(v.Request().Context(), at.ResourceOwner, filter, store.Page{Limit: 1})
	if err != nil {
		return model.MilestoneRow{}, err
	}
	if len(rows) == 0 {
		return model.MilestoneRow{}, page.NotFound()
	}
	return rows[0], nil
}

// milestone shows a milestone with its issues and merge requests.
// GET /{project}/-/milestones/{iid}
func (p *Pages) milestone(v *page.Visit) error {
	at := here(v)
	row, err := p.find(v, at)
	if err != nil {
		return err
	}
	view := milestoneView{milestoneRow: rowOf(v, at, row)}
	if view.Text, err = issuablepages.NewTexts(at.path).Render(wire.Value(row.Milestone.Description)); err != nil {
		return err
	}
	if err := p.addItems(v.Request().Context(), at, &view, v.Now()); err != nil {
		return err
	}
	if at.mayMilestones {
		view.Edit = view.Path + "/edit"
		change, label := milestone.Close, "Close the milestone"
		if row.Milestone.State == model.MilestoneClosed {
			change, label = milestone.Activate, "Reopen the milestone"
		}
		hidden := []page.Field{{Name: "state", Value: change}}
		view.Switch = &page.Button{Action: view.Path + "/state", Label: label, Class: "quiet", Hidden: hidden}
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "milestone", Title: row.Milestone.Title, Tab: page.TabMilestones,
		Crumbs: milestoneCrumbs(at), Data: view,
	})
}

func milestoneCrumbs(at place) []page.Link {
	return []page.Link{{Path: at.root + "milestones", Label: "Milestones"}}
}

// addItems adds the issues and merge requests of a milestone that the caller sees.
func (p *Pages) addItems(ctx context.Context, at place, view *milestoneView, now time.Time) error {
	filter := store.IssuableFilter{MilestoneID: &view.ID, OrderBy: "updated_at"}
	query := "?" + url.Values{"milestone": {view.Title}, "state": {"all"}}.Encode()
	few := store.Page{Limit: milestoneItems}
	if at.seesIssues {
		rows, total, err := p.store.Issues.List(ctx, at.scope, store.IssueFilter{IssuableFilter: filter}, few)
		if err != nil {
			return err
		}
		view.Issues = issuablepages.IssueRows(rows, at.path, now)
		if total.More {
			view.AllIssues = at.root + "issues" + query
		}
		if view.Opened, view.Closed, err = p.store.Issues.Count(ctx, at.scope, store.IssueFilter{IssuableFilter: filter}); err != nil {
			return err
		}
	}
	if !at.seesRequests {
		return nil
	}
	rows, total, err := p.store.MergeRequests.List(ctx, at.scope, store.MergeRequestFilter{IssuableFilter: filter}, few)
	view.Requests = issuablepages.MergeRequestRows(rows, at.path, 0)
	if total.More {
		view.AllRequests = at.root + "merge_requests" + query
	}
	return err
}
