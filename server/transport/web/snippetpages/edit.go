package snippetpages

import (
	"errors"

	"svc/openapi/wire"
	"svc/server/domain/snippet"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

const (
	createLabel = "Create the snippet"
	saveLabel   = "Save the snippet"
	editTitle   = "Edit the snippet"
)

// newForm shows the form of a new snippet.
// GET /-/snippets/new, GET /{project}/-/snippets/new
func (p *Pages) newForm(v *page.Visit) error {
	d := draft{visibility: p.Store.Settings.Current().DefaultSnippetVisibility, files: []draftFile{{}, {}}}
	return p.showForm(v, "New snippet", d.form(base(v)+"/new", createLabel))
}

// create creates a snippet.
// POST /-/snippets/new, POST /{project}/-/snippets/new
func (p *Pages) create(v *page.Visit) error {
	d := draftOf(v)
	form := d.form(base(v)+"/new", createLabel)
	broken := d.broken()
	if len(d.newFiles()) == 0 {
		broken["file_name_0"] = []string{"can't be blank"}
	}
	if len(broken) > 0 {
		return p.showForm(v, "New snippet", form.With(broken))
	}
	made := snippet.Draft{Title: d.title, Description: &d.description, Visibility: d.level(), Files: d.newFiles()}
	if v.Project != nil {
		made.Project = &v.Project.Project
	}
	row, err := p.Snippets.Create(v.Request().Context(), made)
	if refused, ok := form.Refused(err); ok {
		return p.showForm(v, "New snippet", refused)
	}
	if err != nil {
		return err
	}
	return v.Done(address(row), "The snippet was created.")
}

// editForm shows the form to change a snippet.
// GET /-/snippets/{id}/edit, GET /{project}/-/snippets/{id}/edit
func (p *Pages) editForm(v *page.Visit) error {
	row, err := p.findForChange(v)
	if err != nil {
		return err
	}
	d := draft{title: row.Snippet.Title, visibility: row.Snippet.Visibility.String()}
	if row.Snippet.Description != nil {
		d.description = *row.Snippet.Description
	}
	files, notes, err := p.editable(v, row)
	if err != nil {
		return err
	}
	for _, name := range row.Snippet.Paths() {
		if content, ok := files[name]; ok {
			d.files = append(d.files, draftFile{previous: name, path: name, content: content})
		}
	}
	if len(row.Snippet.Paths()) < maxFiles {
		d.files = append(d.files, draftFile{})
	}
	return p.showForm(v, editTitle, d.form(address(row)+"/edit", saveLabel), notes...)
}

// editable returns the contents of the files that can be changed on a page, and sentences about the others.
func (p *Pages) editable(v *page.Visit, row model.SnippetRow) (map[string]string, []string, error) {
	ctx := v.Request().Context()
	files, notes, texts := map[string]string{}, []string(nil), []string{wire.Value(row.Snippet.Description)}
	for _, name := range row.Snippet.Paths() {
		found, err := p.Snippets.Find(ctx, row, "", name)
		if err != nil {
			return nil, nil, err
		}
		data, err := found.Read(ctx, page.MaxEdit)
		switch {
		case errors.Is(err, git.ErrTooLarge) || err == nil && (isBinary(data) || !page.Editable(append(texts, string(data))...)):
			notes = append(notes, name+" is not text, or too large to be changed here. Change it with git.")
		case err != nil:
			return nil, nil, err
		default:
			files[name], texts = string(data), append(texts, string(data))
		}
	}
	return files, notes, nil
}

// edit changes a snippet.
// POST /-/snippets/{id}/edit, POST /{project}/-/snippets/{id}/edit
func (p *Pages) edit(v *page.Visit) error {
	row, err := p.findForChange(v)
	if err != nil {
		return err
	}
	d := draftOf(v)
	form := d.form(address(row)+"/edit", saveLabel)
	if broken := d.broken(); len(broken) > 0 {
		return p.showForm(v, editTitle, form.With(broken))
	}
	before, _, err := p.editable(v, row)
	if err != nil {
		return err
	}
	visibility := visibilities[d.visibility]
	change := snippet.Change{Title: &d.title, Description: &d.description, Visibility: &visibility}
	if actions := d.actions(before); len(actions) > 0 {
		change.Files = &actions
	}
	row, err = p.Snippets.Apply(v.Request().Context(), row, change)
	if refused, ok := form.Refused(err); ok {
		return p.showForm(v, editTitle, refused)
	}
	if err != nil {
		return err
	}
	return v.Done(address(row), "The snippet was saved.")
}

// delete deletes a snippet with its files.
// POST /-/snippets/{id}/delete, POST /{project}/-/snippets/{id}/delete
func (p *Pages) delete(v *page.Visit) error {
	row, err := p.findForChange(v)
	if err != nil {
		return err
	}
	if err := p.Snippets.Delete(v.Request().Context(), row, nil); err != nil {
		return err
	}
	return v.Done(base(v), "The snippet was deleted.")
}
