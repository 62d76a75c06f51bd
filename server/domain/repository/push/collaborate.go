package push

import (
	"context"
	"errors"
	"net/http"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// mostOffers is how many merge requests of one fork are considered.
const mostOffers = 100

// FindPushable returns the project that the caller pushes to. Developers may push. In a fork, users who may merge its merge
// requests may also push, if these merge requests allow collaboration.
func (p *Pusher) FindPushable(ctx context.Context, a *access.Access, ref string) (model.ProjectRow, error) {
	row, err := a.Project(ctx, ref, access.PushCode)
	var no *apierr.Error
	if !errors.As(err, &no) || no.Status != http.StatusForbidden {
		return row, err
	}
	found, unseen := a.Project(ctx, ref, access.ReadCode)
	if unseen != nil || found.Project.Archived || !found.SignedIn {
		return row, err
	}
	offered, failed := p.collaborationBranches(ctx, found)
	switch {
	case failed != nil:
		return row, failed
	case len(offered) == 0:
		return row, err
	}
	return found, nil
}

// rulesWithCollaboration returns the rules for a caller, with the branches that merge requests open to a caller below the
// developer role.
func (p *Pusher) rulesWithCollaboration(ctx context.Context, row model.ProjectRow) (rules, error) {
	r, err := p.rules(ctx, row)
	if err == nil && row.Role() < model.Developer {
		r.collaboration, err = p.collaborationBranches(ctx, row)
	}
	return r, err
}

// collaborationBranches returns the branches of a fork that the caller may push to without a role in the fork: the source branches of
// open merge requests that allow collaboration, if the caller may merge them.
func (p *Pusher) collaborationBranches(ctx context.Context, row model.ProjectRow) (map[string]bool, error) {
	open, err := p.store.MergeRequests.ListAllowingCollaboration(ctx, row.Project.ID, mostOffers)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	branches, targets := map[string]bool{}, map[int64]rules{}
	for _, mr := range open {
		into, known := targets[mr.ProjectID]
		if !known {
			target, err := p.store.Projects.Get(ctx, mr.ProjectID, "", access.Reader(ctx))
			if err != nil {
				return nil, err
			}
			if into, err = p.rules(ctx, target); err != nil {
				return nil, err
			}
			targets[mr.ProjectID] = into
		}
		if into.merges(mr.TargetBranch) {
			branches[mr.SourceBranch] = true
		}
	}
	return branches, nil
}
