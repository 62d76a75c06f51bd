package wikipages

import (
	"net/http"
	"strings"

	"svc/server/domain/repository/wiki"
	"svc/server/transport/web/page"
)

// formats are the formats of pages, with their names.
var formats = []page.Option{
	{Value: wiki.Markdown, Label: "Markdown"},
	{Value: wiki.RDoc, Label: "RDoc"},
	{Value: wiki.AsciiDoc, Label: "AsciiDoc"},
	{Value: wiki.Org, Label: "Org"},
}

const maxTitle = 1024

// draft is the form of a page as it was sent.
type draft struct{ title, format, content, seen string }

func draftOf(v *page.Visit) draft {
	return draft{
		title: strings.TrimSpace(v.Value("title")), format: v.Value("format"),
		content: strings.ReplaceAll(v.Value("content"), "\r\n", "\n"), seen: v.Value("seen"),
	}
}

// broken returns the rules that the form breaks. The wiki itself checks the rest.
func (d draft) broken() map[string][]string {
	broken := map[string][]string{}
	switch {
	case d.title == "":
		broken["title"] = []string{"can't be blank"}
	case len(d.title) > maxTitle:
		broken["title"] = []string{"is too long (maximum is 1024 characters)"}
	}
	known := false
	for _, f := range formats {
		known = known || f.Value == d.format
	}
	if !known {
		broken["format"] = []string{"is not a format"}
	}
	return broken
}

// form returns the form of a page.
func (d draft) form(action, submit string) page.Form {
	return page.Form{Action: action, Submit: submit, Hidden: []page.Field{{Name: "seen", Value: d.seen}}, Fields: []page.Field{
		{
			Name: "title", Label: "Title", Type: "text", Value: d.title, Required: true, Autocomplete: "off",
			Hint: "A slash begins a folder: guides/First steps.",
		},
		page.Select("format", "Format", d.format, formats...),
		{Name: "content", Label: "Text", Type: "textarea", Value: d.content, Rows: 24},
	}}
}

func (p *Pages) showForm(v *page.Visit, at place, title string, form page.Form, status int) error {
	return v.Show(page.View{
		Name: "form_page", Status: status, Title: title, Tab: page.TabWiki, Crumbs: at.crumbs(), Data: page.FormPage{Form: form},
	})
}

// newForm shows the form of a new page.
// GET /{project}/-/wiki/new
func (p *Pages) newForm(v *page.Visit, at place) error {
	d := draft{title: v.QueryParam("title"), format: wiki.Markdown}
	return p.showForm(v, at, "New page", d.form(at.Base+"wiki/new", "Create the page"), http.StatusOK)
}

// create creates a page.
// POST /{project}/-/wiki/new
func (p *Pages) create(v *page.Visit, at place) error {
	d := draftOf(v)
	form := d.form(at.Base+"wiki/new", "Create the page")
	if broken := d.broken(); len(broken) > 0 {
		return p.showForm(v, at, "New page", form.With(broken), http.StatusUnprocessableEntity)
	}
	made, err := p.wikis.Create(v.Request().Context(), at.Place, d.title, d.format, d.content)
	if refused, ok := form.Refused(err); ok {
		return p.showForm(v, at, "New page", refused, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return v.Done(at.To(made.Slug), "The page was created.")
}

// editForm shows the form to change a page.
// GET /{project}/-/wiki/edit/{slug}
func (p *Pages) editForm(v *page.Visit, at place) error {
	ctx := v.Request().Context()
	opened, err := p.wikis.Open(ctx, at.Place, "")
	if err != nil {
		return err
	}
	text, err := opened.Read(ctx, v.Param("*"))
	if err != nil {
		return page.Hide(err)
	}
	if err := page.CheckEditable(text.Content, "Clone the repository of the wiki, change the file and push it."); err != nil {
		return err
	}
	d := draft{title: strings.ReplaceAll(text.Slug, "-", " "), format: text.Format, content: text.Content, seen: text.Blob}
	return p.showForm(v, at, "Edit "+text.Title, d.form(at.Act("edit", text.Slug), "Save the page"), http.StatusOK)
}

// edit changes a page. A title that leads to the same file leaves the name of the file alone.
// POST /{project}/-/wiki/edit/{slug}
func (p *Pages) edit(v *page.Visit, at place) error {
	d, slug := draftOf(v), v.Param("*")
	form := d.form(at.Act("edit", slug), "Save the page")
	if broken := d.broken(); len(broken) > 0 {
		return p.showForm(v, at, "Edit "+slug, form.With(broken), http.StatusUnprocessableEntity)
	}
	change := wiki.Change{Format: &d.format, Content: &d.content, Seen: d.seen}
	if d.title != strings.ReplaceAll(slug, "-", " ") {
		change.Title = &d.title
	}
	changed, err := p.wikis.Apply(v.Request().Context(), at.Place, slug, change)
	if refused, ok := form.Refused(err); ok {
		return p.showForm(v, at, "Edit "+slug, refused, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return v.Done(at.To(changed.Slug), "The page was saved.")
}

// delete deletes a page. Its history stays in the repository.
// POST /{project}/-/wiki/delete/{slug}
func (p *Pages) delete(v *page.Visit, at place) error {
	if err := p.wikis.Delete(v.Request().Context(), at.Place, v.Param("*"), nil); err != nil {
		return err
	}
	return v.Done(at.List(), "The page was deleted.")
}
