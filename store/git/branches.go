package git

import (
	"context"
	"crypto/sha256"
	"strings"
)

// Merged returns which of the given branches (short names with their tips) have been merged into a commit. The answers
// are cached by ids.
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
	if len(ask) == 0 {
		return merged, nil
	}
	tips := make([]string, len(ask))
	for i, b := range ask {
		tips[i] = b.ID
	}
	found, err := r.allBehind(ctx, into, tips)
	if err != nil {
		return nil, err
	}
	for i, b := range ask {
		merged[b.Name] = found[i]
		r.all.cache.merged.Set(r.dir+into+b.ID, found[i])
	}
	return merged, nil
}

// allBehind returns which tips are in the history of a commit, or are that commit. It walks once for all tips.
func (r Repo) allBehind(ctx context.Context, into string, tips []string) ([]bool, error) {
	a, numbers, err := r.ancestry(ctx, r.graph(), append([]string{into}, tips...))
	if err == nil {
		if found := a.behind(numbers[0], numbers[1:]); !a.broken {
			return found, nil
		}
	}
	ahead, err := r.listed(ctx, tips, into)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(tips))
	for i, tip := range tips {
		found[i] = !ahead[tip]
	}
	return found, nil
}

// Containing returns the short names of the refs below a prefix like refs/heads/ that have a commit in their history.
// The answer is cached as long as these refs do not change.
func (r Repo) Containing(ctx context.Context, id, prefix string) ([]string, error) {
	if !IsID(id) || !strings.HasPrefix(prefix, "refs/") {
		return nil, ErrNotFound
	}
	refs, err := r.Refs(prefix)
	if err != nil {
		return nil, err
	}
	key := r.dir + id + stateOf(refs)
	held, known := r.all.cache.holding.Get(key)
	if !known {
		if held, err = r.holding(ctx, id, refs); err != nil {
			return nil, err
		}
		r.all.cache.holding.Set(key, held)
	}
	var names []string
	for i, ref := range refs {
		if held[i] {
			names = append(names, strings.TrimPrefix(ref.Name, prefix))
		}
	}
	return names, nil
}

// stateOf returns a hash of refs and their values.
func stateOf(refs []Ref) string {
	sum, text := sha256.New(), make([]byte, 0, 4096)
	for _, ref := range refs {
		text = append(append(append(append(text, ref.ID...), ' '), ref.Name...), '\n')
		if len(text) > cap(text)/2 {
			sum.Write(text)
			text = text[:0]
		}
	}
	sum.Write(text)
	return string(sum.Sum(nil))
}
