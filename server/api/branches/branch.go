package branches

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/push"
	"svc/server/request"
	"svc/store/git"
)

// CreateProjectRepositoryBranch makes a branch.
// POST /projects/{id}/repository/branches
func (b *Branches) CreateProjectRepositoryBranch(ctx context.Context, req gen.CreateProjectRepositoryBranchRequestObject) (gen.CreateProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	name := req.Body.Branch
	if !git.ValidBranch(name) {
		return nil, apierr.Refused("Branch name is invalid")
	}
	if _, err := repo.Ref(folder + name); err == nil {
		return nil, apierr.Refused("Branch already exists")
	}
	id, err := repo.Resolve(ctx, req.Body.Ref)
	if errors.Is(err, git.ErrNotFound) {
		return nil, apierr.Refused("Invalid reference name: " + req.Body.Ref)
	}
	if err != nil {
		return nil, err
	}
	if err := b.pusher.Change(ctx, row, request.Of(ctx).Actor, git.Command{Ref: folder + name, Old: git.Zero, New: id}); err != nil {
		return nil, refused(err, apierr.Refused("Failed to create branch '"+name+"': the name collides with another branch"))
	}
	shown, err := b.shown(ctx, row, repo, []git.Ref{{Name: name, ID: id}})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryBranch201JSONResponse(shown[0]), nil
}

// refused tells why a ref was not changed: a rule forbids it, or it is not any more what it was.
func refused(err, changed error) error {
	var why *push.RefusedError
	switch {
	case !errors.As(err, &why):
		return err
	case why.Why == git.NotUpdated:
		return changed
	}
	return apierr.Forbidden(why.Why)
}

// find is the branch that a path names.
func find(repo git.Repo, name string) (git.Ref, error) {
	if !git.ValidBranch(name) {
		return git.Ref{}, apierr.Refused("The branch refname is invalid")
	}
	id, err := repo.Ref(folder + name)
	if errors.Is(err, git.ErrNotFound) {
		err = apierr.NotFound("Branch")
	}
	return git.Ref{Name: name, ID: id}, err
}

// GetProjectRepositoryBranch shows a branch, or tells a HEAD that it is there.
// GET /projects/{id}/repository/branches/{branch}
func (b *Branches) GetProjectRepositoryBranch(ctx context.Context, req gen.GetProjectRepositoryBranchRequestObject) (gen.GetProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	ref, err := find(repo, req.Branch)
	if err != nil {
		return nil, err
	}
	if request.Of(ctx).Method == http.MethodHead {
		return gen.GetProjectRepositoryBranch204Response{}, nil
	}
	shown, err := b.shown(ctx, row, repo, []git.Ref{ref})
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryBranch200JSONResponse(shown[0]), nil
}

// DeleteProjectRepositoryBranch deletes a branch.
// DELETE /projects/{id}/repository/branches/{branch}
func (b *Branches) DeleteProjectRepositoryBranch(ctx context.Context, req gen.DeleteProjectRepositoryBranchRequestObject) (gen.DeleteProjectRepositoryBranchResponseObject, error) {
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
	if since := request.UnmodifiedSince(req.Params.IfUnmodifiedSince); since != nil {
		tip, err := repo.Commit(ctx, ref.ID)
		if err != nil {
			return nil, err
		}
		if tip.Author.When.After(*since) {
			return nil, apierr.PreconditionFailed()
		}
	}
	if err := b.pusher.Change(ctx, row, request.Of(ctx).Actor, git.Command{Ref: folder + ref.Name, Old: ref.ID, New: git.Zero}); err != nil {
		return nil, refused(err, apierr.Conflict("The branch has changed meanwhile"))
	}
	return gen.DeleteProjectRepositoryBranch204Response{}, nil
}
