package snippet

import (
	"context"
	"errors"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// InProject returns a snippet of a project that the caller can see.
func (s *Service) InProject(ctx context.Context, in model.ProjectRow, id int64) (model.SnippetRow, error) {
	row, err := s.store.Snippets.Get(ctx, id)
	if err != nil {
		return model.SnippetRow{}, err
	}
	if row.Snippet.ProjectID == nil || *row.Snippet.ProjectID != in.Project.ID ||
		!access.ReadsSnippet(row.Snippet, &in, access.Reader(ctx)) {
		return model.SnippetRow{}, apierr.NotFound("Snippet")
	}
	return row, nil
}

// MayChange returns an error unless the caller is the author of the snippet, a maintainer of its project, or an
// administrator. in is nil for a personal snippet.
func MayChange(ctx context.Context, row model.SnippetRow, in *model.ProjectRow) error {
	actor := reqctx.Of(ctx).Actor
	switch {
	case actor == nil:
		return apierr.Unauthorized()
	case actor.User.Admin, actor.User.ID == row.Snippet.AuthorID, in != nil && in.Role() >= model.Maintainer:
		return nil
	}
	return apierr.Forbidden()
}

// File is a file of a snippet.
type File struct {
	Repo git.Repo
	Path string
	ID   string // of the content
}

// Find returns the file of a snippet at a path and a ref; an empty ref is the current state, and an empty path the first file.
func (s *Service) Find(ctx context.Context, row model.SnippetRow, ref, path string) (File, error) {
	repo, head, err := s.repositories.Open(ctx, Repository(row))
	if err != nil {
		return File{}, err
	}
	if path == "" {
		paths := row.Snippet.Paths()
		if len(paths) == 0 {
			return File{}, apierr.NotFound("File")
		}
		path = paths[0]
	}
	at := head
	if ref != "" && ref != model.SideBranch && ref != "HEAD" {
		at, err = repo.Resolve(ctx, ref)
	}
	clean, ok := git.CleanPath(path)
	if err == nil && (!ok || clean == "" || at == "") {
		err = git.ErrNotFound
	}
	var entry git.Entry
	if err == nil {
		entry, err = repo.TreeAt(ctx, at, clean)
	}
	if errors.Is(err, git.ErrNotFound) || err == nil && entry.Kind() != git.KindBlob {
		err = apierr.NotFound("File")
	}
	return File{repo, clean, entry.ID}, err
}

// Read returns the content of a file. One that is larger than most bytes is git.ErrTooLarge.
func (f File) Read(ctx context.Context, most int64) ([]byte, error) {
	_, data, err := f.Repo.Object(ctx, f.ID, most)
	return data, err
}
