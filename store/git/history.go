package git

import "context"

// IsAncestor tells whether a commit is behind another, or the same.
func (r Repo) IsAncestor(ctx context.Context, old, younger string) (bool, error) {
	if !IsID(old) || !IsID(younger) {
		return false, ErrBadName
	}
	_, err := r.output(ctx, small, nil, "merge-base", "--is-ancestor", old, younger)
	if code(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
