package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Ref is a ref and the object that it points to.
type Ref struct {
	Name string // the full name
	ID   string
}

// NotUpdated is the reason for a ref that was not changed because it has another value than expected, or because its
// name collides with another.
const NotUpdated = "failed to update ref"

// Ref reads the value of a ref from the files: a loose one, else a packed one.
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

// Head returns the default branch and its commit. The commit is empty in an empty repository.
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

// Refs returns the refs below a prefix like refs/heads/, sorted by name. It reads loose refs first: while refs are
// being packed, a reader that looks in that order finds each ref in one place or in both.
func (r Repo) Refs(prefix string) ([]Ref, error) {
	found, err := r.loose(strings.TrimSuffix(prefix, "/"), nil)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, byRefName) // otherwise a folder comes before its neighbours
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

// Resolve finds the commit that a caller's revision means: a branch, a tag, an id or part of one, or any of these with
// ~ and ^; empty or HEAD is the tip of the default branch. A complete id is never a branch or tag of that name. A
// commit that no ref leads to is ErrNotFound.
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
			return r.step(ctx, ref+rev[i:]) // reachable, since it starts at a ref
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

// named returns the value of a branch, a tag or a full ref name.
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

// step does the same as peel for steps from an id, as in id~2, which always lead to the same commit and can be cached.
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

// peel returns the commit that a tag or a revision leads to.
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
