package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ref is a name in a repository and what it stands for.
type Ref struct {
	Name string // in full
	ID   string
}

// NotUpdated is why a ref was not changed that is not any more what was expected, or whose name collides with another's.
const NotUpdated = "failed to update ref"

// Ref reads what a full name stands for, straight from the files: a loose one, else a packed one.
func (r Repo) Ref(name string) (string, error) {
	if !ValidRef(name) {
		return "", ErrNotFound
	}
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err == nil {
		if id := strings.TrimSpace(string(data)); IsID(id) {
			return id, nil
		}
		return "", ErrNotFound
	}
	return r.packedRef(name)
}

func (r Repo) packedRef(name string) (string, error) {
	refs, err := r.packed()
	if err != nil {
		return "", ErrNotFound
	}
	at, ok := slices.BinarySearchFunc(refs, name, func(ref Ref, name string) int { return strings.Compare(ref.Name, name) })
	if !ok {
		return "", ErrNotFound
	}
	return refs[at].ID, nil
}

// Head is the branch that is cloned by default, and its commit: empty in an empty repository.
func (r Repo) Head() (branch, id string) {
	data, err := os.ReadFile(filepath.Join(r.dir, "HEAD"))
	if err != nil {
		return "", ""
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: refs/heads/")
	if !ok {
		return "", ""
	}
	id, err = r.Ref("refs/heads/" + name)
	if err != nil {
		return name, ""
	}
	return name, id
}

// Refs returns the refs below a prefix like refs/heads/, in the order of their names. Loose ones are read first: while refs
// are being packed each is in one place or in both, if one looks in that order.
func (r Repo) Refs(prefix string) ([]Ref, error) {
	found, err := r.loose(strings.TrimSuffix(prefix, "/"), nil)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, byRefName) // a folder comes before its neighbours otherwise
	all, err := r.packed()
	return merged(found, below(all, prefix)), err
}

// loose appends the refs in a folder that have files of their own.
func (r Repo) loose(folder string, found []Ref) ([]Ref, error) {
	entries, err := os.ReadDir(filepath.Join(r.dir, folder))
	if errors.Is(err, os.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := folder + "/" + e.Name()
		if e.IsDir() {
			if found, err = r.loose(name, found); err != nil {
				return nil, err
			}
			continue
		}
		if !ValidRef(name) {
			continue
		}
		if id, ok := readRef(filepath.Join(r.dir, name)); ok {
			found = append(found, Ref{Name: name, ID: id})
		}
	}
	return found, nil
}

// Resolve finds the commit that a caller's revision means: a branch, a tag, an id or part of one, or any of these with ~
// and ^; empty or HEAD is the tip of the default branch. A whole id is never a branch or tag of that name. A commit that no ref leads to is
// not there.
func (r Repo) Resolve(ctx context.Context, rev string) (string, error) {
	if rev == "" || rev == "HEAD" {
		if _, id := r.Head(); id != "" {
			return id, nil
		}
		return "", ErrNotFound
	}
	if !ValidRevision(rev) {
		return "", ErrNotFound
	}
	if id, ok := r.named(rev); ok {
		return r.peel(ctx, id)
	}
	if i := strings.IndexAny(rev, "~^"); i > 0 {
		if ref, ok := r.named(rev[:i]); ok {
			return r.step(ctx, ref+rev[i:]) // is behind a ref
		}
	}
	if base, _, _ := strings.Cut(strings.ReplaceAll(rev, "^", "~"), "~"); LooksLikeID(base) && len(base) != len(Zero) {
		return "", ErrNotFound // git would look for a ref
	}
	id, err := r.peel(ctx, rev)
	if err != nil {
		return "", err
	}
	ok, err := r.reachable(ctx, id)
	if err == nil && !ok {
		err = ErrNotFound
	}
	if err != nil {
		return "", err
	}
	return id, nil
}

// named is what a branch, a tag or a full name stands for.
func (r Repo) named(name string) (string, bool) {
	if LooksLikeID(name) {
		return "", false
	}
	if name == "HEAD" {
		_, id := r.Head()
		return id, id != ""
	}
	for _, full := range []string{"refs/heads/" + name, "refs/tags/" + name, name} {
		if id, err := r.Ref(full); err == nil {
			return id, true
		}
	}
	return "", false
}

// step is peel for steps from an id, as in id~2, which always lead to the same commit.
func (r Repo) step(ctx context.Context, rev string) (string, error) {
	if id, ok := r.all.cache.steps.Get(r.dir + rev); ok {
		return id, nil
	}
	id, err := r.peel(ctx, rev)
	if err == nil {
		r.all.cache.steps.Set(r.dir+rev, id)
	}
	return id, err
}

// peel is the commit behind a tag or a revision.
func (r Repo) peel(ctx context.Context, rev string) (string, error) {
	if IsID(rev) {
		if kind, ok := r.all.cache.kind(r.dir, rev); ok && kind == "commit" {
			return rev, nil
		}
	}
	info, err := r.Info(ctx, rev+"^{commit}")
	if err != nil {
		return "", err
	}
	r.all.cache.setKind(r.dir, info.ID, "commit")
	return info.ID, nil
}
