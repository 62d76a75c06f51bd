package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// refDraft is where the new value of a branch is written before it takes its place. Who has the lock has it to themselves.
const refDraft = "svc-ref"

// Advance is Update. A push that moves one branch from a commit to another, which most do, starts no git.
func (l *Lock) Advance(ctx context.Context, p *Push) error {
	if len(p.Commands) == 1 && !p.Atomic() && l.moved(ctx, p.Commands[0]) {
		return nil
	}
	return l.Update(ctx, p)
}

// moved does with one branch what git does: the new value is on the disk, under the name by which gits lock the branch, before it takes
// the place of the old one. False is a case that is left to git, and nothing has happened then.
func (l *Lock) moved(ctx context.Context, c Command) bool {
	if c.Refused != "" || c.Old == Zero || c.New == Zero || !strings.HasPrefix(c.Ref, "refs/heads/") || !ValidRef(c.Ref) {
		return false
	}
	if commit, err := l.repo.peel(ctx, c.New); err != nil || commit != c.New {
		return false // a branch is always at a commit; git says so
	}
	place, draft := filepath.Join(l.repo.dir, c.Ref), filepath.Join(l.repo.dir, refDraft)
	locked := place + ".lock"
	if info, err := os.Lstat(place); err != nil || !info.Mode().IsRegular() {
		return false // it is packed, or not there
	}
	if err := writeDraft(draft, c.New+"\n"); err != nil {
		return false
	}
	defer os.Remove(draft)
	if err := os.Link(draft, locked); err != nil {
		return false // some git has the branch locked
	}
	if now, err := os.ReadFile(place); err != nil || strings.TrimSpace(string(now)) != c.Old || os.Rename(locked, place) != nil {
		os.Remove(locked)
		return false
	}
	return true
}

// writeDraft writes a new file. One of the same name that a killed server has left may be a branch by now, so it is not written to.
func writeDraft(name, text string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Sync(), file.Close())
}
