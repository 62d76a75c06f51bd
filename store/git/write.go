package git

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git's ids are made so
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The actions on a file.
const (
	ActionCreate = "create"
	ActionUpdate = "update"
	ActionDelete = "delete"
	ActionMove   = "move"
	ActionChmod  = "chmod"
	// ActionSubmodule lets an existing submodule point to the commit Link.
	ActionSubmodule = "submodule"
)

// Change is what a commit does to one file.
type Change struct {
	Action     string
	Path       string
	Previous   string // the old path of a moved file
	Content    []byte // nil keeps the content, if the action allows that
	Executable *bool
	Link       string // the commit of a submodule
}

// NewCommit is a commit to be made.
type NewCommit struct {
	Tree      string   // of the parent, or empty for the empty tree
	Parents   []string // none for the first commit
	Author    Person
	Committer Person
	Message   string
	Changes   []Change
}

// FileError is returned for a change that does not fit the existing files.
type FileError struct{ Path, Text string }

func (e *FileError) Error() string { return e.Text }

const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeTree       = 0o40000
)

// WriteCommit writes a commit and returns its id. No ref points to it yet. The commit is on disk when WriteCommit
// returns, unless the repository is buffered.
func (r Repo) WriteCommit(ctx context.Context, c NewCommit) (string, error) {
	if r.buffer != nil {
		return r.makeCommit(ctx, c)
	}
	buffered := r.Buffered()
	id, err := buffered.makeCommit(ctx, c)
	if err != nil {
		return "", err
	}
	return id, buffered.Flush()
}

