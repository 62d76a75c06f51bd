package projectpages

import (
	"errors"
	"strings"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/git"
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
	Cut    bool // there may be more matches in the code
	Items  []page.Link
	Pager  page.Pager
	Done   bool // something was searched for
}

// codeMatch is a line of code with its address.
type codeMatch struct {
	git.Match

	At string
}

const (
	maxMatches = 50
	minSearch  = 2   // characters
	maxSearch  = 200 // bytes
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

// findCode searches the files of the default branch.
func (p *Pages) findCode(v *page.Visit, view *searchView) error {
	ctx := v.Request().Context()
	repo, err := p.repository(v)
	if err != nil {
		return err
	}
	commit, err := repo.Resolve(ctx, "")
	if errors.Is(err, git.ErrNotFound) { // there is no code yet
		return nil
	}
	if err != nil {
		return err
	}
	if err := p.Limit(ctx); err != nil {
		return err
	}
	found, cut, err := repo.Grep(ctx, commit, view.Text, maxMatches)
	if err != nil {
		return orNotFound(err)
	}
	view.Cut = cut
	base := view.Root + "/-/blob/" + page.EscapePath(v.Project.Project.DefaultBranch) + "/"
	for _, m := range found {
		if len(m.Path) <= maxPath {
			view.Code = append(view.Code, codeMatch{m, base + page.EscapePath(m.Path)})
		}
	}
	return nil
}

// scope returns the scope of lists in the project of a page.
func scope(v *page.Visit) store.IssuableScope {
	return store.InProject(*v.Project, access.Reader(v.Request().Context()))
}

// inTitle is a filter that searches titles.
func inTitle(text string) store.IssuableFilter {
	return store.IssuableFilter{Search: text, InTitle: true}
}

func (p *Pages) findIssues(v *page.Visit, view *searchView) error {
	filter := store.IssueFilter{IssuableFilter: inTitle(view.Text)}
	rows, total, err := p.Store.Issues.List(v.Request().Context(), scope(v), filter, view.Pager.Page)
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
	filter := store.MergeRequestFilter{IssuableFilter: inTitle(view.Text)}
	rows, total, err := p.Store.MergeRequests.List(v.Request().Context(), scope(v), filter, view.Pager.Page)
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
