package packages

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectPackagesProtectionRules lists the protection rules of packages.
// GET /projects/{id}/packages/protection/rules
func (p *Packages) ListProjectPackagesProtectionRules(
	ctx context.Context, req gen.ListProjectPackagesProtectionRulesRequestObject,
) (gen.ListProjectPackagesProtectionRulesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadPackageProtection)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, p.pages, "Packages::Protection::Rule", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.PackageProtectionRules.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPackagesProtectionRules200JSONResponse{
		Body:    present.All(rows, present.PackageProtectionRule),
		Headers: gen.ListProjectPackagesProtectionRules200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectPackagesProtectionRule creates a protection rule.
// POST /projects/{id}/packages/protection/rules
func (p *Packages) CreateProjectPackagesProtectionRule(
	ctx context.Context, req gen.CreateProjectPackagesProtectionRuleRequestObject,
) (gen.CreateProjectPackagesProtectionRuleResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminPackageProtection)
	if err != nil {
		return nil, err
	}
	b := req.Body
	kind := string(b.PackageType)
	rule, err := p.packages.CreateRule(ctx, row.Project, packages.RuleChange{
		Pattern: &b.PackageNamePattern, Type: &kind,
		Push: level(b.MinimumAccessLevelForPush), Delete: level(b.MinimumAccessLevelForDelete),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectPackagesProtectionRule201JSONResponse(present.PackageProtectionRule(rule)), nil
}

// UpdateProjectPackagesProtectionRule changes a protection rule.
// PATCH /projects/{id}/packages/protection/rules/{package_protection_rule_id}
func (p *Packages) UpdateProjectPackagesProtectionRule(
	ctx context.Context, req gen.UpdateProjectPackagesProtectionRuleRequestObject,
) (gen.UpdateProjectPackagesProtectionRuleResponseObject, error) {
	row, rule, err := p.rule(ctx, req.ID, req.PackageProtectionRuleID)
	if err != nil {
		return nil, err
	}
	var b gen.PackageProtectionRuleUpdate
	if req.Body != nil {
		b = *req.Body
	}
	rule, err = p.packages.ChangeRule(ctx, row.Project, rule, packages.RuleChange{
		Pattern: b.PackageNamePattern, Type: (*string)(b.PackageType),
		Push: level(b.MinimumAccessLevelForPush), Delete: level(b.MinimumAccessLevelForDelete),
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.UpdateProjectPackagesProtectionRule200JSONResponse(present.PackageProtectionRule(rule)), nil
}

// DeleteProjectPackagesProtectionRule deletes a protection rule.
// DELETE /projects/{id}/packages/protection/rules/{package_protection_rule_id}
func (p *Packages) DeleteProjectPackagesProtectionRule(
	ctx context.Context, req gen.DeleteProjectPackagesProtectionRuleRequestObject,
) (gen.DeleteProjectPackagesProtectionRuleResponseObject, error) {
	row, rule, err := p.rule(ctx, req.ID, req.PackageProtectionRuleID)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := p.packages.DeleteRule(ctx, row.Project, rule, since); err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectPackagesProtectionRule204Response{}, nil
}

// rule returns a project whose rules the caller may change, and one of its rules.
func (p *Packages) rule(ctx context.Context, project string, id int64) (model.ProjectRow, model.PackageProtectionRule, error) {
	row, err := p.access.Project(ctx, project, access.AdminPackageProtection)
	if err != nil {
		return row, model.PackageProtectionRule{}, err
	}
	rule, err := p.store.PackageProtectionRules.Get(ctx, row.Project.ID, id)
	return row, rule, apierr.OrNotFound(err)
}

// level returns a given level as a text.
func level[T ~string](given wire.Optional[T]) wire.Optional[string] {
	switch {
	case !given.IsSet():
		return wire.Optional[string]{}
	case given.Ptr() == nil:
		return wire.Null[string]()
	}
	return wire.Some(string(*given.Ptr()))
}
