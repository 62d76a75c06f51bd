package branches

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// CreateProjectRepositoryBranch creates a branch.
// POST /projects/{id}/repository/branches
func (b *Branches) CreateProjectRepositoryBranch(
	ctx context.Context, req gen.CreateProjectRepositoryBranchRequestObject,
) (gen.CreateProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	name := req.Body.Branch
	if !git.ValidBranch(name) {
		return nil, apierr.Refused("Branch name is invalid")
	}
	begun, err := b.createDefaultBranch(ctx, row, repo, req.Body.Ref)
	if err != nil {
		return nil, err
	}
	if begun {
		if row, repo, err = b.open(ctx, req.ID, access.PushCode); err != nil {
			return nil, err
		}
		if name == row.Project.DefaultBranch {
			return b.presentCreated(ctx, row, repo, name)
		}
	}
	if _, err := repo.Ref(headsPrefix + name); err == nil {
		return nil, apierr.Refused("Branch already exists")
	}
	id, err := repo.Resolve(ctx, req.Body.Ref)
	if errors.Is(err, git.ErrNotFound) {
		return nil, apierr.Refused("Invalid reference name: " + req.Body.Ref)
	}
	if err != nil {
		return nil, err
	}
	if err := b.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, git.Command{Ref: headsPrefix + name, Old: git.Zero, New: id}); err != nil {
		return nil, explainRefusal(err, apierr.Refused("Failed to create branch '"+name+"': the name conflicts with another branch"))
	}
	return b.presentCreated(ctx, row, repo, name)
}

// presentCreated presents a new branch.
func (b *Branches) presentCreated(
	ctx context.Context, row model.ProjectRow, repo git.Repo, name string,
) (gen.CreateProjectRepositoryBranchResponseObject, error) {
	ref, err := find(repo, name)
	if err != nil {
		return nil, err
	}
	shown, err := b.presentBranches(ctx, row, repo, []git.Ref{ref})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryBranch201JSONResponse(shown[0]), nil
}

// createDefaultBranch creates the default branch of an empty repository, with an empty README.md, if a new branch is to start from
// it. It reports whether it did. The caller must be allowed to push to the default branch.
func (b *Branches) createDefaultBranch(ctx context.Context, row model.ProjectRow, repo git.Repo, ref string) (bool, error) {
	main := row.Project.DefaultBranch
	if !row.Project.EmptyRepo || main == "" || ref != main && ref != headsPrefix+main && ref != "HEAD" {
		return false, nil
	}
	if refs, err := repo.Refs(headsPrefix); err != nil || len(refs) > 0 {
		return false, err
	}
	_, err := b.writer.Write(ctx, row, commit.Edit{
		Branch: main, Message: "Add README.md", Changes: []git.Change{{Action: git.ActionCreate, Path: "README.md", Content: []byte{}}},
	})
	return err == nil, err
}

// explainRefusal explains why a ref was not changed: a rule forbids it, or the ref has changed meanwhile. In the second case
// it returns the error changed.
func explainRefusal(err, changed error) error {
	var why *push.RefusedError
	switch {
	case !errors.As(err, &why):
		return err
	case why.Why == git.NotUpdated:
		return changed
	}
	return apierr.Forbidden(why.Why)
}

// find finds the branch that a path names. A branch whose name is not allowed any more can still exist, and can be
// deleted.
func find(repo git.Repo, name string) (git.Ref, error) {
	id, err := repo.Ref(headsPrefix + name)
	if errors.Is(err, git.ErrNotFound) {
		err = apierr.NotFound("Branch")
		if !git.ValidBranch(name) {
			err = apierr.Refused("The branch refname is invalid")
		}
	}
	return git.Ref{Name: name, ID: id}, err
}

// GetProjectRepositoryBranch returns a branch. A HEAD request only checks that the branch exists.
// GET /projects/{id}/repository/branches/{branch}
func (b *Branches) GetProjectRepositoryBranch(
	ctx context.Context, req gen.GetProjectRepositoryBranchRequestObject,
) (gen.GetProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	ref, err := find(repo, req.Branch)
	if err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodHead {
		return gen.GetProjectRepositoryBranch204Response{}, nil
	}
	shown, err := b.presentBranches(ctx, row, repo, []git.Ref{ref})
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryBranch200JSONResponse(shown[0]), nil
}

// DeleteProjectRepositoryBranch deletes a branch.
// DELETE /projects/{id}/repository/branches/{branch}
func (b *Branches) DeleteProjectRepositoryBranch(
	ctx context.Context, req gen.DeleteProjectRepositoryBranchRequestObject,
) (gen.DeleteProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	ref, err := find(repo, req.Branch)
	if err != nil {
		return nil, err
	}
	if ref.Name == row.Project.DefaultBranch {
		return nil, apierr.Refused("The default branch of a project cannot be deleted.")
	}
	if since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince); since != nil {
		tip, err := repo.Commit(ctx, ref.ID)
		if err != nil {
			return nil, err
		}
		if store.ChangedAfter(tip.Author.When, since) {
			return nil, apierr.PreconditionFailed()
		}
	}
	if err := b.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, git.Command{Ref: headsPrefix + ref.Name, Old: ref.ID, New: git.Zero}); err != nil {
		var why *push.RefusedError
		if _, gone := find(repo, req.Branch); gone != nil && errors.As(err, &why) {
			return nil, gone // another caller deleted the branch meanwhile
		}
		return nil, explainRefusal(err, apierr.Conflict("The branch was changed in the meantime"))
	}
	return gen.DeleteProjectRepositoryBranch204Response{}, nil
}
