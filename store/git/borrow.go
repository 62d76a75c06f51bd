package git

import (
	"context"
	"errors"
	"io"
	"strings"
)

// knownTips is how many refs are named as what a repository has already.
const knownTips = 1000

// Copy takes a commit, and what is behind it, from another repository.
func (r Repo) Copy(ctx context.Context, from Repo, commit string) error {
	if !IsID(commit) {
		return ErrBadName
	}
	refs, err := r.Refs("refs/heads/")
	if err != nil {
		return err
	}
	var wanted strings.Builder
	wanted.WriteString(commit + "\n")
	for _, ref := range refs[:min(len(refs), knownTips)] {
		if _, err := from.Info(ctx, ref.ID); err == nil {
			wanted.WriteString("^" + ref.ID + "\n")
		} else if !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	args := []string{"pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"}
	return from.stream(ctx, nil, strings.NewReader(wanted.String()), args, func(pack io.Reader) error {
		_, err := r.output(ctx, small, pack, "index-pack", "--stdin", "--fix-thin")
		return err
	})
}
