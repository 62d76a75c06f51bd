package push

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// Protection is what the rules of a project say of its branches and tags, as one reader sees it.
type Protection struct{ rules rules }

// Protection reads the rules once, for a list.
func (p *Pusher) Protection(ctx context.Context, row model.ProjectRow) (Protection, error) {
	rules, err := p.rules(ctx, row)
	return Protection{rules: rules}, err
}

// BranchRule is what the rules say of one branch.
type BranchRule struct {
	Protected       bool
	DevelopersPush  bool // by a rule; false where there is none
	DevelopersMerge bool
	MayPush         bool // the reader
}

// Branch tells what the rules say of a branch.
func (p Protection) Branch(name string) BranchRule {
	said := BranchRule{}
	for _, rule := range p.rules.branches {
		if store.Matches(rule.Name, name) {
			said.Protected = true
			said.DevelopersPush = said.DevelopersPush || rule.PushAccessLevel == model.Developer
			said.DevelopersMerge = said.DevelopersMerge || rule.MergeAccessLevel == model.Developer
		}
	}
	row, least := p.rules.row, model.Developer
	if protected, by, _ := p.rules.protects(name); protected {
		least = max(least, by)
	}
	said.MayPush = row.SignedIn && row.Role() >= least && !row.Project.Archived && !row.Project.RepositoryReadOnly
	return said
}

// Tag tells whether a tag is protected.
func (p Protection) Tag(name string) bool {
	for _, rule := range p.rules.tags {
		if store.Matches(rule.Name, name) {
			return true
		}
	}
	return false
}
