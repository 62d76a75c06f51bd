package repositories

import (
	"context"
	"errors"
	"strings"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/store/git"
)

// GetProjectRepositoryMergeBase finds the best common ancestor of two or more refs.
// GET /projects/{id}/repository/merge_base
func (r *Repositories) GetProjectRepositoryMergeBase(
	ctx context.Context, req gen.GetProjectRepositoryMergeBaseRequestObject,
) (gen.GetProjectRepositoryMergeBaseResponseObject, error) {
	project, repo, err := r.read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if len(req.Params.Refs) < 2 {
		return nil, apierr.Refused("Provide at least 2 refs")
	}
	ids, err := resolveAll(ctx, repo, req.Params.Refs)
	if err != nil {
		return nil, err
	}
	base, err := repo.MergeBase(ctx, ids...)
	if err != nil {
		return nil, orNotFound(err, "Merge Base")
	}
	commit, err := repo.Commit(ctx, base)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryMergeBase200JSONResponse(r.show.Commit(project, commit)), nil
}

// resolveAll resolves refs to commits. Its error names the refs that do not exist.
func resolveAll(ctx context.Context, repo git.Repo, refs []string) ([]string, error) {
	var ids, unknown []string
	for _, ref := range refs {
		id, err := repo.Resolve(ctx, ref)
		switch {
		case ref == "" || errors.Is(err, git.ErrNotFound):
			unknown = append(unknown, ref)
		case err != nil:
			return nil, err
		}
		ids = append(ids, id)
	}
	switch len(unknown) {
	case 0:
		return ids, nil
	case 1:
		return nil, apierr.Refused("Could not find ref: " + unknown[0])
	}
	return nil, apierr.Refused("Could not find refs: " + strings.Join(unknown, ", "))
}
