package projectpages

import (
	"svc/server/transport/web/page"
	"svc/store/git"
)

// commitsView is the content of a page with a history.
type commitsView struct {
	At      place
	Commits []git.Commit
	Author  string // the filter
	Pager   page.Pager
}

// maxFilter is the length of the text of a filter, in bytes.
const maxFilter = 200

// commits shows the history of a ref, or of a file or folder in it.
// GET /{project}/-/commits/{ref}/{path}
func (p *Pages) commits(v *page.Visit) error {
	ctx := v.Request().Context()
	if v.Param("*") == "" {
		return v.Redirect(root(v.Project.Project) + "/-/commits/" + page.EscapePath(v.Project.Project.DefaultBranch))
	}
	at, err := p.place(v, "commits")
	if err != nil {
		return err
	}
	view := commitsView{At: at, Pager: v.Pager("author"), Author: v.QueryParam("author")}
	if len(view.Author) > maxFilter {
		view.Author = ""
	}
	filter := git.LogFilter{From: at.Commit, Path: at.Path, Author: view.Author}
	ids, err := at.repo.Log(ctx, filter, view.Pager.Page.Offset, view.Pager.Page.Limit+1)
	if err != nil {
		return orNotFound(err)
	}
	more := len(ids) > view.Pager.Page.Limit
	if more {
		ids = ids[:view.Pager.Page.Limit]
	}
	if view.Commits, err = at.repo.Commits(ctx, ids); err != nil {
		return err
	}
	view.Pager = view.Pager.Of(more)
	return v.Show(page.View{
		Templates: p.templates, Name: "commits", Title: "Commits", Tab: page.TabCommits, Crumbs: at.crumbs(), Data: view,
	})
}
