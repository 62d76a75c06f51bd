package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fewRemoved is the number of deletions from which on svc deletes refs without git, which makes a lock file for each
// ref.
const fewRemoved = 16

// packedLock is the name by which git locks the packed-refs file. Its content packedOurs marks it as ours: the holder
// of the repository's lock can rely on such a lock being left over. packedDraft is the file that the next packed-refs
// is written to; only the holder of the repository's lock uses it.
const (
	packedLock  = "packed-refs.lock"
	packedOurs  = "svc\n"
	packedDraft = "svc-packed-refs"
)

// deleteRefs deletes many refs in one step, in the order that git uses: it first replaces the packed-refs file by one
// without them, then removes the files of loose refs. So no older value shows in between, and refs that are only packed
// disappear all at once. If the server is killed, each ref is unchanged or deleted. False means that git has to do it;
// deleteRefs has changed nothing then.
func (l *Lock) deleteRefs(commands []Command) (bool, error) {
	gone := map[string]string{}
	for _, c := range commands {
		if c.Refused != "" {
			continue
		}
		if c.New != Zero || !ValidRef(c.Ref) {
			return false, nil
		}
		gone[c.Ref] = c.Old
	}
	if len(gone) < fewRemoved || l.isThere("logs") {
		return false, nil
	}
	l.clearStale(commands)
	if !l.lockPacked() {
		return false, nil
	}
	defer os.Remove(l.path(packedLock))
	own, ok := l.asExpected(gone)
	if !ok {
		return false, nil
	}
	if err := l.unpack(gone); err != nil {
		return false, err
	}
	return true, l.removeFiles(own)
}

// lockPacked keeps git from changing the packed refs. It returns false if a git process is changing them. The lock file
// has its content when it appears.
func (l *Lock) lockPacked() bool {
	if writeDraft(l.path(packedDraft), packedOurs) != nil {
		return false
	}
	defer os.Remove(l.path(packedDraft))
	return os.Link(l.path(packedDraft), l.path(packedLock)) == nil
}

// clearOurs removes the lock of the packed refs that a killed server has left.
func (l *Lock) clearOurs() {
	if text, err := os.ReadFile(l.path(packedLock)); err == nil && string(text) == packedOurs {
		os.Remove(l.path(packedLock))
	}
}

// cannotDelete reports whether all commands delete refs while a git process has locked the packed refs, so that none
// can succeed.
func (l *Lock) cannotDelete(commands []Command) bool {
	return l.isThere(packedLock) && !slices.ContainsFunc(commands, func(c Command) bool { return c.Refused == "" && c.New != Zero })
}

func (l *Lock) path(name string) string { return filepath.Join(l.repo.dir, name) }

func (l *Lock) isThere(name string) bool {
	_, err := os.Lstat(l.path(name))
	return err == nil
}

// asExpected returns the refs that have files of their own. It returns false if a ref has another value than expected,
// or if git has it locked.
func (l *Lock) asExpected(gone map[string]string) (own []string, ok bool) {
	refs, err := l.repo.Refs("refs/")
	if err != nil {
		return nil, false
	}
	found := 0
	for _, ref := range refs {
		old, asked := gone[ref.Name]
		if !asked {
			continue
		}
		if old != ref.ID || l.isThere(ref.Name+".lock") {
			return nil, false
		}
		found++
		if l.isThere(ref.Name) {
			own = append(own, ref.Name)
		}
	}
	return own, found == len(gone)
}

// unpack writes the packed-refs file without some refs. It syncs the new file before it replaces the old one.
func (l *Lock) unpack(gone map[string]string) error {
	text, err := os.ReadFile(l.path("packed-refs"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var left strings.Builder
	drop := false
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "^") { // such a line belongs to the one before
			_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			_, drop = gone[name]
		}
		if !drop {
			left.WriteString(line)
		}
	}
	if left.Len() == len(text) {
		return nil
	}
	if err := writeDraft(l.path(packedDraft), left.String()); err != nil {
		return err
	}
	if err := os.Rename(l.path(packedDraft), l.path("packed-refs")); err != nil {
		return err
	}
	return syncFolder(l.repo.dir)
}

// removeFiles removes the files of refs, and folders that become empty.
func (l *Lock) removeFiles(names []string) error {
	for _, name := range names {
		if err := os.Remove(l.path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	for _, name := range names {
		for folder := filepath.Dir(name); strings.Count(folder, "/") > 1; folder = filepath.Dir(folder) {
			if os.Remove(l.path(folder)) != nil {
				break // it is not empty, or does not exist any more
			}
		}
	}
	return nil
}
