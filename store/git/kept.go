package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Archives are kept in a folder beside the repositories, one folder for each.
const (
	archiveFolder = "@archives"
	archiveBytes  = 1 << 30   // of all together
	archiveMost   = 256 << 20 // of one
	archiveTemp   = "tmp-"
	archiveStale  = 2 * time.Hour // of one that a killed server has begun
)

// archives is where this repository's are kept.
func (r Repo) archives() string {
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(r.dir)))) // below it: @hashed, two folders, the repository
	return filepath.Join(root, archiveFolder, strings.TrimSuffix(filepath.Base(r.dir), ".git"))
}

// openKept opens a file and notes that it is in use.
func openKept(name string) (*os.File, bool) {
	file, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // else it goes earlier
	return file, true
}

// keeper is a file that is being written. What cannot be kept is not: nobody but the next caller misses it.
type keeper struct {
	file *os.File
	to   string
	size int64
}

func keep(folder, name string) *keeper {
	k := &keeper{to: filepath.Join(folder, name)}
	if os.MkdirAll(folder, 0o700) == nil {
		k.file, _ = os.CreateTemp(folder, archiveTemp)
	}
	return k
}

// Write keeps some bytes more.
func (k *keeper) Write(p []byte) (int, error) {
	k.size += int64(len(p))
	if k.file == nil {
		return len(p), nil
	}
	if _, err := k.file.Write(p); err != nil || k.size > archiveMost {
		k.discard()
	}
	return len(p), nil
}

func (k *keeper) discard() {
	if k.file != nil {
		k.file.Close()
		os.Remove(k.file.Name())
		k.file = nil
	}
}

// commit puts the file in its place, once it is whole on the disk, and makes room.
func (k *keeper) commit() {
	if k.file == nil {
		return
	}
	name := k.file.Name()
	if errors.Join(k.file.Sync(), k.file.Close(), os.Rename(name, k.to)) != nil {
		os.Remove(name)
	}
	k.file = nil
	makeRoom(filepath.Dir(filepath.Dir(k.to)), archiveBytes, time.Now())
}

type keptFile struct {
	name string
	size int64
	used time.Time
}

// makeRoom removes the archives that were not used for longest, until the others have room, and what a killed server left.
func makeRoom(folder string, most int64, now time.Time) {
	names, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil {
		return
	}
	var files []keptFile
	sum := int64(0)
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if strings.HasPrefix(filepath.Base(name), archiveTemp) {
			if now.Sub(info.ModTime()) > archiveStale {
				os.Remove(name)
			}
			continue
		}
		files = append(files, keptFile{name, info.Size(), info.ModTime()})
		sum += info.Size()
	}
	slices.SortFunc(files, func(a, b keptFile) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if sum <= most {
			return
		}
		if os.Remove(f.name) == nil {
			sum -= f.size
		}
	}
}
