package git

import (
	"context"
	"strings"
)

// maxNamed is how many refs are named on one command line.
const maxNamed = 500

// Merged tells which of the given branches, named in short with their tips, are behind a commit. What was found out once
// is remembered by the ids.
func (r Repo) Merged(ctx context.Context, into string, branches []Ref) (map[string]bool, error) {
	if !IsID(into) {
		return nil, ErrNotFound
	}
	merged := make(map[string]bool, len(branches))
	var ask []Ref
	for _, b := range branches {
		if is, ok := r.all.cache.merged.Get(r.dir + into + b.ID); ok {
			merged[b.Name] = is
		} else {
			ask = append(ask, b)
		}
	}
	for len(ask) > 0 {
		some := ask[:min(len(ask), maxNamed)]
		ask = ask[len(some):]
		found, err := r.behind(ctx, into, some)
		if err != nil {
			return nil, err
		}
		for _, b := range some {
			merged[b.Name] = found[b.Name+" "+b.ID]
			r.all.cache.merged.Set(r.dir+into+b.ID, merged[b.Name])
		}
	}
	return merged, nil
}

// behind asks git which branches are merged; a branch that has moved meanwhile is not what was asked for.
func (r Repo) behind(ctx context.Context, into string, branches []Ref) (map[string]bool, error) {
	args := []string{"for-each-ref", "--merged=" + into, "--format=%(refname:lstrip=2) %(objectname)", "--"}
	for _, b := range branches {
		args = append(args, "refs/heads/"+b.Name)
	}
	out, err := r.output(ctx, large, nil, args...)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		found[strings.TrimSuffix(line, "\n")] = true
	}
	return found, nil
}

// Containing returns the short names of the refs below a prefix like refs/heads/ that have a commit in their history.
func (r Repo) Containing(ctx context.Context, id, prefix string) ([]string, error) {
	if !IsID(id) || !strings.HasPrefix(prefix, "refs/") {
		return nil, ErrNotFound
	}
	out, err := r.output(ctx, large, nil, "for-each-ref", "--contains="+id, "--format=%(refname:lstrip=2)", "--", prefix)
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == '\n' }), nil
}
