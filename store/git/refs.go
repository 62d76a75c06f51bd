package git

import (
	"bufio"
	"bytes"
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
	return r.packed(name)
}

func (r Repo) packed(name string) (string, error) {
	file, err := os.Open(filepath.Join(r.dir, "packed-refs"))
	if err != nil {
		return "", ErrNotFound
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		id, found, ok := bytes.Cut(lines.Bytes(), []byte(" "))
		if ok && string(found) == name && IsID(string(id)) {
			return string(id), nil
		}
	}
	return "", ErrNotFound
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
	found := map[string]string{}
	if err := r.loose(strings.TrimSuffix(prefix, "/"), found); err != nil {
		return nil, err
	}
	if file, err := os.Open(filepath.Join(r.dir, "packed-refs")); err == nil {
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			id, name, ok := strings.Cut(lines.Text(), " ")
			if ok && IsID(id) && strings.HasPrefix(name, prefix) && found[name] == "" {
				found[name] = id
			}
		}
		file.Close()
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	refs := make([]Ref, 0, len(found))
	for name, id := range found {
		refs = append(refs, Ref{Name: name, ID: id})
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs, nil
}

func (r Repo) loose(folder string, found map[string]string) error {
	entries, err := os.ReadDir(filepath.Join(r.dir, folder))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := folder + "/" + e.Name()
		if e.IsDir() {
			if err := r.loose(name, found); err != nil {
				return err
			}
			continue
		}
		if data, err := os.ReadFile(filepath.Join(r.dir, name)); err == nil && ValidRef(name) {
			if id := strings.TrimSpace(string(data)); IsID(id) {
				found[name] = id
			}
		}
	}
	return nil
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
