package planningpages

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// epicItems is how many children and issues the page of an epic lists.
const epicItems = 50

// registerEpics adds the pages of epics.
func (p *Pages) registerEpics(r *page.Router) {
	r.Group("GET", "epics", access.ReadEpic, p.listEpics)
	r.Group("GET", "epics/:iid", access.ReadEpic, p.epic)
	r.Group("GET", "epics/:iid/text", access.ReadEpic, p.epicText)
	r.Group("GET", "epics/:iid/notes/:note", access.ReadEpic, p.epicNoteText)
	r.Group("POST", "epics/:iid/notes", access.CreateEpicNote, p.createEpicNote).MaxForm(maxForm)
	r.Group("POST", "epics/:iid/discussions/:discussion/notes", access.CreateEpicNote, p.replyOnEpic).MaxForm(maxForm)
}

// epicsView is the content of the list of the epics of a group.
type epicsView struct {
	Rows          []issuablepages.Row
	States        []page.Link
	Pager         page.Pager
	State, Search string
	Labels        []string // the list shows only epics with these labels
	All           string   // the address of the list without the labels
}

// epicRow prepares an epic for a list.
func epicRow(v *page.Visit, row model.EpicRow) issuablepages.Row {
	e := row.Epic
	shown := issuablepages.Row{
		Path: naming.EpicPath(row.GroupPath, e.IID), Reference: epicReference(v, row), Title: e.Title, State: e.State,
		Confidential: e.Confidential, Author: row.Author, CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
		Labels: issuablepages.RowLabels(row.Labels, "/groups/"+row.GroupPath+"/-/epics"), Due: row.InheritedDue,
		Comments: e.UserNotesCount,
	}
	if e.DueDateIsFixed {
		shown.Due = e.DueDateFixed
	}
	shown.Late = shown.Due != nil && e.State == model.Opened && shown.Due.AddDate(0, 0, 1).Before(v.Now())
	return shown
}

// epicReference names an epic, with its group if that is not the group of the page.
func epicReference(v *page.Visit, row model.EpicRow) string {
	reference := "&" + strconv.FormatInt(row.Epic.IID, 10)
	if row.Epic.GroupID != v.Group.ID {
		return row.GroupPath + reference
	}
	return reference
}

// listEpics lists the epics of a group and of the groups below it.
// GET /groups/{group}/-/epics
func (p *Pages) listEpics(v *page.Visit) error {
	state := v.QueryParam("state")
	switch state {
	case "":
		state = model.Opened
	case model.Opened, model.Closed, "all":
	default:
		return apierr.BadRequest("The state is unknown")
	}
	filter := store.EpicFilter{Descendants: true, IssuableFilter: store.IssuableFilter{
		State: state, Search: strings.TrimSpace(v.QueryParam("search")), Labels: v.QueryParams()["labels"],
	}}
	if state == "all" {
		filter.State = ""
	}
	if len(filter.Labels) > maxFilterLabels {
		return apierr.BadRequest("The filter has too many labels")
	}
	ctx := v.Request().Context()
	view := epicsView{
		Pager: v.Pager("state", "search", "labels"), State: state, Search: filter.Search, Labels: filter.Labels,
		All: here(v).root + "epics",
	}
	rows, total, err := p.store.Epics.List(ctx, v.Group.ID, filter, access.Reader(ctx), view.Pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Rows = append(view.Rows, epicRow(v, row))
	}
	view.Pager = view.Pager.Of(total.More)
	for _, s := range []struct{ value, label string }{{model.Opened, "Open"}, {model.Closed, "Closed"}, {"all", "All"}} {
		view.States = append(view.States, page.Link{
			Path: v.With(url.Values{"state": {s.value}}, "search", "labels"), Label: s.label, Here: s.value == state,
		})
	}
	return v.Show(page.View{Templates: p.templates, Name: "epics", Title: "Epics", Tab: page.TabEpics, Data: view})
}

// maxFilterLabels is the maximum number of labels in the filter of a list of epics.
const maxFilterLabels = 20

