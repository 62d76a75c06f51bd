package createpages

import (
	"context"
	"embed"

	"svc/server/domain/project"
	"svc/server/domain/project/export"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store    *store.Store
	Projects *project.Service
	Remotes  *remote.Service
	Exports  *export.Service
	// Limit refuses imports that one caller makes too often; the ID is 0.
	Limit func(ctx context.Context, id int64) error
}

// Pages make projects.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

const (
	newProjectPath    = "/-/projects/new"
	importProjectPath = "/-/projects/import"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Get(newProjectPath, page.Members, p.newProject)
	r.Post(newProjectPath, page.Members, p.createProject)
	r.Get(importProjectPath, page.Members, p.newImport)
	r.Post(importProjectPath, page.Members, p.createImport).MaxForm(page.MaxImport)
	r.Project("GET", "import", access.ReadProjectImport, p.progress)
	r.Project("GET", "forks", access.ReadProject, p.forks)
	r.Project("GET", "forks/new", access.ForkProject, p.newFork)
	r.Project("POST", "forks/new", access.ForkProject, p.createFork)
}

// mostPlaces is the number of groups that a form offers.
const mostPlaces = 200

// placeField is the choice of a namespace for a new project: the user's own, and groups in which they may make projects.
func (p *Pages) placeField(v *page.Visit, chosen string) (page.Field, error) {
	ctx := v.Request().Context()
	own := v.Actor.User.Username
	f := page.Field{Name: "namespace", Label: "Place", Type: "select", Options: []page.Option{{Value: own, Label: own + " (you)"}}}
	groups, _, err := p.Store.Namespaces.ListForProjects(ctx, store.GroupFilter{}, *access.Reader(ctx), store.Page{Limit: mostPlaces})
	for _, g := range groups {
		f.Options = append(f.Options, page.Option{Value: g.FullPath, Label: g.FullPath, Chosen: g.FullPath == chosen})
	}
	return f, err
}

// placeOf returns the place that the form names.
func (p *Pages) placeOf(v *page.Visit) (project.Place, error) {
	ctx := v.Request().Context()
	owner, err := p.Store.Users.Get(ctx, v.Actor.User.ID)
	if err != nil {
		return project.Place{}, err
	}
	in, err := p.Projects.MayCreateIn(ctx, owner, v.Value("namespace"))
	if store.IsNotFound(err) || page.IsMissing(err) {
		err = page.Broken(map[string][]string{"namespace": {"was not found"}})
	}
	return in, err
}

// given returns nil for an empty text.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
