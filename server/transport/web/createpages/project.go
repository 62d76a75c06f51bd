package createpages

import (
	"html/template"
	"unicode/utf8"

	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const maxDescription = 2000 // characters

// newProject shows the form for a new project. The parameter namespace is the path of its group.
// GET /-/projects/new
func (p *Pages) newProject(v *page.Visit) error { return p.showNew(v, nil) }

func (p *Pages) showNew(v *page.Visit, refused error) error {
	place, err := p.placeField(v, v.QueryParam("namespace"))
	if err != nil {
		return err
	}
	view := page.FormPage{
		About: &page.About{Texts: []template.HTML{page.Markdown(p.Store.Settings.Current().Appearance.NewProjectGuidelines)}},
		Intro: []string{"A project has a repository, issues, merge requests, pipelines and packages."},
		Form: page.Form{Action: newProjectPath, Submit: "Create project", Fields: []page.Field{
			{Name: "name", Label: "Name", Type: "text", Required: true, Focus: true},
			{Name: "path", Label: "Path", Type: "text", Hint: "The part of the address. Leave it empty to derive it from the name."},
			place,
			{Name: "description", Label: "Description", Type: "textarea", Rows: 3},
			page.VisibilityField(p.Store.Settings.Current().ProjectVisibility()),
			{
				Name: "import_url", Label: "Import from", Type: "text",
				Hint: "The URL of a git repository on another server, with user and password if it needs them. Leave it empty " +
					"for a new repository.",
			},
			{
				Name: "readme", Label: "Begin with a README", Type: "checkbox", Checked: true,
				Hint: "Without it, the repository is empty, and you can push one that you have. An imported repository gets none.",
			},
		}},
	}
	if p.Exports.CheckSource() == nil {
		view.Links = []page.Link{{Path: importProjectPath, Label: "Import a project from a file"}}
	}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: "New project", Data: &view})
}

// createProject makes a project.
// POST /-/projects/new
func (p *Pages) createProject(v *page.Visit) error {
	made, err := p.create(v)
	if err != nil {
		return p.showNew(v, err)
	}
	return v.Done("/"+made.FullPath, "The project was made.")
}

func (p *Pages) create(v *page.Visit) (model.Project, error) {
	ctx := v.Request().Context()
	if _, err := access.Allow(ctx, access.CreateProject); err != nil {
		return model.Project{}, err
	}
	name, description := v.Value("name"), v.Text("description")
	if utf8.RuneCountInString(description) > maxDescription {
		return model.Project{}, page.Broken(map[string][]string{"description": {"is too long (maximum is 2000 characters)"}})
	}
	visibility, err := v.Visibility()
	if err != nil {
		return model.Project{}, err
	}
	in, err := p.placeOf(v)
	if err != nil {
		return model.Project{}, err
	}
	n := project.New{
		Change: project.Change{
			Name: &name, Path: given(v.Value("path")), Visibility: &visibility, Settings: map[string]any{"description": &description},
		},
		OwnerID: v.Actor.User.ID,
	}
	if from := v.Value("import_url"); from != "" {
		return p.Remotes.Create(ctx, p.Projects, in, n, from)
	}
	n.Readme = v.Value("readme") != ""
	return p.Projects.Create(ctx, in, n)
}
