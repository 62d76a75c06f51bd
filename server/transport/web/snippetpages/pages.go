package snippetpages

import (
	"embed"
	"net/http"
	"strconv"

	"svc/server/domain/snippet"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/highlight"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// maxForm is how many bytes the form of a snippet may have: as many as a body of the API.
const maxForm = 10 << 20

// Dependencies are what the pages need.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Snippets  *snippet.Service
	Highlight *highlight.Highlighter
}

// Pages are the pages of snippets.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// personal is the address of the snippets that belong to no project.
const personal = "/-/snippets"

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Get(personal, page.Members, p.ownList)
	r.Get(personal+"/new", page.Members, p.newForm)
	r.Post(personal+"/new", page.Members, p.create).MaxForm(maxForm)
	r.Get(personal+"/:id", page.Anyone, p.show)
	r.Get(personal+"/:id/raw/*", page.Anyone, p.raw)
	r.Get(personal+"/:id/edit", page.Members, p.editForm)
	r.Post(personal+"/:id/edit", page.Members, p.edit).MaxForm(maxForm)
	r.Post(personal+"/:id/delete", page.Members, p.delete)
	r.Project("GET", "snippets", access.ReadProjectSnippet, p.projectList)
	r.Project("GET", "snippets/new", access.CreateProjectSnippet, p.newForm)
	r.Project("POST", "snippets/new", access.CreateProjectSnippet, p.create).MaxForm(maxForm)
	r.Project("GET", "snippets/:id", access.ReadProjectSnippet, p.show)
	r.Project("GET", "snippets/:id/raw/*", access.ReadProjectSnippet, p.raw)
	r.Project("GET", "snippets/:id/edit", access.UpdateProjectSnippet, p.editForm)
	r.Project("POST", "snippets/:id/edit", access.UpdateProjectSnippet, p.edit).MaxForm(maxForm)
	r.Project("POST", "snippets/:id/delete", access.UpdateProjectSnippet, p.delete)
}

// base returns the address of the list that the snippets of an address are in.
func base(v *page.Visit) string {
	if v.Project != nil {
		return "/" + v.Project.Project.FullPath + "/-/snippets"
	}
	return personal
}

// address returns the address of a snippet.
func address(row model.SnippetRow) string {
	id := strconv.FormatInt(row.Snippet.ID, 10)
	if row.Project != nil {
		return "/" + row.Project.FullPath + "/-/snippets/" + id
	}
	return personal + "/" + id
}

// find returns the snippet of an address, if the caller can see it, and its project, if it has one.
func (p *Pages) find(v *page.Visit) (model.SnippetRow, *model.ProjectRow, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.SnippetRow{}, nil, page.NotFound()
	}
	ctx := v.Request().Context()
	if v.Project != nil {
		row, err := p.Snippets.InProject(ctx, *v.Project, id)
		return row, v.Project, page.Hide(apierr.OrNotFound(err))
	}
	row, in, err := p.Access.Snippet(ctx, id, access.ReadProjectSnippet)
	if err = page.Hide(apierr.OrNotFound(err)); err == nil && in != nil && v.Request().Method == http.MethodPost {
		err = page.NotFound() // the forms of a project's snippet have the address of the project
	}
	return row, in, err
}

// findForChange returns the snippet of an address, if the caller may change it.
func (p *Pages) findForChange(v *page.Visit) (model.SnippetRow, error) {
	row, in, err := p.find(v)
	if err != nil {
		return row, err
	}
	if in != nil && v.Project == nil {
		return row, page.NotFound()
	}
	err = snippet.MayChange(v.Request().Context(), row, in)
	if v.Request().Method != http.MethodPost {
		err = page.Hide(err)
	}
	return row, err
}

// view returns a page, with the tab of the project or the way to it.
func (p *Pages) view(v *page.Visit, name, title string, data any, crumbs ...page.Link) page.View {
	view := page.View{Templates: p.templates, Name: name, Title: title, Data: data, Tab: page.TabSnippets, Crumbs: crumbs}
	if name != "list" {
		view.Crumbs = append([]page.Link{{Path: base(v), Label: "Snippets"}}, crumbs...)
	}
	return view
}
