package approvals

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectApprovalRules lists the approval rules of a project.
// GET /projects/{id}/approval_rules
func (a *Approvals) ListProjectApprovalRules(
	ctx context.Context, req gen.ListProjectApprovalRulesRequestObject,
) (gen.ListProjectApprovalRulesResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadApprovalRule)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, a.pages, "ApprovalRule", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := a.store.ApprovalRules.ListByProject(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	v, err := a.viewRules(ctx, row.Project, rows...)
	if err != nil {
		return nil, err
	}
	shown := make([]gen.ApprovalRule, len(rows))
	for i, rule := range rows {
		shown[i] = v.projectRule(rule)
	}
	return gen.ListProjectApprovalRules200JSONResponse{
		Body: shown, Headers: gen.ListProjectApprovalRules200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectApprovalRule shows an approval rule of a project.
// GET /projects/{id}/approval_rules/{approval_rule_id}
func (a *Approvals) GetProjectApprovalRule(
	ctx context.Context, req gen.GetProjectApprovalRuleRequestObject,
) (gen.GetProjectApprovalRuleResponseObject, error) {
	row, rule, err := a.findRule(ctx, req.ID, req.ApprovalRuleID, access.ReadApprovalRule)
	if err != nil {
		return nil, err
	}
	shown, err := a.presentRule(ctx, row.Project, rule)
	return gen.GetProjectApprovalRule200JSONResponse(shown), err
}

// CreateProjectApprovalRule creates an approval rule of a project.
// POST /projects/{id}/approval_rules
func (a *Approvals) CreateProjectApprovalRule(
	ctx context.Context, req gen.CreateProjectApprovalRuleRequestObject,
) (gen.CreateProjectApprovalRuleResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminApprovalRule)
	if err != nil {
		return nil, err
	}
	rule, err := a.rules.Create(ctx, row.Project, changeFromCreate(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := a.presentRule(ctx, row.Project, rule)
	return gen.CreateProjectApprovalRule201JSONResponse(shown), err
}

// UpdateProjectApprovalRule changes an approval rule of a project.
// PUT /projects/{id}/approval_rules/{approval_rule_id}
func (a *Approvals) UpdateProjectApprovalRule(
	ctx context.Context, req gen.UpdateProjectApprovalRuleRequestObject,
) (gen.UpdateProjectApprovalRuleResponseObject, error) {
	row, rule, err := a.findRule(ctx, req.ID, req.ApprovalRuleID, access.AdminApprovalRule)
	if err != nil {
		return nil, err
	}
	changed, err := a.rules.Apply(ctx, row.Project, rule, changeFromUpdate(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := a.presentRule(ctx, row.Project, changed)
	return gen.UpdateProjectApprovalRule200JSONResponse(shown), err
}

// DeleteProjectApprovalRule deletes an approval rule of a project.
// DELETE /projects/{id}/approval_rules/{approval_rule_id}
func (a *Approvals) DeleteProjectApprovalRule(
	ctx context.Context, req gen.DeleteProjectApprovalRuleRequestObject,
) (gen.DeleteProjectApprovalRuleResponseObject, error) {
	row, rule, err := a.findRule(ctx, req.ID, req.ApprovalRuleID, access.AdminApprovalRule)
	if err != nil {
		return nil, err
	}
	if err := a.rules.Delete(ctx, row.Project, rule, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectApprovalRule204Response{}, nil
}

// findRule finds an approval rule of a project in which the caller has the ability.
func (a *Approvals) findRule(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.ApprovalRule, error) {
	row, err := a.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.ApprovalRule{}, err
	}
	rule, err := a.store.ApprovalRules.Get(ctx, row.Project.ID, id)
	return row, rule, apierr.OrNotFound(err)
}
