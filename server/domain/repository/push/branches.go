package push

import (
	"context"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Protection holds the rules of a project for its branches and tags, as they apply to one reader.
type Protection struct{ rules rules }

// Protection reads the rules of a project once, for use with many branches or tags.
func (p *Pusher) Protection(ctx context.Context, row model.ProjectRow) (Protection, error) {
	rules, err := p.rules(ctx, row)
	return Protection{rules: rules}, err
}

// BranchRule is the combined effect of the rules on one branch.
type BranchRule struct {
	Protected       bool
	DevelopersPush  bool // allowed by a rule; false if no rule matches
	DevelopersMerge bool
	MayPush         bool // whether the reader may push
}

// Branch returns the combined effect of the rules on a branch.
func (p Protection) Branch(name string) BranchRule {
	said := BranchRule{}
	for _, rule := range p.rules.branches {
		if store.Matches(rule.Name, name) {
			said.Protected = true
			said.DevelopersPush = said.DevelopersPush || rule.PushAccessLevel == model.Developer
			said.DevelopersMerge = said.DevelopersMerge || rule.MergeAccessLevel == model.Developer
		}
	}
	for _, rule := range p.rules.inherited {
		if store.Matches(rule.Name, name) {
			said.Protected = true
		}
	}
	row, least := p.rules.row, model.Developer
	if protected, by, _ := p.rules.protects(name); protected {
		least = max(least, by)
	}
	said.MayPush = row.SignedIn && row.Role() >= least && !row.Project.Archived && !row.Project.RepositoryReadOnly
	return said
}

// Tag reports whether a tag is protected.
func (p Protection) Tag(name string) bool {
	for _, rule := range p.rules.tags {
		if store.Matches(rule.Name, name) {
			return true
		}
	}
	return false
}

// MayCreateTag reports whether the rules allow the reader, who is a developer, to create a tag.
func (p Protection) MayCreateTag(name string) bool {
	return p.rules.tag(name, git.Command{Old: git.Zero}) == ""
}
