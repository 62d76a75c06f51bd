package editpages

import (
	"errors"
	"path"
	"strings"

	"svc/server/domain/repository/browse"
	"svc/server/domain/repository/commit"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// editorView is the content of the page on which a file is written.
type editorView struct {
	Form    page.Form // the fields besides the content
	Content string
	Path    string // of a file that exists; empty for a new one
	Current string // the address of the file as it is now; set after somebody else has changed it
	Cancel  string
}

// newFile shows the form for a new file in a folder.
// GET /{project}/-/new/{branch}/{folder}
func (p *Pages) newFile(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil {
		return err
	}
	return p.showNewFile(v, in, nil)
}

func (p *Pages) showNewFile(v *page.Visit, in place, refused error) error {
	start := in.Path
	if start != "" {
		start += "/"
	}
	view := editorView{Content: v.Text("content"), Cancel: address(v, "tree", in.Branch, in.Path)}
	fields, err := p.commitFields(v, in, "Add a file")
	if err != nil {
		return err
	}
	view.Form = page.Form{Action: address(v, "new", in.Branch, in.Path), Submit: "Commit", Fields: append([]page.Field{
		{Name: "file", Label: "Path of the file", Type: "text", Value: start, Required: true, Focus: true, Autocomplete: "off"},
	}, fields...)}
	return p.showEditor(v, "New file", &view, refused)
}

// showEditor shows the page with a file that is written.
func (p *Pages) showEditor(v *page.Visit, title string, view *editorView, refused error) error {
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "editor", Status: status, Title: title, Tab: page.TabFiles, Wide: true, Data: view,
	})
}

// createFile makes a file.
// POST /{project}/-/new/{branch}/{folder}
func (p *Pages) createFile(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil {
		return err
	}
	file, err := cleanFile(v.Value("file"))
	if err != nil {
		return p.showNewFile(v, in, err)
	}
	branch, err := p.commit(v, in, []git.Change{{Action: git.ActionCreate, Path: file, Content: []byte(v.Text("content"))}}, nil)
	if err != nil {
		return p.showNewFile(v, in, err)
	}
	return v.Done(address(v, "blob", branch, file), "The file was committed.")
}

// cleanFile returns the path of a file, and refuses one that git would write differently.
func cleanFile(given string) (string, error) {
	if clean, ok := git.CleanPath(given); ok && clean == given && clean != "" {
		return given, nil
	}
	return "", page.Broken(map[string][]string{"file": {"is not a valid path of a file"}})
}

// text is a file that can be edited.
type text struct {
	content string
	last    string // the last commit that changed it
	windows bool   // its lines end with \r\n
}

// errNotText refuses files that the editor would damage.
var errNotText = apierr.Unprocessable("This file cannot be edited in the browser, because it is too large or not UTF-8 text. Clone the " +
	"project to change it.")

// read reads the file of a place for the editor.
func (p *Pages) read(v *page.Visit, in place) (text, error) {
	ctx := v.Request().Context()
	entry, err := in.repo.TreeAt(ctx, in.Commit, in.Path)
	if errors.Is(err, git.ErrNotFound) || err == nil && entry.Kind() != git.KindBlob {
		return text{}, page.NotFound()
	}
	if err != nil {
		return text{}, err
	}
	_, data, err := in.repo.Object(ctx, entry.ID, page.MaxEdit)
	if errors.Is(err, git.ErrTooLarge) {
		return text{}, errNotText
	}
	if err != nil {
		return text{}, err
	}
	content, encoding, ok := browse.Text(data)
	if !ok || encoding != browse.UTF8 || content != string(data) || !page.Editable(content) {
		return text{}, errNotText
	}
	last, err := in.repo.LastCommit(ctx, in.Commit, in.Path)
	return text{content: content, last: last, windows: strings.Contains(content, "\r\n")}, err
}

