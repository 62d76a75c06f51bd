package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrBusy is returned if another process or request is changing the refs of a repository.
var ErrBusy = errors.New("another process is changing the refs")

const (
	lockFile   = "svc-changing"
	lockWait   = 30 * time.Second
	lockPause  = 25 * time.Millisecond // longest pause between two attempts
	staleAfter = time.Minute           // git holds its own locks for milliseconds
)

// Lock is the right to change the refs of a repository. One process at a time has it. The kernel releases it when the
// process dies, but a git that the process started to change refs keeps it until that git has ended. So the holder of
// the lock can rely on nobody else changing refs.
type Lock struct {
	repo   Repo
	file   *os.File
	queued bool // the lock must give back its turn in this process
}

// Lock waits for the right to change the refs, at most lockWait; then it returns ErrBusy. Requests of one process get
// the lock in the order in which they asked.
func (r Repo) Lock(ctx context.Context) (*Lock, error) {
	defer r.all.measured.waited(ctx, time.Now())
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if err := r.all.locks.wait(ctx, r.dir); err != nil {
		return nil, err
	}
	pause := time.Millisecond
	for {
		l, err := r.TryLock()
		if err == nil {
			l.queued = true
			return l, nil
		}
		if !errors.Is(err, ErrBusy) {
			r.all.locks.leave(r.dir)
			return nil, err
		}
		select {
		case <-ctx.Done():
			r.all.locks.leave(r.dir)
			return nil, ErrBusy
		case <-time.After(pause):
		}
		pause = min(2*pause, lockPause)
	}
}

// TryLock does the same as Lock without waiting.
func (r Repo) TryLock() (*Lock, error) {
	file, err := os.OpenFile(filepath.Join(r.dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return nil, r.storageMark.Missing(ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	if err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		err = r.storageMark.Check()
	}
	if err == nil {
		return &Lock{repo: r, file: file}, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrBusy
	}
	return nil, err
}

// Release gives up the lock.
func (l *Lock) Release() {
	l.file.Close()
	if l.queued {
		l.queued = false
		l.repo.all.locks.leave(l.repo.dir)
	}
}

// clearStale removes git's own lock files that a killed git has left: nobody else would.
func (l *Lock) clearStale(commands []Command) {
	l.clearOurs()
	names := []string{"HEAD.lock", packedLock, "packed-refs.new"} // while packed-refs.new exists, git packs no refs
	for _, c := range commands {
		if c.Refused == "" {
			names = append(names, c.Ref+".lock")
		}
	}
	for _, name := range names {
		place := filepath.Join(l.repo.dir, name)
		if info, err := os.Stat(place); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(place)
		}
	}
}
