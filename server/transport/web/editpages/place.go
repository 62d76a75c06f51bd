package editpages

import (
	"errors"
	"path"
	"strings"

	"svc/server/domain/repository/browse"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// place is the branch, and the file or folder of it, that a page changes.
type place struct {
	Branch string
	Commit string // the head of the branch; empty in an empty repository
	Path   string
	repo   git.Repo
}

// place finds the place of an address. Only branches can be changed; in an empty repository, the first branch is made.
func (p *Pages) place(v *page.Visit) (place, error) {
	address := strings.Trim(v.Param("*"), "/")
	repo, err := p.repository(v)
	if err != nil {
		return place{}, err
	}
	found, err := browse.Resolve(v.Request().Context(), repo, address)
	if err == nil && found.Kind == browse.Branch {
		return place{Branch: found.Ref, Commit: found.Commit, Path: found.Path, repo: repo}, nil
	}
	if err != nil && !errors.Is(err, git.ErrNotFound) && !errors.Is(err, git.ErrBadName) {
		return place{}, err
	}
	if v.Project.Project.EmptyRepo && address == v.Project.Project.DefaultBranch {
		return place{Branch: address, repo: repo}, nil
	}
	return place{}, page.NotFound()
}

// address returns the address of a kind of page of a path in a branch.
func address(v *page.Visit, kind, branch, file string) string {
	to := at(v, kind+"/"+page.EscapePath(branch))
	if file != "" {
		to += "/" + page.EscapePath(file)
	}
	return to
}

// folder returns the address of the folder of a file.
func folder(v *page.Visit, branch, file string) string {
	if dir := path.Dir(file); dir != "." {
		return address(v, "tree", branch, dir)
	}
	return address(v, "tree", branch, "")
}