// editFile shows the form that changes a file.
// GET /{project}/-/edit/{branch}/{file}
func (p *Pages) editFile(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil || in.Path == "" {
		return errors.Join(err, missingPath(in))
	}
	file, err := p.read(v, in)
	if err != nil {
		return err
	}
	return p.showEdit(v, in, file, nil)
}

// missingPath returns a 404 for a place without a path.
func missingPath(in place) error {
	if in.Path == "" {
		return page.NotFound()
	}
	return nil
}

func (p *Pages) showEdit(v *page.Visit, in place, file text, refused error) error {
	fields, err := p.commitFields(v, in, "Change "+path.Base(in.Path))
	if err != nil {
		return err
	}
	view := editorView{
		Content: file.content, Path: in.Path, Cancel: address(v, "blob", in.Branch, in.Path),
		Form: page.Form{Action: address(v, "edit", in.Branch, in.Path), Submit: "Commit", Fields: fields, Hidden: []page.Field{
			{Name: "last_commit", Value: file.last}, {Name: "head", Value: in.Commit},
		}},
	}
	if file.windows {
		view.Form.Hidden = append(view.Form.Hidden, page.Field{Name: "windows", Value: "1"})
	}
	if refused != nil { // keep the text, and what the person has seen
		view.Content = v.Text("content")
		view.Form.Hidden[0].Value, view.Form.Hidden[1].Value = v.Value("last_commit"), v.Value("head")
		view.Current = address(v, "blob", in.Branch, in.Path)
	}
	return p.showEditor(v, "Edit "+path.Base(in.Path), &view, refused)
}

// changeFile changes a file, unless somebody else has changed it since the form was opened.
// POST /{project}/-/edit/{branch}/{file}
func (p *Pages) changeFile(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil || in.Path == "" {
		return errors.Join(err, missingPath(in))
	}
	content := v.Text("content")
	if v.Value("windows") != "" {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	change := git.Change{Action: git.ActionUpdate, Path: in.Path, Content: []byte(content)}
	seen := []commit.Seen{{Path: in.Path, Commit: v.Value("last_commit"), Text: changed}}
	branch, err := p.commit(v, in, []git.Change{change}, seen)
	if err != nil {
		return p.showEdit(v, in, text{last: v.Value("last_commit"), windows: v.Value("windows") != ""}, err)
	}
	return v.Done(address(v, "blob", branch, in.Path), "The file was committed.")
}

// deleteFileForm asks for the message of the commit that deletes a file.
// GET /{project}/-/delete/{branch}/{file}
func (p *Pages) deleteFileForm(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil || in.Path == "" {
		return errors.Join(err, missingPath(in))
	}
	if entry, err := in.repo.TreeAt(v.Request().Context(), in.Commit, in.Path); err != nil || entry.Kind() != git.KindBlob {
		return page.NotFound()
	}
	return p.showDelete(v, in, nil)
}

func (p *Pages) showDelete(v *page.Visit, in place, refused error) error {
	fields, err := p.commitFields(v, in, "Delete "+path.Base(in.Path))
	if err != nil {
		return err
	}
	return showForm(v, "Delete "+path.Base(in.Path), page.TabFiles, &page.FormPage{
		Intro: []string{"The file stays in the history."},
		Form: page.Form{
			Action: address(v, "delete", in.Branch, in.Path), Submit: "Delete file", Danger: true, Fields: fields,
			Hidden: []page.Field{{Name: "head", Value: in.Commit}},
		},
		Links: []page.Link{{Path: address(v, "blob", in.Branch, in.Path), Label: "Back to the file"}},
	}, refused)
}

// deleteFile deletes a file.
// POST /{project}/-/delete/{branch}/{file}
func (p *Pages) deleteFile(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil || in.Path == "" {
		return errors.Join(err, missingPath(in))
	}
	branch, err := p.commit(v, in, []git.Change{{Action: git.ActionDelete, Path: in.Path}}, nil)
	if err != nil {
		return p.showDelete(v, in, err)
	}
	return v.Done(folder(v, branch, in.Path), "The file was deleted.")
}
