package snippetpages

import (
	"net/url"

	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// listView is the content of a list of snippets.
type listView struct {
	Base      string
	Scopes    []page.Link // which snippets to list
	Snippets  []listed
	Pager     page.Pager
	MayCreate bool
}

// listed is a snippet in a list.
type listed struct {
	model.SnippetRow
	Address string
	Files   int
}

// ownList lists the snippets of the caller, the public ones, or all that the caller can see.
// GET /-/snippets
func (p *Pages) ownList(v *page.Visit) error {
	scope := v.QueryParam("scope")
	view := listView{Base: personal, MayCreate: true}
	for _, s := range []page.Link{{Path: "", Label: "Yours"}, {Path: "public", Label: "Public"}, {Path: "all", Label: "All"}} {
		change := url.Values{}
		if s.Path != "" {
			change.Set("scope", s.Path)
		}
		view.Scopes = append(view.Scopes, page.Link{Path: v.With(change), Label: s.Label, Here: s.Path == scope})
	}
	filter := store.SnippetFilter{Public: scope == "public"}
	if scope == "" {
		filter.AuthorID = v.Actor.User.ID
	}
	return p.list(v, filter, view)
}

// projectList lists the snippets of a project.
// GET /{project}/-/snippets
func (p *Pages) projectList(v *page.Visit) error {
	filter := store.SnippetFilter{ProjectID: v.Project.Project.ID, Everyone: v.Project.Role() >= model.Guest}
	return p.list(v, filter, listView{Base: base(v), MayCreate: v.May(access.CreateProjectSnippet)})
}

func (p *Pages) list(v *page.Visit, filter store.SnippetFilter, view listView) error {
	ctx := v.Request().Context()
	pager := v.Pager("scope")
	rows, total, err := p.Store.Snippets.List(ctx, filter, access.Reader(ctx), pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Snippets = append(view.Snippets, listed{row, address(row), len(row.Snippet.Paths())})
	}
	view.Pager = pager.Of(total.More)
	return v.Show(p.view(v, "list", "Snippets", view))
}
