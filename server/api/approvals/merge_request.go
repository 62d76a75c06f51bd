package approvals

import (
	"context"

	"svc/gen"
	"svc/server/domain/mergerequest/approval"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// find finds a merge request of a project in which the caller has the ability.
func (a *Approvals) find(
	ctx context.Context, project string, iid int64, ability access.Ability,
) (model.ProjectRow, model.MergeRequest, error) {
	row, err := a.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.MergeRequest{}, err
	}
	found, err := a.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	return row, found, err
}

// findToOverride finds a merge request whose rules the caller may change.
func (a *Approvals) findToOverride(ctx context.Context, project string, iid int64) (model.ProjectRow, model.MergeRequest, error) {
	row, mr, err := a.find(ctx, project, iid, access.OverrideApprovalRule)
	if err == nil {
		err = a.rules.MayOverride(ctx, row, mr, reqctx.Of(ctx).Actor.User.ID)
	}
	return row, mr, err
}

// ListProjectMergeRequestApprovalRules lists the approval rules that apply to a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approval_rules
func (a *Approvals) ListProjectMergeRequestApprovalRules(
	ctx context.Context, req gen.ListProjectMergeRequestApprovalRulesRequestObject,
) (gen.ListProjectMergeRequestApprovalRulesResponseObject, error) {
	row, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, a.pages, "ApprovalRule", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	state, err := approval.One(ctx, a.store, mr)
	if err != nil {
		return nil, err
	}
	from := min(window.Page.Offset, len(state.Rules))
	to := min(from+window.Page.Limit, len(state.Rules))
	total := store.Total{Count: int64(len(state.Rules)), Known: true, More: to < len(state.Rules)}
	v, err := a.viewStates(ctx, row.Project, state.Rules[from:to])
	if err != nil {
		return nil, err
	}
	shown := []gen.MergeRequestApprovalRule{}
	for _, r := range state.Rules[from:to] {
		shown = append(shown, v.ownRule(r.Rule))
	}
	return gen.ListProjectMergeRequestApprovalRules200JSONResponse{
		Body: shown, Headers: gen.ListProjectMergeRequestApprovalRules200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectMergeRequestApprovalRule shows an approval rule that applies to a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approval_rules/{approval_rule_id}
func (a *Approvals) GetProjectMergeRequestApprovalRule(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalRuleRequestObject,
) (gen.GetProjectMergeRequestApprovalRuleResponseObject, error) {
	row, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	found, _, err := a.rules.OfMergeRequest(ctx, mr, req.ApprovalRuleID)
	if err != nil {
		return nil, err
	}
	shown, err := a.presentOwnRule(ctx, row.Project, found.Rule)
	return gen.GetProjectMergeRequestApprovalRule200JSONResponse(shown), err
}

// CreateProjectMergeRequestApprovalRule adds an approval rule to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/approval_rules
func (a *Approvals) CreateProjectMergeRequestApprovalRule(
	ctx context.Context, req gen.CreateProjectMergeRequestApprovalRuleRequestObject,
) (gen.CreateProjectMergeRequestApprovalRuleResponseObject, error) {
	row, mr, err := a.findToOverride(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	rule, err := a.rules.CreateOwn(ctx, row.Project, mr, overrideFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := a.presentOwnRule(ctx, row.Project, rule)
	return gen.CreateProjectMergeRequestApprovalRule201JSONResponse(shown), err
}

// UpdateProjectMergeRequestApprovalRule changes an approval rule in a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/approval_rules/{approval_rule_id}
func (a *Approvals) UpdateProjectMergeRequestApprovalRule(
	ctx context.Context, req gen.UpdateProjectMergeRequestApprovalRuleRequestObject,
) (gen.UpdateProjectMergeRequestApprovalRuleResponseObject, error) {
	row, mr, err := a.findToOverride(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	b := req.Body
	rule, err := a.rules.ApplyOwn(ctx, row.Project, mr, req.ApprovalRuleID, changeFromUpdate(gen.ApprovalRuleUpdate{
		Name: b.Name, ApprovalsRequired: b.ApprovalsRequired, UserIds: b.UserIds, Usernames: b.Usernames, GroupIds: b.GroupIds,
		RemoveHiddenGroups: b.RemoveHiddenGroups,
	}))
	if err != nil {
		return nil, err
	}
	shown, err := a.presentOwnRule(ctx, row.Project, rule)
	return gen.UpdateProjectMergeRequestApprovalRule200JSONResponse(shown), err
}

// DeleteProjectMergeRequestApprovalRule removes an approval rule from a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/approval_rules/{approval_rule_id}
func (a *Approvals) DeleteProjectMergeRequestApprovalRule(
	ctx context.Context, req gen.DeleteProjectMergeRequestApprovalRuleRequestObject,
) (gen.DeleteProjectMergeRequestApprovalRuleResponseObject, error) {
	row, mr, err := a.findToOverride(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := a.rules.DeleteOwn(ctx, row.Project, mr, req.ApprovalRuleID, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestApprovalRule204Response{}, nil
}

// ResetProjectMergeRequestApprovals removes all approvals of a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/reset_approvals
func (a *Approvals) ResetProjectMergeRequestApprovals(
	ctx context.Context, req gen.ResetProjectMergeRequestApprovalsRequestObject,
) (gen.ResetProjectMergeRequestApprovalsResponseObject, error) {
	row, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.ApproveMergeRequest)
	if err != nil {
		return nil, err
	}
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return nil, apierr.Unauthorized()
	}
	if err := a.mergeRequests.ResetApprovals(ctx, row, mr, actor.User); err != nil {
		return nil, err
	}
	return gen.ResetProjectMergeRequestApprovals202JSONResponse{Message: "202 Accepted"}, nil
}

// GetProjectMergeRequestApprovalState shows the approval rules of a merge request with their approvals.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approval_state
func (a *Approvals) GetProjectMergeRequestApprovalState(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalStateRequestObject,
) (gen.GetProjectMergeRequestApprovalStateResponseObject, error) {
	row, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	state, err := approval.One(ctx, a.store, mr)
	if err != nil {
		return nil, err
	}
	v, err := a.viewStates(ctx, row.Project, state.Rules)
	if err != nil {
		return nil, err
	}
	shown := gen.GetProjectMergeRequestApprovalState200JSONResponse{
		ApprovalRulesOverwritten: state.Overwritten, Rules: []gen.MergeRequestApprovalRuleState{},
	}
	for _, r := range state.Rules {
		shown.Rules = append(shown.Rules, v.ruleState(r))
	}
	return shown, nil
}
