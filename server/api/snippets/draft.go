package snippets

import (
	"svc/gen"
	"svc/server/domain/snippet"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

const defaultName = "snippetfile1.txt"

// draftFrom reads a new snippet from the request. in is nil for a personal snippet.
func draftFrom(in *model.Project, body gen.SnippetCreate) (snippet.Draft, error) {
	files, err := newFiles(body)
	d := snippet.Draft{Project: in, Title: body.Title, Description: body.Description, Files: files}
	if body.Visibility != nil {
		visibility := visibilities[*body.Visibility]
		d.Visibility = &visibility
	}
	return d, err
}

// newFiles returns the files of a new snippet.
func newFiles(body gen.SnippetCreate) ([]git.Change, error) {
	switch {
	case body.Files != nil && (body.Content != nil || body.FileName != nil):
		return nil, apierr.BadParameter("files, content are mutually exclusive")
	case body.Files != nil:
		changes := make([]git.Change, len(*body.Files))
		for i, f := range *body.Files {
			changes[i] = git.Change{Action: git.ActionCreate, Path: f.FilePath, Content: []byte(f.Content)}
		}
		return changes, nil
	case body.Content == nil:
		return nil, apierr.BadParameter("files, content are missing, exactly one parameter must be provided")
	}
	name := defaultName
	if body.FileName != nil {
		name = *body.FileName
	}
	return []git.Change{{Action: git.ActionCreate, Path: name, Content: []byte(*body.Content)}}, nil
}

// changeFrom reads a change of a snippet from the request.
func changeFrom(body gen.SnippetUpdate) snippet.Change {
	c := snippet.Change{
		Title: body.Title, Description: body.Description, FileName: body.FileName, Content: body.Content,
	}
	if body.Visibility != nil {
		visibility := visibilities[*body.Visibility]
		c.Visibility = &visibility
	}
	if body.Files != nil {
		actions := make([]snippet.FileAction, len(*body.Files))
		for i, f := range *body.Files {
			actions[i] = snippet.FileAction{
				Action: string(f.Action), Path: f.FilePath, Previous: f.PreviousPath, Content: f.Content,
			}
		}
		c.Files = &actions
	}
	return c
}

// visibilities maps the visibilities of the API to those of the model.
var visibilities = map[gen.Visibility]model.Visibility{
	gen.Visibility(model.Private.String()): model.Private, gen.Visibility(model.Internal.String()): model.Internal,
	gen.Visibility(model.Public.String()): model.Public,
}
