package commit

import (
	"context"
	"errors"
	"fmt"

	"svc/server/platform/apierr"
	"svc/store/git"
)

// parent returns the parent of a new commit: the tip of its branch, the start of a new branch, or "" in an empty
// repository.
func (w *Writer) parent(ctx context.Context, repo git.Repo, tip string, e Edit) (string, error) {
	s := e.Start
	begins := s.SHA != "" || (s.Branch != "" && (s.Branch != e.Branch || s.Project != nil))
	switch {
	case tip != "" && begins && !s.Force:
		return "", apierr.Refused(
			fmt.Sprintf("A branch called '%s' already exists. Switch to that branch in order to make changes", e.Branch),
		)
	case begins:
		return w.begin(ctx, repo, s)
	case tip != "":
		return tip, nil
	}
	branches, err := repo.Refs("refs/heads/")
	if err != nil {
		return "", err
	}
	if len(branches) > 0 {
		return "", apierr.Refused("You can only create or edit files when you are on a branch")
	}
	return "", nil
}

// begin returns the commit where a branch begins, and copies it from the other repository if necessary.
func (w *Writer) begin(ctx context.Context, repo git.Repo, s Start) (string, error) {
	from := repo
	if s.Project != nil {
		var err error
		if from, err = w.pusher.Repo(*s.Project); err != nil {
			return "", err
		}
	}
	id, name := "", s.SHA
	var err error
	if s.Branch != "" {
		name = s.Branch
		if id, err = from.Ref("refs/heads/" + s.Branch); err != nil || git.Misleading(s.Branch) {
			err = git.ErrNotFound
		}
	} else {
		id, err = from.Resolve(ctx, s.SHA)
	}
	if errors.Is(err, git.ErrNotFound) {
		return "", apierr.Refused("Invalid reference name: " + name)
	}
	if err != nil {
		return "", err
	}
	if s.Project == nil {
		return id, nil
	}
	return id, repo.Copy(ctx, from, id)
}
