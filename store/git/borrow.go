package git

import (
	"context"
	"errors"
	"io"
	"strings"
)

// knownTips is how many refs Copy names as already present.
const knownTips = 1000

// Copy copies a commit and its ancestors from another repository.
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
