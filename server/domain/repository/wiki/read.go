package wiki

import (
	"context"
	"errors"

	"svc/server/platform/apierr"
	"svc/store/git"
)

// Version is a wiki as it is at a commit.
type Version struct {
	Repo   git.Repo
	Commit string // empty if nothing was ever written
}

// Text is a page with its content.
type Text struct {
	Page
	Content string
	Blob    string // the ID of the content
}

// Open returns a wiki at a version, or as it is now if the version is empty.
func (s *Service) Open(ctx context.Context, in Place, version string) (Version, error) {
	repo, head, err := s.repositories.Open(ctx, in.Repository)
	if err != nil || version == "" || version == head {
		return Version{repo, head}, err
	}
	commit, err := repo.Resolve(ctx, version)
	if errors.Is(err, git.ErrNotFound) {
		err = Explain(ErrNotFound)
	}
	return Version{repo, commit}, err
}

// Pages returns the pages, ordered by path.
func (w Version) Pages(ctx context.Context) ([]Page, error) { return List(ctx, w.Repo, w.Commit) }

// Read returns the page with a slug.
func (w Version) Read(ctx context.Context, slug string) (Text, error) {
	found, err := Find(ctx, w.Repo, w.Commit, slug)
	if err != nil {
		return Text{}, Explain(err)
	}
	entry, err := w.Repo.TreeAt(ctx, w.Commit, found.Path)
	if err != nil {
		return Text{}, Explain(err)
	}
	content, err := Content(ctx, w.Repo, w.Commit, found)
	return Text{found, content, entry.ID}, Explain(err)
}

// File returns a file of the wiki: a page, or a file that pages link to.
func (w Version) File(ctx context.Context, path string) (git.Entry, error) {
	clean, ok := git.CleanPath(path)
	if !ok || clean == "" || w.Commit == "" {
		return git.Entry{}, apierr.NotFound("File")
	}
	entry, err := w.Repo.TreeAt(ctx, w.Commit, clean)
	if errors.Is(err, git.ErrNotFound) || err == nil && entry.Kind() != git.KindBlob {
		return git.Entry{}, apierr.NotFound("File")
	}
	return entry, err
}

// History returns commits that changed a page, the newest first: at most limit, after skipping the first ones.
func (w Version) History(ctx context.Context, p Page, skip, limit int) ([]git.Commit, error) {
	ids, err := w.Repo.Log(ctx, git.LogFilter{From: w.Commit, Path: p.Path}, skip, limit)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return w.Repo.Commits(ctx, ids)
}

// Changes returns the commit of the version, and how it changed the page with a slug. A page that the commit did not
// change, or a slug that it does not know, is a 404.
func (w Version) Changes(ctx context.Context, slug string) (git.Commit, git.FileDiff, error) {
	made, err := w.Repo.Commit(ctx, w.Commit)
	if err != nil {
		return made, git.FileDiff{}, err
	}
	before := git.EmptyTree
	if len(made.Parents) > 0 {
		before = made.Parents[0]
	}
	files, _, err := w.Repo.Diff(ctx, before, made.ID)
	if err != nil {
		return made, git.FileDiff{}, err
	}
	for _, f := range files {
		for _, path := range []string{f.NewPath, f.OldPath} {
			if p, ok := page(path); ok && p.Slug == slug {
				return made, f, nil
			}
		}
	}
	return made, git.FileDiff{}, Explain(ErrNotFound)
}

// unchanged refuses a change of a page whose content is no longer what the caller has seen.
func unchanged(ctx context.Context, repo git.Repo, head, slug, blob string) error {
	if blob == "" {
		return nil
	}
	found, err := Find(ctx, repo, head, slug)
	if err != nil {
		return err
	}
	entry, err := repo.TreeAt(ctx, head, found.Path)
	if err == nil && entry.ID != blob {
		err = apierr.Conflict("The page was changed by somebody else meanwhile. Copy your text, and edit the current page.")
	}
	return err
}
