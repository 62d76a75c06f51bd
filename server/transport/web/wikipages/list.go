package wikipages

import (
	"svc/server/domain/repository/wiki"
	"svc/server/transport/web/page"
)

// rows is how many pages the list shows at once.
const rows = 50

// listView is the content of the list of pages.
type listView struct {
	place
	Pages  []wiki.Page
	Pager  page.Pager
	Upload page.Form
}

// list shows the pages of a wiki.
// GET /{project}/-/wikis
func (p *Pages) list(v *page.Visit, at place) error {
	ctx := v.Request().Context()
	version, err := p.wikis.Open(ctx, at.Place, "")
	if err != nil {
		return err
	}
	all, err := version.Pages(ctx)
	if err != nil {
		return err
	}
	pager := v.PagerOf(rows)
	first := min(pager.Page.Offset, len(all))
	last := min(first+rows, len(all))
	view := listView{place: at, Pages: all[first:last], Pager: pager.Of(last < len(all)), Upload: uploadForm(at)}
	return p.showList(v, view, 0)
}

func (p *Pages) showList(v *page.Visit, view listView, status int) error {
	return v.Show(page.View{
		Templates: p.templates, Name: "list", Status: status, Title: "Wiki", Tab: page.TabWiki, Data: view,
	})
}
