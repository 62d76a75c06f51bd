package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Entry is an entry of a tree.
type Entry struct {
	ID   string
	Name string
	Mode uint32
}

// The kinds of entries.
const (
	KindTree   = "tree"
	KindBlob   = "blob"
	KindCommit = "commit" // a submodule
)

// Kind returns the kind of object that the entry points to.
func (e Entry) Kind() string {
	switch e.Mode {
	case 0o40000:
		return KindTree
	case 0o160000:
		return KindCommit
	}
	return KindBlob
}

// ModeText returns the mode as git prints it.
func (e Entry) ModeText() string { return fmt.Sprintf("%06o", e.Mode) }

const maxTree = 32 << 20 // bytes of one tree; an entry takes at least 30

// Tree reads the entries of a tree, named by its id, in git's order.
func (r Repo) Tree(ctx context.Context, id string) ([]Entry, error) {
	if entries, ok := r.all.cache.trees.Get(r.dir + id); ok {
		return entries, nil
	}
	info, data, err := r.Object(ctx, id, maxTree)
	if err != nil {
		return nil, err
	}
	if info.Kind != KindTree {
		return nil, ErrNotFound
	}
	entries, err := parseTree(data)
	if _, waits := r.findBuffered(id); err == nil && !waits {
		r.all.cache.trees.Set(r.dir+id, entries)
	}
	return entries, err
}

// parseTree reads repeated «mode name NUL id».
func parseTree(data []byte) ([]Entry, error) {
	const idBytes = 20
	entries := make([]Entry, 0, len(data)/40)
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte(" "))
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		bits, err := strconv.ParseUint(string(mode), 8, 32)
		if !ok || !ok2 || err != nil || len(rest) < idBytes {
			return nil, fmt.Errorf("cannot parse the tree")
		}
		entries = append(entries, Entry{ID: hex.EncodeToString(rest[:idBytes]), Name: string(name), Mode: uint32(bits)})
		data = rest[idBytes:]
	}
	return entries, nil
}

// TreeAt finds the entry at a path in a commit. The root is an entry without a name.
func (r Repo) TreeAt(ctx context.Context, commit, path string) (Entry, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return Entry{}, err
	}
	at := Entry{ID: c.Tree, Mode: 0o40000}
	if path == "" {
		return at, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if at.Kind() != KindTree {
			return Entry{}, ErrNotFound
		}
		entries, err := r.Tree(ctx, at.ID)
		if err != nil {
			return Entry{}, err
		}
		found, ok := entryNamed(entries, part)
		if !ok {
			return Entry{}, ErrNotFound
		}
		at = found
	}
	return at, nil
}

// entryNamed finds an entry by its name or, if that is not UTF-8, by its Latin 1 reading.
func entryNamed(entries []Entry, name string) (Entry, bool) {
	for _, e := range entries {
		if e.Name == name {
			return e, true
		}
	}
	for _, e := range entries {
		if readable(e.Name) == name {
			return e, true
		}
	}
	return Entry{}, false
}
