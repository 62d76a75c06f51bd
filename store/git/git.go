// Package git reads and writes the repositories on disk. It is the only package that starts git: commands are built
// from fixed flags, and text of a caller is passed after --end-of-options, through stdin, or not at all.
//
// Repositories and git processes:
//
//	git.go            repositories on named storages; create, delete, default branch
//	sound.go          checks that a repository exists and can be read
//	check.go          looks for missing and damaged objects
//	disk.go           the repositories that are on disk
//	version.go        checks the version of git
//	exec.go           runs git commands
//	limit_linux.go, limit_other.go  the memory limit of a git process
//	batch.go          idle `git cat-file` processes that answer questions about objects
//	cache.go          answers that follow from ids alone
//	measured.go       counts and times processes and waits
//	maintain.go       commit graph, packed refs and repacks
//	measure.go        size, number of commits, README
//	copy.go           a copy with branches and tags, for forks
//	borrow.go         copies one commit from another repository
//	move.go           a complete copy on another storage
//	whole.go          a history as one pack, for exports and imports
//
// Objects:
//
//	commit.go, tree.go, blob.go, tags.go, file.go, signature.go  reading
//	trailers.go, changelog.go  trailers of commit messages
//	write.go, path.go  writing commits, and the paths that a file may have
//	buffer.go, pack.go  objects that are written together
//	list.go, paths.go  lists of files
//	archive.go, archive_cache.go  archives and their cache
//
// Refs:
//
//	names.go, search.go  valid names, filters for names
//	refs.go, packed_refs.go  reading refs and revisions
//	lock.go, queue.go  the lock of a repository
//	advance.go, advance_many.go, remove.go  changing refs
//	fill.go           all refs of a new repository
//	hidden.go         refs that keep the commits of pipelines
//	proposed.go       refs of merge requests
//
// History:
//
//	log.go, history.go, branches.go, mergebase.go  logs, ancestors, merged branches
//	graph.go, ancestry.go, near.go  the same without starting git
//	reach.go          whether a ref leads to an object
//	contributors.go, stats.go  authors and changed lines
//	compare.go, diff.go, commit_diff.go, patchid.go  differences
//	merge.go, join.go  merges, cherry-picks and rebases without a work tree
//
// Transport:
//
//	pktline.go        lines of git's protocol
//	upload.go, wants.go  clone and fetch
//	receive.go, pushed.go  push, and the objects that a push brings
//	remote.go         the client's side: refs and objects of a repository on another server
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
	// ErrNotFound is returned for a revision, path or object that a repository does not have.
	ErrNotFound = errors.New("not in the repository")
	// ErrTooLarge is returned for an output that is over its limit.
	ErrTooLarge = errors.New("too large to be read at once")
	// ErrBadName is returned for a name that git does not allow or could take for something else.
	ErrBadName = errors.New("not a valid name")
)

// Zero is the id that stands for no object. In a change of a ref it means that the ref is created or deleted.
const Zero = "0000000000000000000000000000000000000000"

// Repositories gives access to all repositories, which lie on named storages.
type Repositories struct {
	roots map[string]string
	marks map[string]*storage.Mark // nil if storages are not marked
	pool  *pool                    // of processes that read objects
	lines *pool                    // of processes that count changed lines
	cache *objectCache
	locks queues

	measured Measured
}

// Open returns the repositories in the given folders, one folder for each storage.
func Open(roots map[string]string) (*Repositories, error) {
	all := map[string]string{}
	for name, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("storage %s: %w", name, err)
		}
		all[name] = abs
	}
	return &Repositories{roots: all, pool: newObjectPool(), lines: newLinesPool(), cache: newObjectCache()}, nil
}

// Folders are the folders of a storage that contain repositories.
var Folders = []string{"@hashed", "@groups", "@snippets"}

// Guard sets the marks that storages must have, by storage name. Call it before repositories are used.
func (r *Repositories) Guard(marks map[string]*storage.Mark) { r.marks = marks }

