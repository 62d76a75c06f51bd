package push

import (
	"context"

	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

const noMerge = "You are not allowed to merge into protected branches on this project."

// Merge moves a branch for a caller who merges into it. It applies the rules for merging instead of those for pushing.
// Otherwise it works like Change.
func (p *Pusher) Merge(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, c git.Command) error {
	repo, err := p.Repo(row.Project)
	if err != nil {
		return err
	}
	asked := &git.Push{Commands: []git.Command{c}}
	rules, err := p.rules(ctx, row)
	if err != nil {
		return err
	}
	branch, ok := branchOf(c.Ref)
	switch {
	case !ok || c.New == git.Zero || c.Old == git.Zero:
		return &RefusedError{Why: noHidden}
	case row.Project.RepositoryReadOnly:
		return &RefusedError{Why: ReadOnly}
	case !rules.merges(branch):
		return &RefusedError{Why: noMerge}
	}
	return p.applyOne(ctx, row, actor, repo, asked, p.checkMerge)
}

// MayMerge reports whether the caller may merge into a branch. Developers may. Into a protected branch, users may merge
// if a rule lets them merge or push.
func (p *Pusher) MayMerge(ctx context.Context, row model.ProjectRow, branch string) (bool, error) {
	rules, err := p.branchRules(ctx, row)
	return err == nil && rules.merges(branch), err
}

func (r rules) merges(name string) bool {
	if !r.row.SignedIn || r.row.Project.Archived {
		return false
	}
	protected, least := r.mergers(name)
	if !protected {
		least = model.Developer
	}
	return r.row.Role() >= least
}
