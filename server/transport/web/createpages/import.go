package createpages

import (
	"errors"

	"svc/server/domain/archive"
	"svc/server/domain/project/export"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// maxArchive is the largest archive that the form takes, in bytes.
const maxArchive = 256 << 20

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
		Form: page.Form{Action: importProjectPath, Submit: "Import project", Files: true, Fields: []page.Field{
			{Name: "name", Label: "Name", Type: "text", Hint: "Leave it empty to use the path.", Focus: true},
			{Name: "path", Label: "Path", Type: "text", Required: true, Hint: "The part of the address."},
			place,
			{Name: "upload", Label: "File", Type: "file", Required: true, Hint: "At most 256 MiB. The API takes larger files."},
		}},
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
	u, err := p.receive(v)
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

// receive stores the file of the form.
func (p *Pages) receive(v *page.Visit) (u export.Upload, err error) {
	file, _, err := v.Request().FormFile("upload")
	if err != nil {
		return u, page.Broken(map[string][]string{"upload": {"is missing"}})
	}
	defer file.Close()
	u, err = p.Exports.Receive(v.Request().Context(), file)
	var refused *archive.BadArchiveError
	switch {
	case errors.As(err, &refused):
		err = page.Broken(map[string][]string{"upload": {"cannot be imported: " + refused.Text}})
	case errors.Is(err, archive.ErrTooLarge):
		err = page.Broken(map[string][]string{"upload": {"is larger than the settings of the instance allow"}})
	}
	return u, err
}

// progressView is the content of the page of an import.
type progressView struct {
	Root     string
	State    string
	Running  bool
	Records  int64  // how many are imported so far, while a file is imported
	Reason   string // why the import has failed
	Failures []model.ProjectImportFailure
	More     bool // there may be more failures
}

// mostFailures is how many records that could not be imported the page shows.
const mostFailures = 100

// importStates are the states of an import, for people.
var importStates = map[string]string{
	model.ImportScheduled: "The import waits to start.", model.ImportStarted: "The import is running.",
	model.ImportFinished: "The import is finished.", model.ImportFailed: "The import has failed.",
}

// progress shows how far the import of a project is, and what could not be imported.
// GET /{project}/-/import
func (p *Pages) progress(v *page.Visit) (err error) {
	ctx, row := v.Request().Context(), v.Project.Project
	view := progressView{
		Root: "/" + row.FullPath, State: importStates[row.ImportStatus],
		Running: row.ImportStatus == model.ImportScheduled || row.ImportStatus == model.ImportStarted,
	}
	if view.State == "" {
		return page.NotFound()
	}
	if row.ImportError != nil {
		view.Reason = *row.ImportError
	}
	if view.Running {
		if view.Records, err = p.Store.ProjectFileImports.Imported(ctx, row.ID); err != nil {
			return err
		}
	}
	if view.Failures, err = p.Store.ProjectFileImports.Failures(ctx, row.ID, mostFailures); err != nil {
		return err
	}
	view.More = len(view.Failures) == mostFailures
	return v.Show(page.View{Templates: p.templates, Name: "import", Title: "Import", Tab: page.TabHome, Data: view})
}
