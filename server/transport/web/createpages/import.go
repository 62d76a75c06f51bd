package createpages

import (
	"svc/server/domain/project/export"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// newImport shows the form for a project from a file. The parameter namespace is the path of its group.
// GET /-/projects/import
func (p *Pages) newImport(v *page.Visit) error {
	if err := p.Exports.CheckSource(); err != nil {
		return err
	}
	return p.showImport(v, nil)
}

func (p *Pages) showImport(v *page.Visit, refused error) error {
	place, err := p.placeField(v, v.QueryParam("namespace"))
	if err != nil {
		return err
	}
	view := page.FormPage{
		Intro: []string{
			"The file is an export of a project, from its advanced settings here or on another instance. Texts of users whom this " +
				"instance does not know will belong to you, and begin with a line that names the author. Import only files that you trust.",
		},
		Form:  page.ImportForm(importProjectPath, "Import project", place),
		Links: []page.Link{{Path: newProjectPath, Label: "New project"}},
	}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: "Import a project", Data: &view})
}

// createImport makes a project from a file. A job imports its content.
// POST /-/projects/import
func (p *Pages) createImport(v *page.Visit) error {
	made, err := p.importFile(v)
	if err != nil {
		return p.showImport(v, err)
	}
	ctx, to := v.Request().Context(), "/"+made.FullPath
	row, err := p.Store.Projects.Get(ctx, made.ID, "", access.Reader(ctx))
	if err != nil {
		return err
	}
	if row.Role() >= model.Maintainer {
		to += "/-/import"
	}
	return v.Done(to, "The project was made. Its content is being imported.")
}

func (p *Pages) importFile(v *page.Visit) (made model.Project, err error) {
	ctx := v.Request().Context()
	if _, err := access.Allow(ctx, access.CreateProject); err != nil {
		return made, err
	}
	if err := p.Exports.CheckSource(); err != nil {
		return made, err
	}
	if err := p.Limit(ctx, 0); err != nil {
		return made, err
	}
	in, err := p.placeOf(v)
	if err != nil {
		return made, err
	}
	u, err := page.ReceiveArchive(v, p.Exports.Receive)
	if err != nil {
		return made, err
	}
	r := export.Request{Place: in, Name: v.Value("name"), Path: v.Value("path")}
	if r.Name == "" {
		r.Name = r.Path
	}
	made, err = p.Exports.Import(ctx, p.Projects, r, u)
	if err != nil {
		p.Exports.Discard(ctx, u)
	}
	return made, err
}

// mostFailures is how many records that could not be imported the page shows.
const mostFailures = 100

// progress shows how far the import of a project is, and what could not be imported.
// GET /{project}/-/import
func (p *Pages) progress(v *page.Visit) error {
	ctx, row := v.Request().Context(), v.Project.Project
	view, err := page.NewImportView("/"+row.FullPath, "project", row.ImportStatus, row.ImportError)
	if err != nil {
		return err
	}
	if view.Running { // the number is known while a file is imported
		records, err := p.Store.ProjectFileImports.Imported(ctx, row.ID)
		if err != nil {
			return err
		}
		if records > 0 {
			view.Progress = page.Count(records, "record") + " so far."
		}
	}
	if view.Failures, err = p.Store.ProjectFileImports.Failures(ctx, row.ID, mostFailures); err != nil {
		return err
	}
	view.More = len(view.Failures) == mostFailures
	return v.ShowImport(view)
}
