package git

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"svc/store/storage"
)

// OpenProject returns the repository of a project. If empty is true, nothing was written to it yet: it may be missing
// and reads as empty. Otherwise it must exist; if not, OpenProject returns a *storage.DamagedError, or a *storage.Error
// if the whole storage is missing.
func (r *Repositories) OpenProject(on string, id int64, empty bool) (Repo, error) {
	repo := r.Project(on, id)
	if empty {
		return repo, nil
	}
	return repo, repo.CheckReadable()
}

// state is the size and time of a file; both change when the file is written again.
type state struct {
	size    int64
	changed time.Time
}

// parts are the folders by which git recognizes a repository.
var parts = []string{"objects", "refs"}

// CheckReadable returns an error if the repository is missing or cannot be read: a *storage.Error if the whole storage is
// missing, else a *storage.DamagedError. It costs one stat call, unless HEAD has changed since the last call.
func (r Repo) CheckReadable() error {
	name := filepath.Join(r.dir, "HEAD")
	info, err := os.Stat(name)
	if err != nil {
		return r.damaged("HEAD does not exist")
	}
	now := state{info.Size(), info.ModTime()}
	if before, ok := r.all.cache.sound.Get(r.dir); ok && before == now {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return r.damaged(err.Error())
	}
	branch, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/heads/")
	if !ok || branch == "" {
		return r.damaged("HEAD does not refer to a branch")
	}
	for _, part := range parts {
		if info, err := os.Stat(filepath.Join(r.dir, part)); err != nil || !info.IsDir() {
			return r.damaged("the folder " + part + " does not exist")
		}
	}
	r.all.cache.sound.Set(r.dir, now)
	return nil
}

func (r Repo) damaged(reason string) error {
	return r.storageMark.Missing(&storage.DamagedError{Folder: r.dir, Reason: reason})
}
