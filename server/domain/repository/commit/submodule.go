package commit

import (
	"context"
	"errors"

	"svc/server/platform/apierr"
	"svc/store/git"
)

// noSubmodule is the message for a path that is not one of a submodule.
const noSubmodule = "The submodule's path is invalid"

// SubmoduleEdit returns the edit that lets a submodule point to another commit. Its message names both.
func SubmoduleEdit(ctx context.Context, path, commit string) Edit {
	return Edit{
		Message: "Update submodule " + path + " to " + commit,
		Build: func(repo git.Repo, parent string) ([]git.Change, error) {
			clean, ok := git.CleanPath(path)
			if !ok || clean == "" || parent == "" {
				return nil, apierr.Refused(noSubmodule)
			}
			entry, err := repo.TreeAt(ctx, parent, clean)
			switch {
			case errors.Is(err, git.ErrNotFound) || err == nil && entry.Kind() != git.KindCommit:
				return nil, apierr.Refused(noSubmodule)
			case err != nil:
				return nil, err
			case entry.ID == commit:
				return nil, apierr.Refused("The submodule is already at " + commit)
			}
			return []git.Change{{Action: git.ActionSubmodule, Path: clean, Link: commit}}, nil
		},
	}
}
