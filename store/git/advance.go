package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc/store/storage"
)

// refDraft is where the new value of a branch is written before it takes its place. Who has the lock has it to themselves.
const refDraft = "svc-ref"

// Advance is Update. A push that moves one branch from a commit to another, which most do, starts no git, and neither does one that deletes
// many refs.
func (l *Lock) Advance(ctx context.Context, p *Push) error {
	if len(p.Commands) == 1 && !p.Atomic() && l.moved(ctx, p.Commands[0]) {
		return nil
	}
	if !p.Atomic() || !p.Refuses() {
		if done, err := l.removed(p.Commands); done || err != nil {
			return err
		}
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

// Update changes refs that are still what the commands expect: each by itself or, for an atomic push, all or none. A
// command that was not done says why.
func (r Repo) Update(ctx context.Context, p *Push) error {
	l, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release()
	return l.Update(ctx, p)
}

// Update is Repo.Update for who has the lock.
func (l *Lock) Update(ctx context.Context, p *Push) error {
	if p.Atomic() && p.Refuses() {
		p.refuseOthers("atomic push failed")
		return nil
	}
	l.clearStale(p.Commands)
	if !p.Atomic() {
		return l.updateSome(ctx, p.Commands)
	}
	if err := l.updateRefs(ctx, p.Commands); err != nil {
		if err := l.noSpace(err); err != nil {
			return err
		}
		p.refuseOthers("atomic push failed")
	}
	return ctx.Err()
}

// noSpace returns an error if refs could not be changed because the disk is full. Git says only that it could not write, so a small
// file is tried.
func (l *Lock) noSpace(err error) error {
	if storage.Full(err) {
		return err
	}
	draft := filepath.Join(l.repo.dir, refDraft)
	defer os.Remove(draft)
	if tried := writeDraft(draft, Zero+"\n"); storage.Full(tried) {
		return errors.Join(err, tried)
	}
	return nil
}

// updateSome changes what it can: where one ref cannot be changed, the halves are tried, and so on.
func (l *Lock) updateSome(ctx context.Context, commands []Command) error {
	if len(commands) == 0 {
		return ctx.Err()
	}
	err := l.updateRefs(ctx, commands)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if err := l.noSpace(err); err != nil {
		return err
	}
	if len(commands) == 1 || l.cannotDelete(commands) {
		(&Push{Commands: commands}).refuseOthers(NotUpdated)
		return nil
	}
	half := len(commands) / 2
	if err := l.updateSome(ctx, commands[:half]); err != nil {
		return err
	}
	return l.updateSome(ctx, commands[half:])
}

// updateRefs is one transaction of git's. It is said where it ends, so that a server that dies while it speaks changes
// nothing.
func (l *Lock) updateRefs(ctx context.Context, commands []Command) error {
	var in bytes.Buffer
	in.WriteString("start\x00")
	begin := in.Len()
	for _, c := range commands {
		switch {
		case c.Refused != "":
		case c.New == Zero:
			fmt.Fprintf(&in, "delete %s\x00%s\x00", c.Ref, c.Old)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", c.Ref, c.New, c.Old)
		}
	}
	if in.Len() == begin {
		return nil
	}
	if len(commands) >= batchedRefs && !slices.ContainsFunc(commands, func(c Command) bool { return c.New == Zero }) {
		return l.updateMany(ctx, in.String(), commands)
	}
	in.WriteString("prepare\x00commit\x00")
	return l.repo.run(ctx, call{wait: updateWait, stdin: &in, args: []string{"update-ref", "--stdin", "-z"}, keep: l.file}, discard)
}
