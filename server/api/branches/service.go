// Package branches implements the API operations on the branches of a repository.
package branches

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Branches implements the operations on branches.
type Branches struct {
	store   *store.Store
	access  *access.Access
	pusher  *push.Pusher
	pages   pagination.MaxOffset
	show    present.Presenter
	enqueue func(context.Context, Cleanup) error
	writer  *commit.Writer
}

// New returns the branch operations.
func New(
	st *store.Store, a *access.Access, pusher *push.Pusher, pages pagination.MaxOffset, show present.Presenter,
	enqueue func(context.Context, Cleanup) error,
) *Branches {
	return &Branches{store: st, access: a, pusher: pusher, pages: pages, show: show, enqueue: enqueue}
}

// WithWriter sets the writer that creates the first branch of an empty repository, because that branch starts with a
// commit.
func (b *Branches) WithWriter(w *commit.Writer) *Branches {
	b.writer = w
	return b
}

const headsPrefix = "refs/heads/"

// open finds a project, requires the ability in it, and opens its repository.
func (b *Branches) open(ctx context.Context, ref string, ability access.Ability) (model.ProjectRow, git.Repo, error) {
	row, err := b.access.Project(ctx, ref, ability)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := b.pusher.Repo(row.Project)
	return row, repo, err
}

// presentBranches presents branches, given by their short names. It reads the protection rules once and the history once for all
// of them.
func (b *Branches) presentBranches(ctx context.Context, row model.ProjectRow, repo git.Repo, refs []git.Ref) ([]gen.Branch, error) {
	rules, err := b.pusher.Protection(ctx, row)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	commits, err := repo.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	head, tip := repo.Head()
	merged := map[string]bool{}
	if tip != "" {
		if merged, err = repo.Merged(ctx, tip, refs); err != nil {
			return nil, err
		}
	}
	shown := make([]gen.Branch, len(refs))
	for i, ref := range refs {
		rule := rules.Branch(ref.Name)
		shown[i] = b.show.Branch(row.Project, present.BranchState{
			Name: ref.Name, Merged: merged[ref.Name] && ref.ID != tip, Protected: rule.Protected, DevelopersPush: rule.DevelopersPush,
			DevelopersMerge: rule.DevelopersMerge, MayPush: rule.MayPush, Default: ref.Name == head,
		}, commits[i])
	}
	return shown, nil
}