func (r Repo) makeCommit(ctx context.Context, c NewCommit) (string, error) {
	tree := c.Tree
	if len(c.Changes) > 0 || tree == "" {
		root := &folder{id: c.Tree}
		for _, change := range c.Changes {
			if err := r.apply(ctx, root, change); err != nil {
				return "", err
			}
		}
		var err error
		if tree, err = r.writeTree(ctx, root); err != nil {
			return "", err
		}
		if tree == "" {
			if tree, err = r.writeObject("tree", nil); err != nil {
				return "", err
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, parent := range c.Parents {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", c.Author.line(), c.Committer.line(), c.Message)
	return r.writeObject("commit", b.Bytes())
}

// line formats a person for a commit, without characters that would break the line.
func (p Person) line() string {
	clean := func(text string) string {
		return strings.TrimSpace(strings.Map(func(r rune) rune {
			if r < ' ' || strings.ContainsRune("<>\x7f", r) {
				return -1
			}
			return r
		}, text))
	}
	return fmt.Sprintf("%s <%s> %d %s", clean(p.Name), clean(p.Email), p.When.Unix(), p.When.Format("-0700"))
}

// folder is a tree that is being changed. Parts that were not read are only an id.
type folder struct {
	id      string // empty for a new folder
	loaded  bool
	changed bool
	entries map[string]*node
}

type node struct {
	entry  Entry
	folder *folder // set for a tree that was read
}

// emptied reports whether a folder has lost all its files. Git stores no empty folders, so a file may take its name.
func (n *node) emptied() bool {
	if n.folder == nil || !n.folder.loaded {
		return false
	}
	for _, inside := range n.folder.entries {
		if !inside.emptied() {
			return false
		}
	}
	return true
}

func (r Repo) load(ctx context.Context, f *folder) error {
	if f.loaded {
		return nil
	}
	f.loaded, f.entries = true, map[string]*node{}
	if f.id == "" {
		return nil
	}
	entries, err := r.Tree(ctx, f.id)
	for _, e := range entries {
		n := &node{entry: e}
		if e.Kind() == KindTree {
			n.folder = &folder{id: e.ID}
		}
		f.entries[e.Name] = n
	}
	return err
}

// find walks to the folder of a path. With create it makes missing folders.
func (r Repo) find(ctx context.Context, root *folder, path string, create bool) (*folder, string, error) {
	parts := strings.Split(path, "/")
	at := root
	for _, part := range parts[:len(parts)-1] {
		if err := r.load(ctx, at); err != nil {
			return nil, "", err
		}
		next := at.entries[part]
		switch {
		case next != nil && next.folder == nil && !create:
			return nil, "", &FileError{path, "A file with this name doesn't exist"}
		case next != nil && next.folder == nil:
			return nil, "", &FileError{path, "A file with this name already exists"}
		case next == nil && !create:
			return nil, "", &FileError{path, "A file with this name doesn't exist"}
		case next == nil:
			next = &node{entry: Entry{Name: part, Mode: modeTree}, folder: &folder{loaded: true, entries: map[string]*node{}}}
			at.entries[part] = next
		}
		at = next.folder
	}
	return at, parts[len(parts)-1], r.load(ctx, at)
}

func (r Repo) apply(ctx context.Context, root *folder, c Change) error {
	path, ok := CleanPath(c.Path)
	if !ok || path == "" || !writable(path) {
		return &FileError{c.Path, "Path cannot include directory traversal"}
	}
	switch c.Action {
	case ActionCreate:
		return r.put(ctx, root, path, c, nil, false)
	case ActionUpdate, ActionChmod:
		old, err := r.takeFile(ctx, root, path)
		if err != nil {
			return err
		}
		return r.put(ctx, root, path, c, old, true)
	case ActionDelete:
		_, err := r.takeFile(ctx, root, path)
		return err
	case ActionSubmodule:
		return r.link(ctx, root, path, c.Link)
	case ActionMove:
		previous, ok := CleanPath(c.Previous)
		if !ok || previous == "" {
			return &FileError{c.Previous, "You must provide a valid previous path"}
		}
		old, err := r.takeFile(ctx, root, previous)
		if err != nil {
			return err
		}
		return r.put(ctx, root, path, c, old, false)
	}
	return &FileError{c.Path, "Unknown action '" + c.Action + "'"}
}

// link lets an existing submodule point to another commit.
func (r Repo) link(ctx context.Context, root *folder, path, commit string) error {
	at, name, err := r.find(ctx, root, path, false)
	if err != nil {
		return err
	}
	n := at.entries[name]
	if n == nil || n.folder != nil || n.entry.Kind() != KindCommit || !IsID(commit) {
		return &FileError{path, "The submodule's path is invalid"}
	}
	n.entry.ID = commit
	r.mark(ctx, root, path)
	return nil
}

// takeFile removes a file and returns it.
func (r Repo) takeFile(ctx context.Context, root *folder, path string) (*Entry, error) {
	at, name, err := r.find(ctx, root, path, false)
	if err != nil {
		return nil, err
	}
	n := at.entries[name]
	if n == nil || n.folder != nil || n.entry.Kind() != KindBlob {
		return nil, &FileError{path, "A file with this name doesn't exist"}
	}
	delete(at.entries, name)
	r.mark(ctx, root, path)
	return &n.entry, nil
}

// put writes a file with the new content, or with the old content if there is no new one.
func (r Repo) put(ctx context.Context, root *folder, path string, c Change, old *Entry, replace bool) error {
	at, name, err := r.find(ctx, root, path, true)
	if err != nil {
		return err
	}
	if there := at.entries[name]; there != nil && (!replace || there.folder != nil) && !there.emptied() {
		return &FileError{path, "A file with this name already exists"}
	}
	e := Entry{Name: name, Mode: modeFile}
	if old != nil {
		e.ID, e.Mode = old.ID, old.Mode
	}
	if c.Executable != nil {
		e.Mode = modeFile
		if *c.Executable {
			e.Mode = modeExecutable
		}
	}
	if c.Content != nil || e.ID == "" {
		if e.ID, err = r.writeObject("blob", c.Content); err != nil {
			return err
		}
	}
	at.entries[name] = &node{entry: e}
	r.mark(ctx, root, path)
	return nil
}

// mark marks all folders above a path as changed.
func (r Repo) mark(ctx context.Context, root *folder, path string) {
	at := root
	at.changed = true
	parts := strings.Split(path, "/")
	for _, part := range parts[:len(parts)-1] {
		if r.load(ctx, at) != nil || at.entries[part] == nil {
			return
		}
		at = at.entries[part].folder
		at.changed = true
	}
}

// writeTree writes the changed folders from the bottom up. A folder without files gets no id, because git stores none.
func (r Repo) writeTree(ctx context.Context, f *folder) (string, error) {
	if !f.changed {
		return f.id, nil
	}
	entries := make([]Entry, 0, len(f.entries))
	for _, n := range f.entries {
		if n.folder != nil {
			id, err := r.writeTree(ctx, n.folder)
			if err != nil {
				return "", err
			}
			n.entry.ID = id
		}
		if n.entry.ID != "" {
			entries = append(entries, n.entry)
		}
	}
	if len(entries) == 0 {
		return "", nil
	}
	// Git sorts a folder as if its name ended with a slash.
	key := func(e Entry) string {
		if e.Kind() == KindTree {
			return e.Name + "/"
		}
		return e.Name
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(key(a), key(b)) })
	var b bytes.Buffer
	for _, e := range entries {
		id, err := hex.DecodeString(e.ID)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s %s\x00%s", strconv.FormatUint(uint64(e.Mode), 8), e.Name, id)
	}
	return r.writeObject("tree", b.Bytes())
}

// writeObject writes a loose object, which the next repack finds, or puts it into the buffer.
func (r Repo) writeObject(kind string, data []byte) (string, error) {
	objects := filepath.Join(r.dir, "objects")
	if r.buffer == nil || len(data) > bufferedObject {
		return writeLoose(objects, kind, data)
	}
	id := objectID(kind, data)
	return id, r.buffer.add(objects, id, pendingObject{kind, data})
}

// header is what git writes before the content of an object.
func header(kind string, data []byte) []byte { return fmt.Appendf(nil, "%s %d\x00", kind, len(data)) }

func objectID(kind string, data []byte) string {
	sum := sha1.New() //nolint:gosec // git's ids are made so
	sum.Write(header(kind, data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// folderAttempts is how often an object's folder is created: a repack removes empty folders, also one that was just created.
const folderAttempts = 10

func writeLoose(objects, kind string, data []byte) (string, error) {
	id := objectID(kind, data)
	place := filepath.Join(objects, id[:2], id[2:])
	if _, err := os.Stat(place); err == nil {
		return id, nil
	}
	name, err := "", error(nil)
	for range folderAttempts {
		if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
			return "", err
		}
		name, err = writeSynced(filepath.Dir(place), "tmp_obj_", func(to io.Writer) error { return deflate(to, header(kind, data), data) })
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return "", err
	}
	if err := os.Rename(name, place); err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return id, nil
}
