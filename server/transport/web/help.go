package web

import (
	"html/template"

	"svc/server/transport/web/page"
)

// helpPath is the address of the help page, which every page links to.
const helpPath = "/-/help"

// helpView is the content of the help page.
type helpView struct {
	Guides    []navLink
	Shortcuts []page.Shortcut
	Text      template.HTML // of the administrators
}

// guides are the guides that the help page links to.
var guides = []navLink{
	{Path: "/-/docs/first-steps", Label: "First steps"},
	{Path: "/-/docs", Label: "All guides"},
	{Path: "/-/docs/api", Label: "Reference of the API"},
	{Path: explorerPath, Label: "API explorer"},
}

// help shows where to find help, and the keyboard shortcuts.
// GET /-/help
func (w *Web) help(v *Visit) error {
	view := helpView{Guides: guides, Shortcuts: page.Shortcuts()}
	if text := w.store.Settings.Current().HelpPageText; text != nil {
		view.Text = page.Markdown(*text)
	}
	return v.Visit.Show(page.View{Templates: w.templates, Name: "help", Title: "Help", Data: view})
}
