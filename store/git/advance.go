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

// refDraft is the file that the new value of a branch is written to before it takes its place. Only the holder of the
// lock uses it.
const refDraft = "svc-ref"

// Advance does the same as Update, but often without starting git: most pushes move one branch from a commit to
// another, and Advance does that itself. It also deletes many refs itself.
func (l *Lock) Advance(ctx context.Context, p *Push) error {
	if len(p.Commands) == 1 && !p.Atomic() && l.moveBranch(ctx, p.Commands[0]) {
		return nil
	}
	if !p.Atomic() || !p.Refuses() {
		if done, err := l.deleteRefs(p.Commands); done || err != nil {
			return err
		}
	}
	return l.Update(ctx, p)
}

// moveBranch moves one branch the way git does: it syncs the new value to disk under the name by which git locks the branch,
// then renames it over the old value. False means that git has to do it; moved has changed nothing then.
func (l *Lock) moveBranch(ctx context.Context, c Command) bool {
	if c.Refused != "" || c.Old == Zero || c.New == Zero || !strings.HasPrefix(c.Ref, "refs/heads/") || !ValidRef(c.Ref) {
		return false
	}
	if commit, err := l.repo.peel(ctx, c.New); err != nil || commit != c.New {
		return false // a branch must point to a commit; git reports the error
	}
	place, draft := filepath.Join(l.repo.dir, c.Ref), filepath.Join(l.repo.dir, refDraft)
	locked := place + ".lock"
	if info, err := os.Lstat(place); err != nil || !info.Mode().IsRegular() {
		return false // it is packed, or does not exist
	}
	if err := writeDraft(draft, c.New+"\n"); err != nil {
		return false
	}
	defer os.Remove(draft)
	if err := os.Link(draft, locked); err != nil {
		return false // another git process has locked the branch
	}
	if now, err := os.ReadFile(place); err != nil || strings.TrimSpace(string(now)) != c.Old || os.Rename(locked, place) != nil {
		os.Remove(locked)
		return false
	}
	return true
}

// writeDraft writes a new file. It never writes into an existing file of that name: a killed server may have left one,
// which may be linked as a branch by now.
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

// Update changes the refs that still have the values that the commands expect. An atomic push changes all refs or none;
// otherwise each ref counts by itself. A command that was not carried out gets a reason.
func (r Repo) Update(ctx context.Context, p *Push) error {
	l, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer l.Release()
	return l.Update(ctx, p)
}

// Update does the same as Repo.Update, for the holder of the lock.
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

// noSpace returns an error if refs could not be changed because the disk is full. Git only says that it could not
// write, so noSpace tries to write a small file.
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

// updateSome changes the refs that it can. If one ref cannot be changed, it tries each half of the list, and so on.
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

// updateRefs changes refs in one git transaction. The text ends with an explicit commit, so a server that dies while it
// writes the text changes nothing.
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
