package wikipages

import (
	"html/template"

	"svc/server/domain/repository/wiki"
	"svc/server/platform/markdown"
	"svc/server/transport/web/page"
)

// maxRendered is the size in bytes up to which a page is shown, before and after it is rendered. A larger one is downloaded.
const maxRendered = 100_000

// showView is the content of a page.
type showView struct {
	place
	wiki.Text
	HTML     template.HTML
	Plain    bool   // the page is shown as it is
	TooLarge bool   // the page is only downloaded
	Version  string // empty for the current one
	Delete   page.Button
}

// show shows a page of a wiki.
// GET /{project}/-/wikis/{slug}
func (p *Pages) show(v *page.Visit, at place) error {
	ctx, slug, version := v.Request().Context(), v.Param("*"), v.QueryParam("version")
	opened, err := p.wikis.Open(ctx, at.Place, version)
	if err != nil {
		return page.Hide(err)
	}
	if opened.Commit == "" && slug == "home" { // the start page of a wiki without pages
		return v.Redirect(at.List())
	}
	text, err := opened.Read(ctx, slug)
	if err != nil {
		return page.Hide(err)
	}
	view := showView{place: at, Text: text, Version: version, TooLarge: len(text.Content) > maxRendered, Delete: page.Button{
		Action: at.Act("delete", text.Slug), Label: "Delete this page", Class: "danger",
		Confirm: "Delete the page; its versions stay in the repository",
	}}
	if view.Plain = text.Format != wiki.Markdown; view.Plain && len(template.HTMLEscapeString(text.Content)) > maxRendered {
		view.TooLarge = true
	}
	if !view.TooLarge && !view.Plain {
		rendered, err := markdown.Render([]byte(text.Content), at.options(text.Slug))
		if err != nil {
			return err
		}
		view.HTML, view.TooLarge = rendered.HTML, len(rendered.HTML) > maxRendered
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "show", Title: text.Title, Tab: page.TabWiki, Crumbs: at.crumbs(), Data: view,
	})
}
