package mergerequests

import (
	"context"
	"slices"

	"svc/gen"
	"svc/server/domain/mergerequest/approval"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetProjectMergeRequestApprovals returns the approvals of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approvals
func (m *MergeRequests) GetProjectMergeRequestApprovals(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalsRequestObject,
) (gen.GetProjectMergeRequestApprovalsResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.GetProjectMergeRequestApprovals200JSONResponse(shown), err
}

// approvals reads and presents the approvals of a merge request.
func (m *MergeRequests) approvals(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest,
) (gen.MergeRequestApprovals, error) {
	by, err := m.store.MergeRequests.Approvers(ctx, mr.ID)
	if err != nil {
		return gen.MergeRequestApprovals{}, err
	}
	state, err := approval.One(ctx, m.store, mr)
	if err != nil {
		return gen.MergeRequestApprovals{}, err
	}
	var reader *int64
	may := row.Role() >= model.Developer && mr.State == model.Opened
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		reader = &actor.User.ID
		if may {
			if may, err = m.service.MayApprove(ctx, mr, actor.User.ID); err != nil {
				return gen.MergeRequestApprovals{}, err
			}
		}
	}
	shown := m.show.MergeRequestApprovals(mr, by, reader, may)
	shown.Approved, shown.ApprovalsRequired, shown.ApprovalsLeft = state.Approved(), state.Required(), state.Left()
	shown.HasApprovalRules = len(state.Rules) > 0
	return shown, m.addRulesLeft(ctx, state, mr, &shown)
}

// addRulesLeft adds the rules that lack approvals, and the users who could give them.
func (m *MergeRequests) addRulesLeft(
	ctx context.Context, state approval.State, mr model.MergeRequest, shown *gen.MergeRequestApprovals,
) error {
	wanted := map[int64]bool{}
	var order []int64
	for _, r := range state.Rules {
		if r.Approved() {
			continue
		}
		shown.ApprovalRulesLeft = append(shown.ApprovalRulesLeft, gen.ApprovalRuleLeft{
			ID: r.Rule.ID, Name: r.Rule.Name, RuleType: r.Rule.RuleType,
		})
		for _, id := range r.Parts.Members {
			if !wanted[id] && !slices.Contains(r.ApprovedBy, id) && state.MayApprove(id, mr.AuthorID, nil) {
				wanted[id] = true
				order = append(order, id)
			}
		}
	}
	users, err := m.store.Users.Shown(ctx, wanted)
	for _, id := range order {
		if u := users[id]; u != nil {
			shown.SuggestedApprovers = append(shown.SuggestedApprovers, m.show.UserBasic(*u))
		}
	}
	return err
}
