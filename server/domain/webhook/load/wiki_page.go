package load

import (
	"context"
	"errors"
	"path"
	"strings"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// maxWikiPage is how many bytes of a wiki page are read.
const maxWikiPage = 16 << 20

// WikiPage reads the content of a page of a project's wiki, and the newest commit of the wiki. A page that is gone has no
// content.
func (l *Loader) WikiPage(ctx context.Context, p model.Project, slug string) (content, version string, err error) {
	place, err := l.store.OtherRepositories.Place(ctx, model.ProjectWikiRepository, p.ID)
	if store.IsNotFound(err) || err == nil && place.Head == "" {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	content, err = wikiPage(ctx, l.repos.ProjectWiki(place.Storage, p.ID), place.Head, slug)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrTooLarge) {
		err = nil
	}
	return content, place.Head, err
}

// wikiPage reads the file of a page, whose name is the slug with an extension.
func wikiPage(ctx context.Context, repo git.Repo, commit, slug string) (string, error) {
	folder, name := path.Split(slug)
	at, err := repo.TreeAt(ctx, commit, strings.TrimSuffix(folder, "/"))
	if err != nil {
		return "", err
	}
	entries, err := repo.Tree(ctx, at.ID)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Kind() == git.KindBlob && strings.TrimSuffix(e.Name, path.Ext(e.Name)) == name {
			_, data, err := repo.Object(ctx, e.ID, maxWikiPage)
			return strings.ToValidUTF8(string(data), "\uFFFD"), err
		}
	}
	return "", git.ErrNotFound
}
