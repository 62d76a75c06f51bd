package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrBusy is a repository whose refs somebody else is changing.
var ErrBusy = errors.New("somebody else is changing the refs")

const (
	lockFile   = "svc-changing"
	lockWait   = 30 * time.Second
	lockPause  = 25 * time.Millisecond // at most, between two looks
	staleAfter = time.Minute           // a lock of git's own lasts for milliseconds
)

// Lock is the right to change the refs of a repository, which one process at a time has. The kernel takes it back when the
// process dies; a git that it has started to change refs keeps it until that git has ended, too. So whoever gets the lock
// knows that nobody is still at work.
type Lock struct {
	repo   Repo
	file   *os.File
	queued bool // its turn in this process is to be given back
}

// Lock waits for the right to change the refs, for a while; then it is ErrBusy. Those who wait in one process get it in their order.
func (r Repo) Lock(ctx context.Context) (*Lock, error) {
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

// TryLock is Lock without waiting.
func (r Repo) TryLock() (*Lock, error) {
	file, err := os.OpenFile(filepath.Join(r.dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return nil, r.guard.Missing(ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	if err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		err = r.guard.Check()
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

// Release gives the right back.
func (l *Lock) Release() {
	l.file.Close()
	if l.queued {
		l.queued = false
		l.repo.all.locks.leave(l.repo.dir)
	}
}

// clearStale removes lock files of git's own that a git which was killed has left: nobody else would.
func (l *Lock) clearStale(commands []Command) {
	l.clearOurs()
	names := []string{"HEAD.lock", packedLock, "packed-refs.new"} // with the last one git packs no refs any more
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