// Close ends all idle git processes.
func (r *Repositories) Close() {
	r.pool.close()
	r.lines.close()
}

// forget ends the idle git processes of a repository: it was deleted, or they have old packs open.
func (r *Repositories) forget(dir string) {
	r.pool.forget(dir)
	r.lines.forget(dir)
}

// Has reports whether a storage of that name exists.
func (r *Repositories) Has(storage string) bool { return r.roots[storage] != "" }

// Project returns the repository of a project. If it does not exist yet, it reads as empty. Callers that need its
// content use OpenProject.
func (r *Repositories) Project(storage string, id int64) Repo {
	return r.at(storage, hashed("", id)+".git")
}

// ProjectPath returns the path of the repository of a project below the folder of its storage, without ".git".
func ProjectPath(id int64) string { return hashed("", id) }

// ProjectWiki returns the repository of a project's wiki, which lies beside the project's own.
func (r *Repositories) ProjectWiki(storage string, id int64) Repo {
	return r.at(storage, hashed("", id)+".wiki.git")
}

// GroupWiki returns the repository of a group's wiki.
func (r *Repositories) GroupWiki(storage string, id int64) Repo {
	return r.at(storage, hashed("groups", id)+".wiki.git")
}

// Snippet returns the repository of a snippet.
func (r *Repositories) Snippet(storage string, id int64) Repo {
	return r.at(storage, hashed("snippets", id)+".git")
}

func (r *Repositories) at(storage, path string) Repo {
	root := r.roots[storage]
	if root == "" {
		root = "/nonexistent" // not the working directory of the program
	}
	return Repo{all: r, dir: filepath.Join(root, path), storageMark: r.marks[storage]}
}

// hashed returns the path of a repository. Projects share one top folder; each other kind has its own. Ids are never
// used twice, so a path never gets another owner. The kind is part of the hashed name, too, because archives are stored
// by that name.
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
	all         *Repositories
	dir         string
	storageMark *storage.Mark
	buffer      *buffer // nil if objects are written at once
}

// Exists reports whether the repository is on disk.
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

// Create makes an empty repository. An existing one stays as it is.
func (r Repo) Create(branch string) error {
	if r.Exists() {
		return nil
	}
	if !ValidBranch(branch) {
		return ErrBadName
	}
	if err := r.storageMark.Check(); err != nil {
		return err
	}
	parent := filepath.Dir(r.dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	// The repository is made beside its place and then moved there, so it is complete or does not exist.
	made, err := os.MkdirTemp(parent, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	for _, folder := range []string{"objects", "objects/pack", "refs", "refs/heads"} { // git makes the others when it needs them
		if err := os.Mkdir(filepath.Join(made, folder), 0o700); err != nil {
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

// CreateNew makes an empty repository for a project that is being created. It deletes a repository that exists already:
// a transaction that was rolled back has left it, or the database was restored from a backup, so it does not belong to
// this project.
func (r Repo) CreateNew(branch string) error {
	if r.Exists() {
		if err := r.Delete(); err != nil {
			return err
		}
	}
	return r.Create(branch)
}

// Delete removes the repository. It renames the folder first, so that nobody finds half of a repository.
func (r Repo) Delete() error {
	r.all.forget(r.dir)
	if err := os.RemoveAll(r.archives()); err != nil {
		return err
	}
	gone := r.dir + "+deleted-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if err := os.Rename(r.dir, gone); err != nil {
		if os.IsNotExist(err) {
			return r.storageMark.Check()
		}
		return err
	}
	return os.RemoveAll(gone)
}

// SetHead sets the default branch.
func (r Repo) SetHead(ctx context.Context, branch string) error {
	if !ValidBranch(branch) {
		return ErrBadName
	}
	_, err := r.output(ctx, small, nil, "symbolic-ref", "HEAD", "refs/heads/"+branch)
	return err
}
