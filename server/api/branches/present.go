package branches

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

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
