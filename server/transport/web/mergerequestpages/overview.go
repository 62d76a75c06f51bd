package mergerequestpages

import (
	"context"

	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// overviewView is the content of the page of a merge request.
type overviewView struct {
	heading
	Mistake     string // why a form was refused
	Row         model.MergeRequestRow
	Status      status
	Description issuablepages.Text
	Labels      []issuablepages.Label
	Milestone   *page.Link
	Locked      bool
	Closes      []issuablepages.Row
	Timeline    issuablepages.Timeline
	Side        issuablepages.Side
}

// closed is how many of the issues that a merge request closes its page lists.
const closed = 20

// overview shows a merge request with its comments.
// GET /{project}/-/merge_requests/{iid}
func (p *Pages) overview(v *page.Visit) error { return p.showOverview(v, nil) }

// showOverview shows a merge request, after the refusal of a form with its reason.
func (p *Pages) showOverview(v *page.Visit, refused error) error {
	form := page.Form{Action: v.Request().URL.Path}
	code, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	item, err := p.Item(v, kind)
	if err != nil {
		return err
	}
	if found, err := p.FindNote(v, kind, item); found || err != nil {
		return err
	}
	ctx := v.Request().Context()
	single, err := p.viewer.Single(ctx, *v.Project, item.On.IID)
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	view := overviewView{Row: single.Row, Locked: item.On.Locked}
	for _, text := range form.Mistakes {
		view.Mistake += text + " "
	}
	mr := single.Row.MergeRequest
	if view.heading, err = p.heading(v, mr, partOverview); err != nil {
		return err
	}
	if view.Status, err = p.status(v, single, view.heading); err != nil {
		return err
	}
	texts := issuablepages.NewTexts(v.Project.Project.FullPath)
	if view.Description, err = texts.Render(wire.Value(mr.Description)); err != nil {
		return err
	}
	if view.Timeline, err = p.Timeline(v, kind, item, texts); err != nil {
		return err
	}
	view.Timeline.Switch = p.stateSwitch(view)
	if view.Side, err = p.Side(v, kind, item, mr.TimeEstimate, mr.TotalTimeSpent); err != nil {
		return err
	}
	if err := p.addRelated(ctx, v, &view); err != nil {
		return err
	}
	return p.show(v, mr, page.View{Name: "overview", Status: code, Scripts: []string{"note.js"}, Data: view})
}

// stateSwitch returns what the caller may do with the state of a merge request together with a comment.
func (p *Pages) stateSwitch(view overviewView) string {
	switch {
	case view.Edit == "":
	case view.Request.State == model.Opened:
		return "close"
	case view.Request.State == model.Closed:
		return "reopen"
	}
	return ""
}

// addRelated adds labels, milestone and the issues that a merge request closes, as far as the caller sees them.
func (p *Pages) addRelated(ctx context.Context, v *page.Visit, view *overviewView) error {
	project := v.Project.Project
	view.Labels = issuablepages.Labels(view.Row.Labels, kind.List(project.FullPath))
	view.Milestone = issuablepages.MilestoneLink(view.Row.Milestone)
	which := mergerequest.ClosesIssues(project, view.Request)
	rows, _, err := p.Store.IssueReferences.List(ctx, view.Request.ID, which, access.Reader(ctx), store.Page{Limit: closed})
	view.Closes = issuablepages.IssueRows(rows, project.FullPath, v.Now())
	return err
}

// description sends the whole description of a merge request.
// GET /{project}/-/merge_requests/{iid}/description
func (p *Pages) description(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	return issuablepages.SendText(v, wire.Value(mr.Description))
}
