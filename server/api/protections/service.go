// Package protections manages protected branches and tags, and push rules.
//
//	service.go          construction, and finding a rule
//	list.go             the lists of rules
//	get.go              one rule
//	create.go           protect a branch or tag
//	update.go           change the protection of a branch
//	allow.go            who may push to a branch, as clients send and see it
//	delete.go           remove the protection of a branch or tag
//	group_branch.go     branches that a group protects in its projects
//	push_rule.go        the push rule of a project
//	group_push_rule.go  the push rule of a group
package protections

import (
	"context"

	"svc/server/domain/repository/protection"
	"svc/server/domain/repository/pushrule"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// Protections holds the operations on protected branches and tags.
type Protections struct {
	store  *store.Store
	access *access.Access
	rules  *protection.Service
	pages  pagination.MaxOffset

	pushRules *pushrule.Service
}

// New returns the protection operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *Protections {
	return &Protections{store: st, access: a, rules: protection.New(st), pages: pages, pushRules: pushrule.New(st)}
}

// findBranch finds a protected branch of a project in which the caller has the ability.
func (p *Protections) findBranch(
	ctx context.Context, ref, name string, ability access.Ability,
) (model.ProjectRow, model.ProtectedBranch, error) {
	row, err := p.access.Project(ctx, ref, ability)
	if err != nil {
		return model.ProjectRow{}, model.ProtectedBranch{}, err
	}
	rule, err := p.store.Protections.Branch(ctx, row.Project.ID, name)
	return row, rule, apierr.OrNotFound(err)
}

// findTag finds a protected tag of a project in which the caller has the ability.
func (p *Protections) findTag(
	ctx context.Context, ref, name string, ability access.Ability,
) (model.Project, model.ProtectedTag, error) {
	row, err := p.access.Project(ctx, ref, ability)
	if err != nil {
		return model.Project{}, model.ProtectedTag{}, err
	}
	rule, err := p.store.Protections.Tag(ctx, row.Project.ID, name)
	return row.Project, rule, apierr.OrNotFound(err)
}
