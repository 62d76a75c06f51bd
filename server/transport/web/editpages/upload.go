package editpages

import (
	"io"

	"svc/server/transport/web/page"
	"svc/store/git"
)

// uploadForm shows the form that uploads a file into a folder.
// GET /{project}/-/upload/{branch}/{folder}
func (p *Pages) uploadForm(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil {
		return err
	}
	return p.showUpload(v, in, nil)
}

func (p *Pages) showUpload(v *page.Visit, in place, refused error) error {
	fields, err := p.commitFields(v, in, "Upload a file")
	if err != nil {
		return err
	}
	return showForm(v, "Upload a file", page.TabFiles, &page.FormPage{
		Form: page.Form{Action: address(v, "upload", in.Branch, in.Path), Submit: "Upload", Files: true, Fields: append([]page.Field{
			{Name: "upload", Label: "File", Type: "file", Required: true, Hint: "At most 10 MiB"},
			{Name: "replace", Label: "Replace a file that has the same name", Type: "checkbox"},
		}, fields...)},
		Links: []page.Link{{Path: address(v, "tree", in.Branch, in.Path), Label: "Back to the folder"}},
	}, refused)
}

// upload commits a file that was uploaded.
// POST /{project}/-/upload/{branch}/{folder}
func (p *Pages) upload(v *page.Visit) error {
	in, err := p.place(v)
	if err != nil {
		return err
	}
	change, err := uploaded(v, in)
	if err != nil {
		return p.showUpload(v, in, err)
	}
	branch, err := p.commit(v, in, []git.Change{change}, nil)
	if err != nil {
		return p.showUpload(v, in, err)
	}
	return v.Done(address(v, "blob", branch, change.Path), "The file was committed.")
}

// uploaded reads the file of the form.
func uploaded(v *page.Visit, in place) (git.Change, error) {
	file, header, err := v.Request().FormFile("upload")
	if err != nil {
		return git.Change{}, page.Broken(map[string][]string{"upload": {"is missing"}})
	}
	defer file.Close()
	name := header.Filename
	if in.Path != "" {
		name = in.Path + "/" + name
	}
	if _, err := cleanFile(name); err != nil {
		return git.Change{}, page.Broken(map[string][]string{"upload": {"has a name that git does not accept"}})
	}
	content, err := io.ReadAll(io.LimitReader(file, maxUpload+1))
	if err != nil {
		return git.Change{}, page.BadForm(err)
	}
	if len(content) > maxUpload {
		return git.Change{}, page.Broken(map[string][]string{"upload": {"is too large (at most 10 MiB)"}})
	}
	change := git.Change{Action: git.ActionCreate, Path: name, Content: content}
	if v.Value("replace") != "" {
		if _, err := in.repo.TreeAt(v.Request().Context(), in.Commit, name); err == nil {
			change.Action = git.ActionUpdate
		}
	}
	return change, nil
}
