package planningpages

import (
	"slices"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// boardIssues is how many open issues a board shows.
const boardIssues = 60

// boardsView is the content of the list of boards.
type boardsView struct {
	Boards []page.Link
	Pager  page.Pager
}

// boardView is the content of the page of a board.
type boardView struct {
	Name  string
	Lists []boardList
	More  bool // there are more open issues than the board shows
}

// boardList is a list of a board.
type boardList struct {
	Title string
	Label *issuablepages.Label
	Rows  []issuablepages.Row
}

// listBoards lists the boards of a project.
// GET /{project}/-/boards
func (p *Pages) listBoards(v *page.Visit) error {
	at, view := here(v), boardsView{Pager: v.Pager()}
	rows, total, err := p.store.Boards.List(v.Request().Context(), at.ResourceOwner, view.Pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Boards = append(view.Boards, page.Link{Path: at.root + "boards/" + strconv.FormatInt(row.Board.ID, 10), Label: row.Board.Name})
	}
	view.Pager = view.Pager.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "boards", Title: "Boards", Tab: page.TabIssues, Data: view})
}

// board shows the open issues of a project in the lists of a board.
// GET /{project}/-/boards/{id}
func (p *Pages) board(v *page.Visit) error {
	at, ctx := here(v), v.Request().Context()
	id, err := v.Number("id")
	if err != nil {
		return page.NotFound()
	}
	row, err := p.store.Boards.Get(ctx, at.ResourceOwner, id)
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	filter := store.IssueFilter{IssuableFilter: store.IssuableFilter{State: model.Opened, OrderBy: "relative_position", Asc: true}}
	issues, total, err := p.store.Issues.List(ctx, at.scope, filter, store.Page{Limit: boardIssues})
	if err != nil {
		return err
	}
	view := boardView{Name: row.Board.Name, More: total.More, Lists: arrange(row, issues, at, v)}
	return v.Show(page.View{
		Templates: p.templates, Name: "board", Title: "Board " + row.Board.Name, Tab: page.TabIssues, Wide: true,
		Crumbs: []page.Link{{Path: at.root + "boards", Label: "Boards"}}, Data: view,
	})
}

// arrange puts issues into the lists whose label they have, and the others into the first list.
func arrange(row model.BoardRow, issues []model.IssueRow, at place, v *page.Visit) []boardList {
	var lists []boardList
	if !row.Board.HideBacklogList {
		rest := slices.DeleteFunc(slices.Clone(issues), func(i model.IssueRow) bool {
			return slices.ContainsFunc(row.Lists, func(l model.BoardListRow) bool { return hasLabel(i, l.Label.ID) })
		})
		lists = append(lists, boardList{Title: "Open", Rows: issuablepages.IssueRows(rest, at.path, v.Now())})
	}
	for _, l := range row.Lists {
		chosen := slices.DeleteFunc(slices.Clone(issues), func(i model.IssueRow) bool { return !hasLabel(i, l.Label.ID) })
		name := issuablepages.Labels([]model.Label{l.Label}, at.root+"issues")[0]
		lists = append(lists, boardList{Title: l.Label.Name, Label: &name, Rows: issuablepages.IssueRows(chosen, at.path, v.Now())})
	}
	return lists
}

func hasLabel(i model.IssueRow, id int64) bool {
	return slices.ContainsFunc(i.Labels, func(l model.Label) bool { return l.ID == id })
}
