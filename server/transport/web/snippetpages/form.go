package snippetpages

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/server/domain/snippet"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

const (
	maxTitle = 255
	maxFiles = 10
)

var visibilities = map[string]model.Visibility{
	model.Private.String(): model.Private, model.Internal.String(): model.Internal, model.Public.String(): model.Public,
}

// draft is the form of a snippet.
type draft struct {
	title, description, visibility string
	files                          []draftFile
}

// level returns the chosen visibility.
func (d draft) level() *model.Visibility {
	chosen := visibilities[d.visibility]
	return &chosen
}

// draftFile is a file of the form.
type draftFile struct {
	previous      string // the path before; empty for a new file
	path, content string
	remove        bool
}

// draftOf reads the form that was sent. Browsers send lines that end in CR and LF.
func draftOf(v *page.Visit) draft {
	d := draft{
		title: strings.TrimSpace(v.Value("title")), description: unix(v.Value("description")), visibility: v.Value("visibility"),
	}
	for i := range maxFiles + 1 {
		n := strconv.Itoa(i)
		if _, sent := v.Request().PostForm["file_name_"+n]; !sent {
			break
		}
		d.files = append(d.files, draftFile{
			previous: v.Value("previous_" + n), path: strings.TrimSpace(v.Value("file_name_" + n)),
			content: unix(v.Value("content_" + n)), remove: v.Value("remove_"+n) != "",
		})
	}
	return d
}

func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// broken returns the rules that the form breaks. The domain checks the rest.
func (d draft) broken() map[string][]string {
	broken := map[string][]string{}
	switch {
	case d.title == "":
		broken["title"] = []string{"can't be blank"}
	case utf8.RuneCountInString(d.title) > maxTitle:
		broken["title"] = []string{"is too long (maximum is 255 characters)"}
	}
	if _, known := visibilities[d.visibility]; !known {
		broken["visibility"] = []string{"is not a visibility"}
	}
	for i, f := range d.files {
		n := strconv.Itoa(i)
		switch {
		case f.remove || f.unused():
		case f.path == "":
			broken["file_name_"+n] = []string{"can't be blank"}
		case len(f.path) > maxTitle:
			broken["file_name_"+n] = []string{"is too long (maximum is 255 characters)"}
		}
		if !f.remove && !f.unused() && f.content == "" {
			broken["content_"+n] = []string{"can't be blank"}
		}
	}
	return broken
}

// unused reports whether the fields of a further file were left empty.
func (f draftFile) unused() bool { return f.previous == "" && f.path == "" && f.content == "" }

// newFiles returns the files of a new snippet.
func (d draft) newFiles() []git.Change {
	var all []git.Change
	for _, f := range d.files {
		if !f.unused() {
			all = append(all, git.Change{Action: git.ActionCreate, Path: f.path, Content: []byte(f.content)})
		}
	}
	return all
}

// actions returns what becomes of the files of a snippet, given their contents before.
func (d draft) actions(before map[string]string) []snippet.FileAction {
	var all []snippet.FileAction
	for _, f := range d.files {
		switch old, known := before[f.previous]; {
		case f.unused(), !known && f.previous != "":
		case f.previous == "":
			all = append(all, snippet.FileAction{Action: git.ActionCreate, Path: &f.path, Content: &f.content})
		case f.remove:
			all = append(all, snippet.FileAction{Action: git.ActionDelete, Path: &f.previous})
		case f.path != f.previous:
			all = append(all, snippet.FileAction{Action: git.ActionMove, Path: &f.path, Previous: &f.previous, Content: &f.content})
		case f.content != unix(old):
			all = append(all, snippet.FileAction{Action: git.ActionUpdate, Path: &f.path, Content: &f.content})
		}
	}
	return all
}

// form returns the form of a snippet.
func (d draft) form(action, submit string) page.Form {
	form := page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "title", Label: "Title", Type: "text", Value: d.title, Required: true, Autocomplete: "off"},
		{Name: "description", Label: "Description", Type: "textarea", Value: d.description, Rows: 3, Hint: "In Markdown."},
		page.Select(
			"visibility", "Visibility", d.visibility,
			page.Option{Value: model.Private.String(), Label: "Private: only you, or the members of the project"},
			page.Option{Value: model.Internal.String(), Label: "Internal: everyone who is signed in"},
			page.Option{Value: model.Public.String(), Label: "Public: everyone"},
		),
	}}
	for i, f := range d.files {
		n := strconv.Itoa(i)
		label := "File name"
		if f.previous == "" && i > 0 {
			label = "Name of a further file"
		}
		form.Hidden = append(form.Hidden, page.Field{Name: "previous_" + n, Value: f.previous})
		form.Fields = append(form.Fields,
			page.Field{Name: "file_name_" + n, Label: label, Type: "text", Value: f.path, Autocomplete: "off"},
			page.Field{Name: "content_" + n, Label: "Content", Type: "textarea", Value: f.content, Rows: 12},
		)
		if f.previous != "" && len(d.files) > 2 {
			form.Fields = append(form.Fields, page.Field{
				Name: "remove_" + n, Label: "Remove " + f.previous, Type: "checkbox", Checked: f.remove,
			})
		}
	}
	return form
}

// showForm shows the form of a snippet, again if it is broken.
func (p *Pages) showForm(v *page.Visit, title string, form page.Form, notes ...string) error {
	status := http.StatusOK
	if form.Broken() {
		status = http.StatusUnprocessableEntity
	}
	view := p.view(v, "form_page", title, page.FormPage{Intro: notes, Form: form})
	view.Status = status
	return v.Show(view)
}
