package createpages

import (
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// forksView is the content of the page with the forks of a project.
type forksView struct {
	New   string // where a fork is made; empty if the caller may not make one
	Forks []model.ProjectRow
	Pager page.Pager
}

// forks lists the forks that the caller can see.
// GET /{project}/-/forks
func (p *Pages) forks(v *page.Visit) error {
	ctx, at := v.Request().Context(), v.Pager()
	rows, total, err := p.Store.Projects.List(ctx, store.ProjectFilter{ForkedFrom: &v.Project.Project.ID},
		store.ProjectOrder{Column: "last_activity_at", Desc: true}, access.Reader(ctx), at.Page)
	if err != nil {
		return err
	}
	view := forksView{Forks: rows, Pager: at.Of(total.More)}
	if v.May(access.ForkProject) && v.Project.MayFork() {
		view.New = forkPath(v)
	}
	return v.Show(page.View{Templates: p.templates, Name: "forks", Title: "Forks", Tab: page.TabHome, Data: view})
}

func forkPath(v *page.Visit) string { return "/" + v.Project.Project.FullPath + "/-/forks/new" }

// newFork shows the form for a fork.
// GET /{project}/-/forks/new
func (p *Pages) newFork(v *page.Visit) error {
	if !v.Project.MayFork() {
		return page.NotFound()
	}
	return p.showFork(v, nil)
}

func (p *Pages) showFork(v *page.Visit, refused error) error {
	source := v.Project.Project
	place, err := p.placeField(v, "")
	if err != nil {
		return err
	}
	view := page.FormPage{
		Intro: []string{"A fork is a copy of the project in which you can make changes. Merge requests bring them back."},
		Form: page.Form{Action: forkPath(v), Submit: "Fork project", Fields: []page.Field{
			{Name: "name", Label: "Name", Type: "text", Value: source.Name, Required: true},
			{Name: "path", Label: "Path", Type: "text", Value: source.Path, Required: true},
			place,
			page.VisibilityField(source.Visibility),
		}},
	}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: "Fork", Tab: page.TabHome, Data: &view})
}

// createFork makes a fork. A job copies the repository.
// POST /{project}/-/forks/new
func (p *Pages) createFork(v *page.Visit) error {
	if !v.Project.MayFork() {
		return apierr.Forbidden()
	}
	made, err := p.fork(v)
	if err != nil {
		return p.showFork(v, err)
	}
	return v.Done("/"+made.FullPath, "The fork was made. Its repository is copied now.")
}

func (p *Pages) fork(v *page.Visit) (model.Project, error) {
	visibility, err := v.Visibility()
	if err != nil {
		return model.Project{}, err
	}
	f := project.NewFork{Name: given(v.Value("name")), Path: given(v.Value("path")), Visibility: &visibility}
	if err := f.Check(); err != nil {
		return model.Project{}, err
	}
	in, err := p.placeOf(v)
	if err != nil {
		return model.Project{}, err
	}
	return p.Projects.Fork(v.Request().Context(), v.Project.Project, in, f)
}
