package approvals

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest/approval"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// GetProjectApprovals shows how the merge requests of a project are approved.
// GET /projects/{id}/approvals
func (a *Approvals) GetProjectApprovals(
	ctx context.Context, req gen.GetProjectApprovalsRequestObject,
) (gen.GetProjectApprovalsResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.ReadApprovalSetting)
	if err != nil {
		return nil, err
	}
	found, err := a.rules.Settings(ctx, row.Project.ID)
	return gen.GetProjectApprovals200JSONResponse(settings(found)), err
}

// UpdateProjectApprovals changes how the merge requests of a project are approved.
// POST /projects/{id}/approvals
func (a *Approvals) UpdateProjectApprovals(
	ctx context.Context, req gen.UpdateProjectApprovalsRequestObject,
) (gen.UpdateProjectApprovalsResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminApprovalRule)
	if err != nil {
		return nil, err
	}
	b := req.Body
	for name, value := range map[string]*bool{
		"selective_code_owner_removals": b.SelectiveCodeOwnerRemovals, "require_password_to_approve": b.RequirePasswordToApprove,
		"require_reauthentication_to_approve": b.RequireReauthenticationToApprove,
	} {
		if wire.Value(value) {
			return nil, apierr.Invalid(name, "is not offered by this instance")
		}
	}
	changed, err := a.rules.Configure(ctx, row.Project, approval.SettingsChange{
		BeforeMerge: b.ApprovalsBeforeMerge, ResetApprovalsOnPush: b.ResetApprovalsOnPush,
		DisableOverriding: b.DisableOverridingApproversPerMergeRequest, AuthorApproval: b.MergeRequestsAuthorApproval,
		DisableCommittersApproval: b.MergeRequestsDisableCommittersApproval,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectApprovals201JSONResponse(settings(changed)), nil
}

// settings presents the settings of a project.
func settings(s approval.Settings) gen.ApprovalSettings {
	return gen.ApprovalSettings{
		Approvers: []map[string]any{}, ApproverGroups: []map[string]any{}, ApprovalsBeforeMerge: s.BeforeMerge,
		ResetApprovalsOnPush: s.ResetApprovalsOnPush, DisableOverridingApproversPerMergeRequest: s.DisableOverriding,
		MergeRequestsAuthorApproval: s.AuthorApproval, MergeRequestsDisableCommittersApproval: s.DisableCommittersApproval,
	}
}