// epicView is the content of the page of an epic.
type epicView struct {
	issuablepages.Row
	Text        issuablepages.Text
	TextPath    string // of the whole description
	Start       *time.Time
	Parent      *page.Link
	Children    []issuablepages.Row
	Issues      []issuablepages.Row
	Linked      []linkedEpic
	More        bool // there are more children or issues than the page shows
	Threads     []issuablepages.Thread
	Pager       page.Pager
	Base, Token string // of forms
	MayComment  bool
	MayInternal bool
	SignIn      bool
}

// linkedEpic is an epic that is linked to the epic of a page.
type linkedEpic struct {
	issuablepages.Row
	Words string // what the epic of the page is to this one
}

// linkWords says what an epic is to a linked one.
var linkWords = map[string]string{model.RelatesTo: "related to", model.Blocks: "blocks", model.IsBlockedBy: "is blocked by"}

// findEpic finds the epic of a page, if the caller sees it.
func (p *Pages) findEpic(v *page.Visit) (model.EpicRow, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return model.EpicRow{}, page.NotFound()
	}
	ctx := v.Request().Context()
	row, err := p.store.Epics.Get(ctx, v.Group.ID, iid, access.Reader(ctx))
	if store.IsNotFound(err) {
		err = page.NotFound()
	}
	return row, err
}

// epic shows an epic with its children, issues, linked epics and comments, as far as the caller sees them.
// GET /groups/{group}/-/epics/{iid}
func (p *Pages) epic(v *page.Visit) error {
	row, err := p.findEpic(v)
	if err != nil {
		return err
	}
	texts := issuablepages.NewGroupTexts(v.Group.ID)
	view := epicView{Row: epicRow(v, row), Start: row.InheritedStart, SignIn: v.Actor == nil, Token: v.Token()}
	view.Base, view.TextPath = view.Path, view.Path+"/text"
	view.Labels = issuablepages.Labels(row.Labels, here(v).root+"epics")
	if row.Epic.StartDateIsFixed {
		view.Start = row.Epic.StartDateFixed
	}
	if parent := row.Parent; parent != nil {
		view.Parent = &page.Link{Path: naming.EpicPath(parent.GroupPath, parent.IID), Label: parent.Title}
	}
	if view.Text, err = texts.Render(wire.Value(row.Epic.Description)); err != nil {
		return err
	}
	if err := p.addEpicItems(v, row, &view); err != nil {
		return err
	}
	view.MayComment = v.Actor != nil && v.May(access.CreateEpicNote)
	view.MayInternal = view.MayComment && v.Group.Role >= model.Reporter
	if err := p.addEpicThreads(v, row, texts, &view); err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "epic", Title: row.Epic.Title + " (" + view.Reference + ")", Tab: page.TabEpics,
		Crumbs: epicCrumbs(v), Data: view,
	})
}

func epicCrumbs(v *page.Visit) []page.Link {
	return []page.Link{{Path: here(v).root + "epics", Label: "Epics"}}
}

// addEpicItems adds the children, the issues and the linked epics that the caller sees.
func (p *Pages) addEpicItems(v *page.Visit, row model.EpicRow, view *epicView) error {
	ctx := v.Request().Context()
	reader, few := access.Reader(ctx), store.Page{Limit: epicItems}
	children, total, err := p.store.Epics.Children(ctx, row.Epic.ID, reader, few)
	if err != nil {
		return err
	}
	for _, child := range children {
		view.Children = append(view.Children, epicRow(v, child))
	}
	view.More = total.More
	assigned, total, err := p.store.Epics.Issues(ctx, row.Epic.ID, reader, few)
	if err != nil {
		return err
	}
	issues := make([]model.IssueRow, len(assigned))
	for i := range assigned {
		issues[i] = assigned[i].IssueRow
	}
	view.Issues, view.More = issuablepages.IssueRows(issues, "", v.Now()), view.More || total.More
	linked, err := p.store.EpicLinks.List(ctx, row.Epic.ID, reader, epicItems)
	for _, l := range linked {
		view.Linked = append(view.Linked, linkedEpic{Row: epicRow(v, l.EpicRow), Words: linkWords[l.Kind]})
	}
	return err
}
