// Package git is the repositories on disk. It is the only one that starts git: commands are built from fixed flags, and
// what a caller has written goes in after --end-of-options, through stdin, or not at all.
package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"svc/store/storage"
)

var (
	// ErrNotFound is a revision, path or object that a repository does not have.
	ErrNotFound = errors.New("not in the repository")
	// ErrTooLarge is an output over its bound.
	ErrTooLarge = errors.New("more than may be read at once")
	// ErrBadName is a name that git does not allow, or that could be taken for something else.
	ErrBadName = errors.New("not a valid name")
)

// Zero is the id of nothing: a ref that is to be created or deleted.
const Zero = "0000000000000000000000000000000000000000"

// Repositories are all repositories, on named storages.
type Repositories struct {
	roots map[string]string
	marks map[string]*storage.Mark // none where storages are not marked
	pool  *pool
	cache *cache
	locks queues
}

// Open takes the folder of each storage.
func Open(roots map[string]string) (*Repositories, error) {
	all := map[string]string{}
	for name, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("storage %s: %w", name, err)
		}
		all[name] = abs
	}
	return &Repositories{roots: all, pool: newPool(), cache: newCache()}, nil
}

// Folders are the folders of a storage that repositories lie in.
var Folders = []string{"@hashed", "@groups", "@snippets"}

// Guard sets the marks that storages must have, by their names. It is called before repositories are used.
func (r *Repositories) Guard(marks map[string]*storage.Mark) { r.marks = marks }

// Close ends all git processes that wait for work.
func (r *Repositories) Close() { r.pool.close() }

// Has tells whether there is a storage of that name.
func (r *Repositories) Has(storage string) bool { return r.roots[storage] != "" }

// Project is the repository of a project. It may not be there yet; then it reads as empty. OpenProject is for those who use what
// is in it.
func (r *Repositories) Project(storage string, id int64) Repo {
	return r.at(storage, hashed("", id)+".git")
}

// ProjectWiki is the repository of the wiki of a project, which lies beside the project's own.
func (r *Repositories) ProjectWiki(storage string, id int64) Repo {
	return r.at(storage, hashed("", id)+".wiki.git")
}

// GroupWiki is the repository of the wiki of a group.
func (r *Repositories) GroupWiki(storage string, id int64) Repo {
	return r.at(storage, hashed("groups", id)+".wiki.git")
}

// Snippet is the repository of a snippet.
func (r *Repositories) Snippet(storage string, id int64) Repo {
	return r.at(storage, hashed("snippets", id)+".git")
}

func (r *Repositories) at(storage, path string) Repo {
	root := r.roots[storage]
	if root == "" {
		root = "/nonexistent" // and not where the program happens to be
	}
	return Repo{all: r, dir: filepath.Join(root, path), guard: r.marks[storage]}
}

// hashed spreads repositories over folders: those of projects over one, those of others over one for each kind. Ids are never
// used twice, so a path never means another owner; the kind is in the name, too, which archives are kept by.
func hashed(kind string, id int64) string {
	top, name := "@hashed", strconv.FormatInt(id, 10)
	if kind != "" {
		top, name = "@"+kind, kind+"/"+name
	}
	sum := sha256.Sum256([]byte(name))
	text := hex.EncodeToString(sum[:])
	return filepath.Join(top, text[:2], text[2:4], text)
}

// Repo is one repository.
type Repo struct {
	all    *Repositories
	dir    string
	guard  *storage.Mark
	buffer *buffer // nil where objects are written at once
}

// Exists tells whether the repository is on disk.
func (r Repo) Exists() bool {
	_, err := os.Stat(filepath.Join(r.dir, "HEAD"))
	return err == nil
}

const config = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[gc]
	auto = 0
[receive]
	denyDeleteCurrent = ignore
`

// Create makes an empty repository; one that is there stays as it is.
func (r Repo) Create(branch string) error {
	if r.Exists() {
		return nil
	}
	if !ValidBranch(branch) {
		return ErrBadName
	}
	if err := r.guard.Check(); err != nil {
		return err
	}
	parent := filepath.Dir(r.dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	// Made beside its place and then moved there: it is whole or not there.
	made, err := os.MkdirTemp(parent, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	for _, folder := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(made, folder), 0o700); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"config": config, "HEAD": "ref: refs/heads/" + branch + "\n"} {
		if err := os.WriteFile(filepath.Join(made, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if err := os.Rename(made, r.dir); err != nil && !r.Exists() {
		return err
	}
	return nil
}

// CreateNew makes an empty repository for a project that is being made. One that is there was left by a transaction that
// came to nothing, or by a database that was set back: it is not this project's.
func (r Repo) CreateNew(branch string) error {
	if r.Exists() {
		if err := r.Delete(); err != nil {
			return err
		}
	}
	return r.Create(branch)
}

// Delete removes the repository. It is moved out of the way first, so that nobody finds half of it.
func (r Repo) Delete() error {
	r.all.pool.forget(r.dir)
	if err := os.RemoveAll(r.archives()); err != nil {
		return err
	}
	gone := r.dir + "+deleted-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if err := os.Rename(r.dir, gone); err != nil {
		if os.IsNotExist(err) {
			return r.guard.Check()
		}
		return err
	}
	return os.RemoveAll(gone)
}

// SetHead makes a branch the one that is cloned by default.
func (r Repo) SetHead(ctx context.Context, branch string) error {
	if !ValidBranch(branch) {
		return ErrBadName
	}
	_, err := r.output(ctx, small, nil, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	return err
}
