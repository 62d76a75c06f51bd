package wikipages

import (
	"svc/server/domain/repository/wiki"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// historyView is the content of the list of versions.
type historyView struct {
	place
	wiki.Page
	Versions []git.Commit
	Pager    page.Pager
}

// history lists the versions of a page.
// GET /{project}/-/wiki/history/{slug}
func (p *Pages) history(v *page.Visit, at place) error {
	ctx := v.Request().Context()
	opened, err := p.wikis.Open(ctx, at.Place, "")
	if err != nil {
		return err
	}
	found, err := opened.Read(ctx, v.Param("*"))
	if err != nil {
		return page.Hide(err)
	}
	pager := v.Pager()
	limit := pager.Page.Limit
	versions, err := opened.History(ctx, found.Page, pager.Page.Offset, limit+1)
	if err != nil {
		return err
	}
	view := historyView{
		place: at, Page: found.Page,
		Versions: versions[:min(limit, len(versions))], Pager: pager.Of(len(versions) > limit),
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "history", Title: "History of " + found.Title, Tab: page.TabWiki,
		Crumbs: at.crumbs(page.Link{Path: at.To(found.Slug), Label: found.Title}), Data: view,
	})
}

// changesView is the content of the page about one version.
type changesView struct {
	place
	Slug   string
	Commit git.Commit
	Diff   page.Diff
}

// changes shows what a version changed.
// GET /{project}/-/wiki/changes/{version}/{slug}
func (p *Pages) changes(v *page.Visit, at place) error {
	ctx, slug := v.Request().Context(), v.Param("*")
	opened, err := p.wikis.Open(ctx, at.Place, v.Param("version"))
	if err != nil {
		return page.Hide(err)
	}
	commit, diff, err := opened.Changes(ctx, slug)
	if err != nil {
		return page.Hide(err)
	}
	view := changesView{place: at, Slug: slug, Commit: commit, Diff: page.Diff{
		Total: 1, Files: page.DiffFiles([]git.FileDiff{diff}, page.DiffOptions{}),
	}}
	return v.Show(page.View{
		Templates: p.templates, Name: "changes", Title: commit.Title(), Tab: page.TabWiki,
		Crumbs: at.crumbs(page.Link{Path: at.Act("history", slug), Label: "History of " + slug}), Data: view,
	})
}
