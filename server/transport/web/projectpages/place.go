package projectpages

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/repository/browse"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

// place is where a page is in a repository.
type place struct {
	browse.Place

	Root string // the address of the project
	repo git.Repo
	Refs refList
}

// refList are the branches and tags that a page offers.
type refList struct {
	Branches, Tags []page.Link
	More           bool // there are others
}

const maxOffered = 20 // branches or tags

// repository opens the repository of the project of a page.
func (p *Pages) repository(v *page.Visit) (git.Repo, error) {
	project := v.Project.Project
	return p.Repositories.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
}

// place finds the place of an address; kind is the part of addresses before it, such as "tree".
func (p *Pages) place(v *page.Visit, kind string) (place, error) {
	address := strings.TrimSuffix(v.Param("*"), "/")
	if address == "" {
		return place{}, page.NotFound()
	}
	repo, err := p.repository(v)
	if err != nil {
		return place{}, err
	}
	found, err := browse.Resolve(v.Request().Context(), repo, address)
	if err != nil {
		return place{}, orNotFound(err)
	}
	at := place{Place: found, Root: root(v.Project.Project), repo: repo}
	at.Refs, err = at.offered(kind)
	return at, err
}

// offered returns branches and tags that lead to the same page.
func (at place) offered(kind string) (refList, error) {
	var all refList
	for _, list := range []struct {
		prefix string
		into   *[]page.Link
	}{{"refs/heads/", &all.Branches}, {"refs/tags/", &all.Tags}} {
		refs, err := at.repo.Refs(list.prefix)
		if err != nil {
			return refList{}, err
		}
		all.More = all.More || len(refs) > maxOffered
		for _, ref := range refs[:min(len(refs), maxOffered)] {
			name := strings.TrimPrefix(ref.Name, list.prefix)
			*list.into = append(*list.into, page.Link{Path: at.in(kind, name, at.Path), Label: name, Here: name == at.Ref})
		}
	}
	return all, nil
}

// in returns the address of a kind of page of a path in a ref.
func (at place) in(kind, ref, path string) string {
	address := at.Root + "/-/" + kind + "/" + page.EscapePath(ref)
	if path != "" {
		address += "/" + page.EscapePath(path)
	}
	return address
}

// To returns the address of a kind of page of this place.
func (at place) To(kind string) string { return at.in(kind, at.Ref, at.Path) }

// Of returns the address of a kind of page of another path in the same ref.
func (at place) Of(kind, path string) string { return at.in(kind, at.Ref, path) }

// Permanent returns the address of a kind of page that always shows the same.
func (at place) Permanent(kind string) string { return at.in(kind, at.Commit, at.Path) }

// Commits returns the address of a commit.
func (at place) Show(id string) string { return at.Root + "/-/commit/" + id }

// Parts returns the folders above the path, from the root downward, and the path itself.
func (at place) Parts() []page.Link {
	var all []page.Link
	if at.Path == "" {
		return nil
	}
	parts := strings.Split(at.Path, "/")
	for i, name := range parts {
		all = append(all, page.Link{Path: at.Of("tree", strings.Join(parts[:i+1], "/")), Label: name, Here: i+1 == len(parts)})
	}
	return all
}

// Archives returns the addresses of archives of this place.
func (at place) Archives(project model.Project) []page.Link {
	var all []page.Link
	name := project.Path + "-" + strings.ReplaceAll(at.Ref, "/", "-")
	for _, format := range []string{"zip", "tar.gz", "tar.bz2", "tar"} {
		to := at.Root + "/-/archive/" + page.EscapePath(at.Ref) + "/" + page.EscapePath(name) + "." + format
		all = append(all, page.Link{Path: to, Label: format})
	}
	return all
}

// crumbs returns the breadcrumbs of a page in a place.
func (at place) crumbs() []page.Link { return []page.Link{{Path: at.Of("tree", ""), Label: at.Ref}} }

func root(p model.Project) string { return "/" + p.FullPath }

// orNotFound turns a missing or malformed git name into a page that does not exist.
func orNotFound(err error) error {
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
		return page.NotFound()
	}
	return err
}

// byID reads commits, and returns them by their IDs.
func byID(ctx context.Context, repo git.Repo, ids []string) (map[string]git.Commit, error) {
	seen, unique := map[string]git.Commit{}, []string{}
	for _, id := range ids {
		if _, ok := seen[id]; !ok {
			seen[id] = git.Commit{}
			unique = append(unique, id)
		}
	}
	commits, err := repo.Commits(ctx, unique)
	for _, c := range commits {
		seen[c.ID] = c
	}
	return seen, err
}
