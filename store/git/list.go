package git

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// ListOptions selects one page of the entries of a folder.
type ListOptions struct {
	Path      string // of the folder, clean
	Recursive bool
	Keyset    bool   // pages are found by a token instead of an offset
	Token     string // of the entry before the page; empty for the first page
	Offset    int
	Limit     int
}

// ListEntry is an entry with its path. Names that are not UTF-8 are read as Latin 1.
type ListEntry struct {
	Entry
	Path string
	Odd  bool // the name is not UTF-8: nothing can be found by the path
}

// ListPage is one page of a folder.
type ListPage struct {
	Entries []ListEntry
	More    bool
	Total   int    // of all pages
	Counted bool   // the total is known
	Token   string // for the next page, if there is one
}

// ErrBadToken is returned for a page token that names no entry.
var ErrBadToken = errors.New("no such entry")

const (
	maxWalked = 1000000 // entries that one walk may visit
	maxDepth  = 500     // folders in folders
)

// List reads one page of a folder in a commit: folders first, then the others, each by name. A recursive list has git's
// order. The walk ends when the page is full.
func (r Repo) List(ctx context.Context, commit string, l ListOptions) (ListPage, error) {
	folder, err := r.TreeAt(ctx, commit, l.Path)
	if err != nil {
		return ListPage{}, err
	}
	if folder.Kind() != KindTree {
		return ListPage{}, ErrNotFound
	}
	w := &walk{repo: r, recursive: l.Recursive}
	prefix := ""
	if l.Path != "" {
		prefix = l.Path + "/"
	}
	p := pager{ListOptions: l}
	p.id, p.skip, err = readToken(l.Token)
	if err != nil {
		return ListPage{}, err
	}
	w.visit = p.visit
	if err := w.folder(ctx, folder.ID, prefix, 0); err != nil {
		return ListPage{}, err
	}
	if p.id != "" {
		return ListPage{}, ErrBadToken
	}
	if n := len(p.page.Entries); n > 0 && p.page.More && l.Keyset {
		if p.page.Token, err = r.token(ctx, folder.ID, l.Recursive, p.first+n, p.page.Entries[n-1].ID); err != nil {
			return ListPage{}, err
		}
	}
	if !p.page.More {
		p.page.Total, p.page.Counted = w.seen, true
	} else if !l.Recursive {
		entries, err := r.Tree(ctx, folder.ID)
		if err != nil {
			return ListPage{}, err
		}
		p.page.Total, p.page.Counted = len(entries), true
	}
	return p.page, nil
}

// pager collects the entries of its page from a walk.
type pager struct {
	ListOptions
	page  ListPage
	id    string // of the entry before the page, until it was visited
	skip  int    // how many entries with that id come before it
	at    int    // entries visited
	first int    // position of the first entry of the page
}

func (p *pager) visit(e ListEntry) bool {
	p.at++
	switch {
	case p.id != "":
		if e.ID != p.id {
			return true
		}
		if p.skip--; p.skip < 0 {
			p.id, p.Offset = "", p.at
		}
		return true
	case p.at <= p.Offset:
		return true
	case len(p.page.Entries) == p.Limit:
		p.page.More = true
		return false
	case len(p.page.Entries) == 0:
		p.first = p.at - 1
	}
	p.page.Entries = append(p.page.Entries, e)
	return true
}

// readToken reads the id of an entry and, if several files have the same content, its position among them: id.2 is the
// second.
func readToken(token string) (string, int, error) {
	if token == "" {
		return "", 0, nil
	}
	id, number, several := strings.Cut(token, ".")
	if !IsID(id) {
		return "", 0, ErrBadToken
	}
	if !several {
		return id, 0, nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > maxWalked {
		return "", 0, ErrBadToken
	}
	return id, n - 1, nil
}

// token returns the token of the entry at position last, which has the given id.
func (r Repo) token(ctx context.Context, folder string, recursive bool, last int, id string) (string, error) {
	same, at := 0, 0
	w := &walk{repo: r, recursive: recursive, visit: func(e ListEntry) bool {
		if e.ID == id {
			same++
		}
		at++
		return at < last
	}}
	if err := w.folder(ctx, folder, "", 0); err != nil {
		return "", err
	}
	if same > 1 {
		return id + "." + strconv.Itoa(same), nil
	}
	return id, nil
}

// walk visits the entries of a folder until visit returns false.
type walk struct {
	repo      Repo
	recursive bool
	visit     func(ListEntry) bool
	seen      int
	ended     bool
}

func (w *walk) folder(ctx context.Context, id, prefix string, depth int) error {
	if depth > maxDepth {
		return ErrTooLarge
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := w.repo.Tree(ctx, id)
	if err != nil {
		return err
	}
	if !w.recursive {
		entries = foldersFirst(entries)
	}
	for _, e := range entries {
		w.seen++
		if w.seen > maxWalked {
			return ErrTooLarge
		}
		raw := e.Name
		e.Name = readable(raw)
		path := prefix + e.Name
		if !w.visit(ListEntry{Entry: e, Path: path, Odd: raw != e.Name}) {
			w.ended = true
			return nil
		}
		if !w.recursive || e.Kind() != KindTree {
			continue
		}
		if err := w.folder(ctx, e.ID, path+"/", depth+1); err != nil || w.ended {
			return err
		}
	}
	return nil
}

// foldersFirst puts folders, ordered by name, before all others. The others are ordered by name already; folders are
// not, because git sorts them as if their names ended with a slash.
func foldersFirst(entries []Entry) []Entry {
	ordered := make([]Entry, 0, len(entries))
	for _, e := range entries {
		if e.Kind() == KindTree {
			ordered = append(ordered, e)
		}
	}
	slices.SortFunc(ordered, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	for _, e := range entries {
		if e.Kind() != KindTree {
			ordered = append(ordered, e)
		}
	}
	return ordered
}
