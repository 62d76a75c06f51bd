package issuepages

import (
	"context"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// issueView is the content of the page of an issue.
type issueView struct {
	Row         model.IssueRow
	Reference   string
	Base        string
	Description issuablepages.Text
	Labels      []issuablepages.Label
	Milestone   *page.Link
	Late        bool
	Locked      bool
	MovedTo     *page.Link
	Linked      []linkedIssue
	Requests    []issuablepages.Row
	Timeline    issuablepages.Timeline
	Side        issuablepages.Side
	Edit        string // the address of the form; empty if the caller may not change the issue
}

// linkedIssue is an issue that is linked to the one of the page.
type linkedIssue struct {
	issuablepages.Row
	How string // in words
}

// mentioned is how many linked issues, and how many merge requests that mention an issue, its page lists.
const mentioned = 20

// issue shows an issue with its comments.
// GET /{project}/-/issues/{iid}
func (p *Pages) issue(v *page.Visit) error {
	item, err := p.Item(v, kind)
	if err != nil {
		return err
	}
	if found, err := p.FindNote(v, kind, item); found || err != nil {
		return err
	}
	row, err := p.issues.Get(v.Request().Context(), *v.Project, item.On.IID)
	if err != nil {
		return page.Hide(err)
	}
	view, err := p.view(v, item, row)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "issue", Title: row.Issue.Title + " (" + view.Reference + ")", Tab: page.TabIssues,
		Crumbs: kind.Crumbs(v.Project.Project.FullPath, row.Issue.IID), Scripts: []string{"note.js"}, Data: view,
	})
}

// view reads what the page of an issue shows.
func (p *Pages) view(v *page.Visit, item note.Item, row model.IssueRow) (issueView, error) {
	ctx, path := v.Request().Context(), v.Project.Project.FullPath
	view := issueView{
		Row: row, Reference: kind.Reference(row.Issue.IID), Base: kind.Address(path, row.Issue.IID), Locked: item.On.Locked,
		Late:   issuablepages.Late(row.Issue, v.Now()),
		Labels: issuablepages.Labels(row.Labels, kind.List(path)), Milestone: issuablepages.MilestoneLink(row.Milestone),
	}
	texts := issuablepages.NewTexts(path)
	var err error
	if view.Description, err = texts.Render(wire.Value(row.Issue.Description)); err != nil {
		return view, err
	}
	if view.Timeline, err = p.Timeline(v, kind, item, texts); err != nil {
		return view, err
	}
	if view.Side, err = p.Side(v, kind, item, row.Issue.TimeEstimate, row.Issue.TotalTimeSpent); err != nil {
		return view, err
	}
	if p.mayChange(v, row) {
		view.Edit = view.Base + "/edit"
		view.Timeline.Switch = issue.Close
		if row.Issue.State == model.Closed {
			view.Timeline.Switch = issue.Reopen
		}
	}
	return view, p.addRelated(ctx, v, &view)
}

// mayChange reports whether the caller may change an issue.
func (p *Pages) mayChange(v *page.Visit, row model.IssueRow) bool {
	return v.Actor != nil && v.May(access.UpdateIssue) && issue.CheckMayChange(v.Request().Context(), *v.Project, row) == nil
}

// addRelated adds the issues and merge requests that have to do with an issue, as far as the caller sees them.
func (p *Pages) addRelated(ctx context.Context, v *page.Visit, view *issueView) error {
	reader, path := access.Reader(ctx), v.Project.Project.FullPath
	links, err := p.Store.IssueLinks.List(ctx, view.Row.Issue.ID, reader, mentioned)
	if err != nil {
		return err
	}
	for _, l := range links {
		view.Linked = append(view.Linked, linkedIssue{
			Row: issuablepages.IssueRows([]model.IssueRow{l.IssueRow}, path, v.Now())[0], How: strings.ReplaceAll(l.LinkType, "_", " "),
		})
	}
	rows, _, err := p.Store.MergeRequests.ListByIssue(ctx, view.Row.Issue.ID, false, reader, store.Page{Limit: mentioned})
	if err != nil {
		return err
	}
	view.Requests = issuablepages.MergeRequestRows(rows, path, 0)
	id := view.Row.Issue.MovedToID
	if id == nil {
		return nil
	}
	moved, err := p.Store.Issues.GetByID(ctx, *id, reader)
	if store.IsNotFound(err) {
		return nil // the caller does not see it
	}
	view.MovedTo = &page.Link{
		Path: kind.Address(moved.ProjectPath, moved.Issue.IID), Label: moved.ProjectPath + kind.Reference(moved.Issue.IID),
	}
	return err
}

// description sends the whole description of an issue.
// GET /{project}/-/issues/{iid}/description
func (p *Pages) description(v *page.Visit) error {
	row, err := p.find(v)
	if err != nil {
		return err
	}
	return issuablepages.SendText(v, wire.Value(row.Issue.Description))
}

// find finds the issue of a page.
func (p *Pages) find(v *page.Visit) (model.IssueRow, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return model.IssueRow{}, page.NotFound()
	}
	row, err := p.issues.Get(v.Request().Context(), *v.Project, iid)
	return row, page.Hide(err)
}
