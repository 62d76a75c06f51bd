package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"svc/server/domain/repository/lifecycle"
	"svc/store/git"
	"svc/store/model"
)

const repositoryPrefix = "repositories/"

// repositoryLocks are the locks of the repositories of projects, by their folders in the backup. A repository without a
// lock has nil: somebody else is filling it for the first time.
type repositoryLocks map[string]*git.Lock

func (l repositoryLocks) release() {
	for folder, lock := range l {
		if lock != nil {
			lock.Release()
		}
		delete(l, folder)
	}
}

// errNotLocked is returned if the database knows a repository that is not locked.
var errNotLocked = errors.New("projects are being created faster than the backup can lock their repositories; try again")

// lockRepositories keeps the refs of all projects as they are until the locks are released. A push holds the lock of its
// repository from its note in the database to its event, so that the database and the refs agree as long as all locks
// are held. Wikis and snippets need no lock: the database has the commit of their branch.
func (c *creation) lockRepositories(ctx context.Context, locks repositoryLocks) error {
	return c.from.Store.Instance.EachRepository(ctx, func(r model.StoredRepository) error {
		folder := folderOf(r)
		if _, done := locks[folder]; done || r.Kind != model.ProjectRepository {
			return nil
		}
		lock, err := c.lock(ctx, r)
		if errors.Is(err, git.ErrNotFound) {
			return nil // it was never made, or it is lost: saveRefs reports that
		}
		if err != nil {
			return fmt.Errorf("lock the repository of project %d: %w", r.ID, err)
		}
		locks[folder] = lock
		return nil
	})
}

// lock locks a repository. It returns nil if the first content of an empty one is being written, which may take long:
// the job that does so is in the backup, and starts anew.
func (c *creation) lock(ctx context.Context, r model.StoredRepository) (*git.Lock, error) {
	repo := repositoryOf(c.from.Repositories, r)
	if r.Written {
		return repo.Lock(ctx)
	}
	lock, err := repo.TryLock()
	if errors.Is(err, git.ErrBusy) {
		return nil, nil
	}
	return lock, err
}

// repositoryOf returns the repository on its storage.
func repositoryOf(repos *git.Repositories, r model.StoredRepository) git.Repo {
	return lifecycle.Owner{Kind: r.Kind, ID: r.ID}.On(repos, r.Storage)
}

// savedRefs is where the refs of a repository are in the temporary file.
type savedRefs struct {
	model.StoredRepository
	at   int64
	size int
}

// refsText is the content of the entry with the refs of a repository.
type refsText struct {
	Head string `json:"head"`
	Refs string `json:"refs"` // in the form of a packed-refs file
}

// saveRefs writes the refs of all repositories to the temporary file.
func (c *creation) saveRefs(ctx context.Context, locks repositoryLocks) error {
	c.repos, c.out.Missing = nil, nil
	var at int64
	return c.from.Store.Instance.EachRepository(ctx, func(r model.StoredRepository) error {
		text, err := c.refsOf(r, locks)
		if err != nil || text == nil {
			return err
		}
		if _, err := c.refs.WriteAt(text, at); err != nil {
			return err
		}
		c.repos = append(c.repos, savedRefs{r, at, len(text)})
		at += int64(len(text))
		return nil
	})
}

// refsOf returns the refs of a repository as JSON, or nil if it does not exist.
func (c *creation) refsOf(r model.StoredRepository, locks repositoryLocks) ([]byte, error) {
	repo, folder := repositoryOf(c.from.Repositories, r), folderOf(r)
	if !repo.Exists() {
		if r.Written {
			c.out.Missing = append(c.out.Missing, folder)
		}
		return nil, nil
	}
	saved := refsText{Head: r.Branch}
	if r.Kind != model.ProjectRepository {
		if r.Head == "" {
			return nil, nil
		}
		saved.Refs = r.Head + " refs/heads/" + r.Branch + "\n"
		return json.Marshal(saved)
	}
	lock, known := locks[folder]
	switch {
	case lock == nil && known && !r.Written:
		return nil, nil
	case lock == nil:
		delete(locks, folder) // it may have got content since
		return nil, errNotLocked
	}
	var err error
	if saved.Refs, err = repo.RefsText(); err != nil {
		return nil, fmt.Errorf("read the refs of %s: %w", folder, err)
	}
	return json.Marshal(saved)
}

// folderOf returns the folder of a repository in a backup.
func folderOf(r model.StoredRepository) string {
	return fmt.Sprintf("%s%s/%s/%d/", repositoryPrefix, r.Storage, r.Kind, r.ID)
}

