package snippets

import (
	"context"
	"slices"
	"strconv"

	"svc/gen"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

const (
	maxFiles     = 10
	defaultName  = "snippetfile1.txt"
	maxUserAgent = 255
)

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

// fileChanges returns the requested changes of a snippet's files. paths are the present files.
func fileChanges(body gen.SnippetUpdate, paths []string) ([]git.Change, error) {
	if body.Files != nil {
		return fileActions(*body.Files)
	}
	if body.Content == nil && body.FileName == nil {
		return nil, nil
	}
	if len(paths) != 1 {
		return nil, apierr.BadParameter("Use files to change a snippet with several files")
	}
	c := git.Change{Action: git.ActionUpdate, Path: paths[0]}
	if body.FileName != nil && *body.FileName != paths[0] {
		c.Action, c.Path, c.Previous = git.ActionMove, *body.FileName, paths[0]
	}
	if body.Content != nil {
		c.Content = []byte(*body.Content)
	}
	if c.Action == git.ActionUpdate && c.Content == nil {
		return nil, nil
	}
	return []git.Change{c}, nil
}

// fileActions reads the list of file actions in a request.
func fileActions(actions []gen.SnippetFileAction) ([]git.Change, error) {
	all := make([]git.Change, len(actions))
	for i, a := range actions {
		at := "files[" + strconv.Itoa(i) + "]"
		c := git.Change{Action: string(a.Action)}
		if a.FilePath != nil {
			c.Path = *a.FilePath
		}
		if a.PreviousPath != nil {
			c.Previous = *a.PreviousPath
		}
		if a.Content != nil {
			c.Content = []byte(*a.Content)
		}
		writes := c.Action == git.ActionCreate || c.Action == git.ActionUpdate
		switch {
		case c.Path == "":
			return nil, apierr.BadParameter(at + "[file_path] is missing")
		case c.Action == git.ActionMove && c.Previous == "":
			return nil, apierr.BadParameter(at + "[previous_path] is missing")
		case writes && c.Content == nil:
			return nil, apierr.BadParameter(at + "[content] is missing")
		}
		all[i] = c
	}
	return all, nil
}

// pathsAfter returns the sorted paths after the changes. It does not check whether the changes fit the files: the commit
// does that.
func pathsAfter(paths []string, changes []git.Change) ([]string, error) {
	left := slices.Clone(paths)
	gone := func(path string) {
		left = slices.DeleteFunc(left, func(p string) bool { return p == path })
	}
	for _, c := range changes {
		path, _ := git.CleanPath(c.Path)
		switch c.Action {
		case git.ActionCreate:
			left = append(left, path)
		case git.ActionDelete:
			gone(path)
		case git.ActionMove:
			previous, _ := git.CleanPath(c.Previous)
			gone(previous)
			left = append(left, path)
		}
	}
	switch {
	case len(left) == 0:
		return nil, apierr.Refused("A snippet must have at least one file")
	case len(left) > maxFiles:
		return nil, apierr.Refused("A snippet can have at most " + strconv.Itoa(maxFiles) + " files")
	}
	slices.Sort(left)
	return left, nil
}

// create creates a snippet and its repository. in is nil for a personal snippet.
func (s *Snippets) create(ctx context.Context, in *model.Project, body gen.SnippetCreate) (model.SnippetRow, error) {
	files, err := newFiles(body)
	if err != nil {
		return model.SnippetRow{}, err
	}
	paths, err := pathsAfter(nil, files)
	if err != nil {
		return model.SnippetRow{}, err
	}
	info := reqctx.Of(ctx)
	author, err := s.store.Users.Get(ctx, info.Actor.User.ID)
	if err != nil {
		return model.SnippetRow{}, err
	}
	person, err := s.writer.Caller(ctx)
	if err != nil {
		return model.SnippetRow{}, err
	}
	agent := info.Header.Get("User-Agent")
	row := model.SnippetRow{Author: author, Project: in, Snippet: model.Snippet{
		AuthorID: author.ID, Title: body.Title, Description: body.Description, RepositoryStorage: model.DefaultStorage,
		UserAgent: agent[:min(len(agent), maxUserAgent)], IPAddress: info.IP.String(),
	}}
	if body.Visibility != nil {
		row.Snippet.Visibility = visibilities[*body.Visibility]
	}
	if in != nil {
		row.Snippet.ProjectID = &in.ID
	}
	if err := row.Snippet.SetPaths(paths); err != nil {
		return model.SnippetRow{}, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.Snippets.Create(ctx, &row.Snippet); err != nil {
			return events.Change{}, err
		}
		head, err := s.repositories.New(ctx, repositoryOf(row), lifecycle.Edit{
			Author: person, Message: "Create the snippet",
			Changes: func(git.Repo, string) ([]git.Change, error) { return files, nil },
		})
		if err != nil {
			return events.Change{}, err
		}
		return auditChange(row, "snippet_created", "Created snippet"),
			s.store.OtherRepositories.SetHead(ctx, model.SnippetRepository, row.Snippet.ID, head)
	})
	return row, commit.Explain(err)
}

// update changes the fields of a snippet, and its files if the body has any.
func (s *Snippets) update(ctx context.Context, row model.SnippetRow, body gen.SnippetUpdate) (model.SnippetRow, error) {
	set := map[string]any{}
	if body.Title != nil {
		set["title"] = *body.Title
	}
	if body.Description != nil {
		set["description"] = *body.Description
	}
	if body.Visibility != nil {
		set["visibility"] = visibilities[*body.Visibility]
	}
	told := func(ctx context.Context) (events.Change, error) {
		return auditChange(row, "snippet_updated", "Changed snippet"), s.store.Snippets.Update(ctx, row.Snippet.ID, set)
	}
	var err error
	switch {
	case body.Files != nil || body.Content != nil || body.FileName != nil:
		err = s.rewrite(ctx, row, body, set, told)
	case len(set) > 0:
		err = events.Audited(ctx, s.store, told)
	}
	if err != nil {
		return model.SnippetRow{}, commit.Explain(err)
	}
	return s.store.Snippets.Get(ctx, row.Snippet.ID)
}

// rewrite changes the files of a snippet, and the columns in set.
func (s *Snippets) rewrite(
	ctx context.Context, row model.SnippetRow, body gen.SnippetUpdate, set map[string]any,
	told func(context.Context) (events.Change, error),
) error {
	person, err := s.writer.Caller(ctx)
	if err != nil {
		return err
	}
	none := false
	_, err = s.repositories.Write(ctx, repositoryOf(row), lifecycle.Edit{
		Author: person, Message: "Update the snippet",
		Changes: func(git.Repo, string) ([]git.Change, error) {
			now, err := s.store.Snippets.Get(ctx, row.Snippet.ID) // read again, now that other writers of this repository have to wait
			if err != nil {
				return nil, err
			}
			all, err := fileChanges(body, now.Snippet.Paths())
			if none = len(all) == 0; err != nil || none {
				return nil, err
			}
			left, err := pathsAfter(now.Snippet.Paths(), all)
			if err != nil {
				return nil, err
			}
			if err := now.Snippet.SetPaths(left); err != nil {
				return nil, err
			}
			set["files"] = now.Snippet.Files
			return all, nil
		},
		Record: func(ctx context.Context, _ string) error {
			return events.Audited(ctx, s.store, told)
		},
	})
	if err == nil && none && len(set) > 0 {
		return events.Audited(ctx, s.store, told)
	}
	return err
}
