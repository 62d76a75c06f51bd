package push

import (
	"context"
	"slices"
	"strings"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// The messages for refused changes. Users read them after «remote:».
const (
	noPush        = "You are not allowed to push code to protected branches on this project."
	noForce       = "You are not allowed to force push code to a protected branch on this project."
	noDelete      = "You are not allowed to delete protected branches from this project."
	noDefault     = "The default branch of a project cannot be deleted."
	noTag         = "You are not allowed to create this tag as it is protected."
	noTagChange   = "You are not allowed to change existing tags on this project."
	noRole        = "You are only allowed to push to branches whose merge requests allow it."
	noName        = "The name of a branch or tag cannot be HEAD or look like a commit ID, and cannot start with a dash."
	noHidden      = "You are not allowed to change this reference."
	noCopy        = "The repository is still being copied. Please try again later."
	aboveAllRoles = model.Access(60) // above every role
	fullProtect   = 2
	partProtect   = 1
	firstProtect  = 3 // developers may make the first push
)

// ReadOnly is the message for a write to a repository that is being moved.
const ReadOnly = "The repository is temporarily read-only. Please try again later."

// rules determine what a caller may change in a repository.
type rules struct {
	row           model.ProjectRow
	branches      []model.ProtectedBranch
	inherited     []model.ProtectedBranch // of the groups above the project; they hold besides those of the project
	tags          []model.ProtectedTag
	collaboration map[string]bool // the branches that a caller below the developer role may push to
	keyRules      []int64         // the rules that allow the caller's deploy key to push
}

// rules reads all rules of a project.
func (p *Pusher) rules(ctx context.Context, row model.ProjectRow) (rules, error) {
	r, err := p.branchRules(ctx, row)
	if err != nil {
		return rules{}, err
	}
	r.tags, err = p.store.Protections.Tags(ctx, row.Project.ID)
	if actor := reqctx.Of(ctx).Actor; err == nil && actor != nil && actor.Kind == reqctx.DeployKey {
		r.keyRules, err = p.store.Protections.RulesOfDeployKey(ctx, row.Project.ID, actor.DeployKeyID)
	}
	return r, err
}

// branchRules reads the rules of a project for branches, without those for deploy keys.
func (p *Pusher) branchRules(ctx context.Context, row model.ProjectRow) (rules, error) {
	branches, inherited, err := p.store.Protections.BranchesWithInherited(ctx, row.Project)
	if err != nil {
		return rules{}, err
	}
	if first := FirstRule(row, row.Project.DefaultBranch); row.Project.EmptyRepo && first != nil {
		if row.Place.DefaultBranchProtection == firstProtect {
			first.PushAccessLevel = model.Developer
		}
		branches = append(branches, *first)
	}
	return rules{row: row, branches: branches, inherited: inherited}, nil
}

// FirstRule returns the rule for the default branch of a new repository, by the settings of its group, or nil.
func FirstRule(row model.ProjectRow, branch string) *model.ProtectedBranch {
	if branch == "" {
		return nil
	}
	rule := &model.ProtectedBranch{
		ProjectID: row.Project.ID, Name: branch, PushAccessLevel: model.Maintainer, MergeAccessLevel: model.Maintainer,
		UnprotectAccessLevel: model.Maintainer,
	}
	switch row.Place.DefaultBranchProtection {
	case fullProtect, firstProtect:
		return rule
	case partProtect:
		rule.PushAccessLevel, rule.MergeAccessLevel = model.Developer, model.Developer
		return rule
	}
	return nil
}

// ancestry answers which commit is an ancestor of which.
type ancestry interface {
	IsAncestor(ctx context.Context, old, younger string) (bool, error)
}

// check refuses the commands that the caller may not give.
func (r rules) check(ctx context.Context, asked *git.Push, history ancestry) error {
	for i := range asked.Commands {
		c := &asked.Commands[i]
		if c.Refused != "" {
			continue
		}
		var err error
		if c.Refused, err = r.refusal(ctx, *c, history); err != nil {
			return err
		}
	}
	return nil
}

// refusal returns why the caller may not give a command, or "" if it is allowed.
func (r rules) refusal(ctx context.Context, c git.Command, history ancestry) (string, error) {
	branch, isBranch := branchOf(c.Ref)
	tag, isTag := tagOf(c.Ref)
	switch {
	case r.row.Role() < model.Developer && !(isBranch && r.collaborates(branch, c)):
		return noRole, nil
	case r.row.Project.RepositoryReadOnly:
		return ReadOnly, nil
	case r.row.Project.ImportStatus == model.ImportScheduled || r.row.Project.ImportStatus == model.ImportStarted:
		return noCopy, nil
	case c.New != git.Zero && (isBranch && git.Misleading(branch) || isTag && git.Misleading(tag)):
		return noName, nil
	case isBranch:
		return r.branch(ctx, branch, c, history)
	case isTag:
		return r.tag(tag, c), nil
	case strings.HasPrefix(c.Ref, "refs/notes/"): // notes on commits, for everyone who reads these
		return "", nil
	}
	return noHidden, nil
}

// collaborates reports whether a command changes, without creating or deleting it, a branch to which the caller may push
// because of a merge request.
func (r rules) collaborates(branch string, c git.Command) bool {
	return r.collaboration[branch] && c.New != git.Zero && c.Old != git.Zero
}

func (r rules) branch(ctx context.Context, name string, c git.Command, history ancestry) (string, error) {
	if c.New == git.Zero && name == r.row.Project.DefaultBranch {
		return noDefault, nil
	}
	protected, least, force := r.protects(name)
	switch {
	case !protected:
		return "", nil
	case r.row.Role() < least:
		return noPush, nil
	case c.New == git.Zero:
		return noDelete, nil
	case c.Old == git.Zero || force:
		return "", nil
	}
	forward, err := history.IsAncestor(ctx, c.Old, c.New)
	if err == nil && !forward {
		return noForce, nil
	}
	return "", err
}

// protects combines the rules for a branch: the lowest of their roles may push. If rules of the project and of a group
// match, both must allow it.
func (r rules) protects(name string) (protected bool, least model.Access, force bool) {
	protected, least, force = r.protectedBy(r.branches, name, r.keyRules)
	above, leastAbove, forceAbove := r.protectedBy(r.inherited, name, nil)
	switch {
	case protected && above:
		return true, max(least, leastAbove), force && forceAbove
	case above:
		return true, leastAbove, forceAbove
	}
	return protected, least, force
}

// protectedBy combines some rules for a branch: the lowest of their roles may push, and the deploy keys that keyRules name.
func (r rules) protectedBy(
	rules []model.ProtectedBranch, name string, keyRules []int64,
) (protected bool, least model.Access, force bool) {
	least = aboveAllRoles
	for _, rule := range rules {
		if !store.Matches(rule.Name, name) {
			continue
		}
		switch level := rule.PushAccessLevel; {
		case slices.Contains(keyRules, rule.ID):
			least = model.NoAccess // the caller's deploy key may push, whatever the role of its creator
		case level != model.NoAccess: // no access means nobody
			least = min(least, level)
		}
		protected, force = true, force || rule.AllowForcePush
	}
	return protected, least, force
}

// mergedBy combines some rules for a branch: the lowest role that may merge or push.
func mergedBy(rules []model.ProtectedBranch, name string) (protected bool, least model.Access) {
	least = aboveAllRoles
	for _, rule := range rules {
		if !store.Matches(rule.Name, name) {
			continue
		}
		protected = true
		for _, level := range []model.Access{rule.MergeAccessLevel, rule.PushAccessLevel} {
			if level != model.NoAccess {
				least = min(least, level)
			}
		}
	}
	return protected, least
}

// mergers reports whether a branch is protected, and the lowest role that may merge into it. If rules of the project and of
// a group match, both must allow it.
func (r rules) mergers(name string) (protected bool, least model.Access) {
	protected, least = mergedBy(r.branches, name)
	above, leastAbove := mergedBy(r.inherited, name)
	switch {
	case protected && above:
		return true, max(least, leastAbove)
	case above:
		return true, leastAbove
	}
	return protected, least
}

func (r rules) tag(name string, c git.Command) string {
	for _, rule := range r.tags {
		if !store.Matches(rule.Name, name) {
			continue
		}
		if rule.CreateAccessLevel == model.NoAccess || r.row.Role() < rule.CreateAccessLevel {
			return noTag
		}
	}
	if c.Old != git.Zero && r.row.Role() < model.Maintainer {
		return noTagChange
	}
	return ""
}

// runs reports whether a ref is protected, and the lowest role that may run jobs on it.
func (r rules) runs(name string, tag bool) (protected bool, least model.Access) {
	least = aboveAllRoles
	lower := func(level model.Access) {
		protected = true
		if level != model.NoAccess {
			least = min(least, level)
		}
	}
	if tag {
		for _, rule := range r.tags {
			if store.Matches(rule.Name, name) {
				lower(rule.CreateAccessLevel)
			}
		}
		return protected, least
	}
	return r.mergers(name)
}
