package protections

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/pushrule"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetGroupPushRule shows the push rule of a group.
// GET /groups/{id}/push_rule
func (p *Protections) GetGroupPushRule(
	ctx context.Context, req gen.GetGroupPushRuleRequestObject,
) (gen.GetGroupPushRuleResponseObject, error) {
	_, rule, err := p.findGroupPushRule(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupPushRule200JSONResponse(present.GroupPushRule(rule)), nil
}

// CreateGroupPushRule adds the push rule of a group.
// POST /groups/{id}/push_rule
func (p *Protections) CreateGroupPushRule(
	ctx context.Context, req gen.CreateGroupPushRuleRequestObject,
) (gen.CreateGroupPushRuleResponseObject, error) {
	group, _, err := p.access.Group(ctx, req.ID, access.AdminPushRule)
	if err != nil {
		return nil, err
	}
	rule, err := p.pushRules.Create(ctx, pushrule.Group(group), pushRuleFrom(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupPushRule201JSONResponse(present.GroupPushRule(rule)), nil
}

// UpdateGroupPushRule changes the push rule of a group.
// PUT /groups/{id}/push_rule
func (p *Protections) UpdateGroupPushRule(
	ctx context.Context, req gen.UpdateGroupPushRuleRequestObject,
) (gen.UpdateGroupPushRuleResponseObject, error) {
	group, rule, err := p.findGroupPushRule(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	changed, err := p.pushRules.Apply(ctx, pushrule.Group(group), rule, pushRuleFrom(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupPushRule200JSONResponse(present.GroupPushRule(changed)), nil
}

// DeleteGroupPushRule removes the push rule of a group.
// DELETE /groups/{id}/push_rule
func (p *Protections) DeleteGroupPushRule(
	ctx context.Context, req gen.DeleteGroupPushRuleRequestObject,
) (gen.DeleteGroupPushRuleResponseObject, error) {
	group, rule, err := p.findGroupPushRule(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := p.pushRules.Delete(ctx, pushrule.Group(group), rule, since); err != nil {
		return nil, err
	}
	return gen.DeleteGroupPushRule204Response{}, nil
}

// findGroupPushRule finds the push rule of a group that the caller may administer.
func (p *Protections) findGroupPushRule(ctx context.Context, ref string) (model.Namespace, model.PushRule, error) {
	group, _, err := p.access.Group(ctx, ref, access.AdminPushRule)
	if err != nil {
		return group, model.PushRule{}, err
	}
	rule, err := existing(p.store.PushRules.OfGroup(ctx, group.ID))
	return group, rule, err
}
