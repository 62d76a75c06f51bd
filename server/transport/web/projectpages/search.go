package projectpages

import (
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"svc/server/domain/search"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// searchView is the content of the page of a search in a project.
type searchView struct {
	Root   string
	Text   string
	Scope  string
	Scopes []page.Link
	Note   string
	Code   []codeMatch
	Items  []page.Link
	Pager  page.Pager
	Done   bool // something was searched for
}

// codeMatch is a part of a file with its address.
type codeMatch struct {
	search.Blob

	At string
}

const (
	minSearch = 2   // characters
	maxSearch = 200 // bytes
)

// scopes are what a search can search, with the ability that it needs.
var scopes = []struct {
	name, label string
	ability     access.Ability
}{
	{"code", "Code", access.ReadCode},
	{"issues", "Issues", access.ReadIssue},
	{"merge_requests", "Merge requests", access.ReadMergeRequest},
}

// search searches the code, issues and merge requests of a project.
// GET /{project}/-/search
func (p *Pages) search(v *page.Visit) error {
	view := searchView{
		Root: root(v.Project.Project), Text: strings.TrimSpace(v.QueryParam("search")), Scope: v.QueryParam("scope"),
		Pager: v.Pager("search", "scope"),
	}
	chosen := ""
	for _, s := range scopes {
		if !v.May(s.ability) {
			continue
		}
		if chosen == "" || s.name == view.Scope {
			chosen = s.name
		}
		view.Scopes = append(view.Scopes, page.Link{Path: s.name, Label: s.label})
	}
	view.Scope = chosen
	for i := range view.Scopes {
		view.Scopes[i].Here = view.Scopes[i].Path == chosen
	}
	switch {
	case view.Text == "" || chosen == "":
	case utf8.RuneCountInString(view.Text) < minSearch || len(view.Text) > maxSearch || strings.ContainsAny(view.Text, "\n\r"):
		view.Note = "Search for a text of at least two characters and at most 200 bytes in one line."
	default:
		view.Done = true
		if err := p.find(v, &view); err != nil {
			return err
		}
	}
	return v.Show(page.View{Templates: p.templates, Name: "search", Title: "Search", Tab: page.NoTab, Data: view})
}

// find searches in the chosen scope.
func (p *Pages) find(v *page.Visit, view *searchView) error {
	switch view.Scope {
	case "issues":
		return p.findIssues(v, view)
	case "merge_requests":
		return p.findMergeRequests(v, view)
	}
	return p.findCode(v, view)
}

// query returns the text of the page as a search in its project.
func query(v *page.Visit, view *searchView) (search.Place, search.Query) {
	return search.Place{Project: v.Project}, search.Query{Text: view.Text}
}

// findCode searches the files of the default branch.
func (p *Pages) findCode(v *page.Visit, view *searchView) error {
	ctx := v.Request().Context()
	if err := p.Limit(ctx); err != nil {
		return err
	}
	in, q := query(v, view)
	found, more, err := p.Search.Blobs(ctx, in, q, view.Pager.Page)
	var refused *apierr.Error
	if errors.As(err, &refused) && (refused.Status == http.StatusBadRequest || refused.Status == http.StatusUnprocessableEntity) {
		view.Note, view.Done = refused.Error(), false
		return nil
	}
	if err != nil {
		return orNotFound(err)
	}
	base := view.Root + "/-/blob/" + page.EscapePath(v.Project.Project.DefaultBranch) + "/"
	for _, b := range found {
		if len(b.Path) <= maxPath {
			view.Code = append(view.Code, codeMatch{b, base + page.EscapePath(b.Path)})
		}
	}
	view.Pager = view.Pager.Of(more)
	return nil
}

func (p *Pages) findIssues(v *page.Visit, view *searchView) error {
	in, q := query(v, view)
	rows, total, err := p.Search.Issues(v.Request().Context(), in, q, view.Pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Items = append(view.Items, item(naming.IssueURL, v.Project.Project, row.Issue.IID, row.Issue.Title))
	}
	view.Pager = view.Pager.Of(total.More)
	return nil
}

func (p *Pages) findMergeRequests(v *page.Visit, view *searchView) error {
	in, q := query(v, view)
	rows, total, err := p.Search.MergeRequests(v.Request().Context(), in, q, view.Pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Items = append(view.Items, item(naming.MergeRequestURL, v.Project.Project, row.MergeRequest.IID, row.MergeRequest.Title))
	}
	view.Pager = view.Pager.Of(total.More)
	return nil
}

// item returns the link to an issue or merge request.
func item(address func(base, project string, iid int64) string, p model.Project, iid int64, title string) page.Link {
	return page.Link{Path: address("", p.FullPath, iid), Label: title}
}