// repositories writes the refs that were saved, and all files with objects.
func (c *creation) repositories(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ahead := c.listAhead(ctx)
	for i, r := range c.repos {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.progress("repositories", i, len(c.repos), c.out.Bytes)
		err := c.out.add(folderOf(r.StoredRepository)+"refs.json", int64(r.size), io.NewSectionReader(c.refs, r.at, int64(r.size)))
		if err == nil {
			err = c.objects(ctx, r.StoredRepository, <-ahead)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", folderOf(r.StoredRepository), err)
		}
		c.out.Repositories++
	}
	c.progress("repositories", len(c.repos), len(c.repos), c.out.Bytes)
	return nil
}

// listed are the files with the objects of a repository, or why they could not be listed.
type listed struct {
	files []git.ObjectFile
	err   error
}

// listAhead lists the files of the next repositories while those of the first ones are copied.
func (c *creation) listAhead(ctx context.Context) <-chan listed {
	const repositories = 32
	ahead := make(chan listed, repositories)
	go func() {
		defer close(ahead)
		for _, r := range c.repos {
			var next listed
			next.files, next.err = repositoryOf(c.from.Repositories, r.StoredRepository).ObjectFiles()
			select {
			case ahead <- next:
			case <-ctx.Done():
				return
			}
		}
	}()
	return ahead
}

// copyTries is how often the list of files is read again because a repack has replaced some of them.
const copyTries = 5

// objects writes the files with the objects of a repository, which were listed before.
func (c *creation) objects(ctx context.Context, r model.StoredRepository, found listed) error {
	repo, written := repositoryOf(c.from.Repositories, r), map[string]bool{}
	for try := 1; ; try++ {
		err := found.err
		if err == nil {
			err = c.objectFiles(repo, folderOf(r)+"objects/", found.files, written)
		}
		if !errors.Is(err, fs.ErrNotExist) || try == copyTries || ctx.Err() != nil {
			return err
		}
		found.files, found.err = repo.ObjectFiles()
	}
}

func (c *creation) objectFiles(repo git.Repo, folder string, files []git.ObjectFile, written map[string]bool) error {
	for _, f := range files {
		if written[f.Name] {
			continue
		}
		name := folder + f.Name
		if err := c.objectFile(repo, name, f); err != nil {
			return err
		}
		written[f.Name] = true
	}
	return nil
}

// objectFile writes one file, unless it is known from an earlier entry or an earlier backup.
func (c *creation) objectFile(repo git.Repo, name string, f git.ObjectFile) error {
	if f.Inode != 0 {
		if same, ok := c.shared[f.Inode]; ok && strings.HasSuffix(same, "/"+f.Name) {
			c.out.addLink(name, same)
			return nil
		}
		c.shared[f.Inode] = name
	}
	if old, ok := c.base[name]; ok && old.Size == f.Size {
		c.out.addBase(old)
		return nil
	}
	file, err := repo.OpenObjectFile(f.Name)
	if err != nil {
		return err
	}
	defer file.Close()
	return c.out.add(name, f.Size, file)
}

// parseFolder reads the name of an entry of a repository: the repository, and the rest of the name.
func parseFolder(name string) (r model.StoredRepository, rest string, err error) {
	parts := strings.SplitN(strings.TrimPrefix(name, repositoryPrefix), "/", 4)
	if len(parts) < 4 {
		return r, "", fmt.Errorf("%q is not the name of a file of a repository", name)
	}
	r.Storage, r.Kind = parts[0], model.RepositoryKind(parts[1])
	if r.ID, err = strconv.ParseInt(parts[2], 10, 64); err != nil {
		return r, "", fmt.Errorf("%q is not the name of a file of a repository", name)
	}
	return r, parts[3], nil
}

// readRepository restores one file of a repository.
func (r *restoration) readRepository(name string, from io.Reader) error {
	stored, rest, err := parseFolder(name)
	if err != nil {
		return err
	}
	if !r.to.Repositories.Has(stored.Storage) {
		return fmt.Errorf("the backup has repositories on the storage %s: name its folder with --storages", stored.Storage)
	}
	repo := repositoryOf(r.to.Repositories, stored)
	if object, ok := strings.CutPrefix(rest, "objects/"); ok {
		return repo.RestoreObjectFile(object, from)
	}
	var text refsText
	if err := json.NewDecoder(from).Decode(&text); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	r.Totals.Repositories++
	return repo.RestoreRefs(text.Head, text.Refs)
}

// linkObjects makes files that repositories shared shared again.
func (r *restoration) linkObjects(line indexed) error {
	stored, rest, err := parseFolder(line.Name)
	if err != nil {
		return err
	}
	same, _, err := parseFolder(line.Link)
	if err != nil {
		return err
	}
	return repositoryOf(r.to.Repositories, stored).
		LinkObjectFile(strings.TrimPrefix(rest, "objects/"), repositoryOf(r.to.Repositories, same))
}
