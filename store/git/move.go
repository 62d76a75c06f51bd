package git

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// ErrNotTheSame is returned if a copy differs from its original.
var ErrNotTheSame = errors.New("the copy differs from the original")

// Storages returns the names of the storages, sorted.
func (r *Repositories) Storages() []string {
	var names []string
	for name := range r.roots {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Replicate makes a complete copy of another repository, with all its refs, on another storage, and checks that it is
// the same. The caller holds the lock of the other repository, so its refs do not change meanwhile. Replicate first
// removes what an interrupted copy has left.
func (r Repo) Replicate(ctx context.Context, from *Lock) error {
	source := from.repo
	if source.dir == r.dir {
		return fmt.Errorf("a repository cannot be copied to where it is")
	}
	branch, _ := source.Head()
	if branch == "" {
		branch = "main"
	}
	if err := errors.Join(r.Delete(), r.Create(branch)); err != nil {
		return err
	}
	refs, err := source.Refs("refs/")
	if err != nil {
		return err
	}
	if err := r.copyObjects(ctx, source); err != nil {
		return err
	}
	var text strings.Builder
	for _, ref := range refs {
		fmt.Fprintf(&text, "%s %s\n", ref.ID, ref.Name)
	}
	if len(refs) > 0 {
		if err := r.writeFile("packed-refs", text.String()); err != nil {
			return err
		}
	}
	return r.same(ctx, source)
}

// same returns an error unless two repositories have the same refs and the same objects behind them. Objects that no
// ref leads to may differ: a write that is refused meanwhile leaves such objects.
func (r Repo) same(ctx context.Context, other Repo) error {
	mine, err := r.Refs("refs/")
	if err != nil {
		return err
	}
	theirs, err := other.Refs("refs/")
	if err != nil {
		return err
	}
	if !slices.Equal(mine, theirs) {
		return fmt.Errorf("%w: refs differ", ErrNotTheSame)
	}
	var tips strings.Builder
	for _, ref := range mine {
		tips.WriteString(ref.ID + "\n")
	}
	a, err := r.checksum(ctx, tips.String())
	if err != nil {
		return err
	}
	b, err := other.checksum(ctx, tips.String())
	if err != nil {
		return err
	}
	if a != b {
		return fmt.Errorf("%w: objects differ", ErrNotTheSame)
	}
	return nil
}

// checksum combines the ids of all objects that the tips lead to, in any order. Each id is a checksum of its own
// content.
func (r Repo) checksum(ctx context.Context, tips string) (sum [20]byte, err error) {
	args := []string{"rev-list", "--objects", "--no-object-names", "--stdin"}
	err = r.run(ctx, call{wait: maintainWait, stdin: strings.NewReader(tips), args: args}, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			id, err := hex.DecodeString(lines.Text())
			if err != nil || len(id) != len(sum) {
				return fmt.Errorf("unexpected object name from git: %q", lines.Text())
			}
			for i := range sum {
				sum[i] ^= id[i]
			}
		}
		return lines.Err()
	})
	return sum, err
}
