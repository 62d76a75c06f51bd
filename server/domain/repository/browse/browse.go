// Package browse finds what people and programs look at in a repository by its address: a branch, tag or commit and a
// path in it, and the text of a file.
//
//	browse.go  refs and paths in addresses
//	text.go    the text of a file, in any encoding
package browse

import (
	"context"
	"strings"

	"svc/store/git"
)

// Kinds of refs.
const (
	Branch = "branch"
	Tag    = "tag"
	Commit = "commit"
)

// Place is where an address in a repository leads.
type Place struct {
	Ref    string // as the address has it
	Kind   string // of the ref
	Commit string // its id
	Path   string // clean; empty for the root
}

// mostParts is how many parts of an address are tried as the name of a branch or tag.
const mostParts = 50

// Resolve splits «ref/path»; both may contain slashes. The longest name of a branch or tag wins, then the first part as
// any revision. It returns git.ErrNotFound if there is no such ref, and does not check whether the path exists.
func Resolve(ctx context.Context, repo git.Repo, address string) (Place, error) {
	return resolve(ctx, repo, address, 0)
}

// ResolveFile is Resolve for addresses whose path is not empty.
func ResolveFile(ctx context.Context, repo git.Repo, address string) (Place, error) {
	place, err := resolve(ctx, repo, address, 1)
	if err == nil && place.Path == "" {
		err = git.ErrNotFound
	}
	return place, err
}

// resolve leaves at least a number of parts of the address to the path.
func resolve(ctx context.Context, repo git.Repo, address string, left int) (Place, error) {
	parts := strings.Split(address, "/")
	for n := min(len(parts)-left, mostParts); n > 0; n-- {
		name := strings.Join(parts[:n], "/")
		if !git.ValidTag(name) || git.LooksLikeID(name) {
			continue
		}
		for _, kind := range []struct{ prefix, name string }{{"refs/heads/", Branch}, {"refs/tags/", Tag}} {
			if _, err := repo.Ref(kind.prefix + name); err == nil {
				commit, err := repo.Resolve(ctx, kind.prefix+name)
				return at(Place{Ref: name, Kind: kind.name, Commit: commit}, parts[n:], err)
			}
		}
	}
	commit, err := repo.Resolve(ctx, parts[0])
	return at(Place{Ref: parts[0], Kind: Commit, Commit: commit}, parts[1:], err)
}

// at adds the path to a place.
func at(p Place, parts []string, err error) (Place, error) {
	path, ok := git.CleanPath(strings.Join(parts, "/"))
	if err == nil && !ok {
		err = git.ErrNotFound
	}
	p.Path = path
	return p, err
}
