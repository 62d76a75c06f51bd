package approvals

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest/approval"
)

// changeFromCreate converts the body that creates a rule of a project.
func changeFromCreate(b gen.ApprovalRuleCreate) approval.Change {
	return approval.Change{
		Name: &b.Name, Type: (*string)(b.RuleType), Required: &b.ApprovalsRequired, UserIDs: b.UserIds.Ptr(),
		Usernames: b.Usernames.Ptr(), GroupIDs: b.GroupIds.Ptr(), BranchIDs: b.ProtectedBranchIds.Ptr(),
		AllProtectedBranches: b.AppliesToAllProtectedBranches,
	}
}

// changeFromUpdate converts the body that changes a rule.
func changeFromUpdate(b gen.ApprovalRuleUpdate) approval.Change {
	return approval.Change{
		Name: b.Name, Required: b.ApprovalsRequired, UserIDs: b.UserIds.Ptr(), Usernames: b.Usernames.Ptr(),
		GroupIDs: b.GroupIds.Ptr(), BranchIDs: b.ProtectedBranchIds.Ptr(), AllProtectedBranches: b.AppliesToAllProtectedBranches,
		RemoveHiddenGroups: wire.Value(b.RemoveHiddenGroups),
	}
}

// overrideFrom converts the body that adds a rule to a merge request.
func overrideFrom(b gen.MergeRequestApprovalRuleCreate) approval.Override {
	return approval.Override{
		Change: approval.Change{
			Name: b.Name, Type: (*string)(b.RuleType), Required: &b.ApprovalsRequired, UserIDs: b.UserIds.Ptr(),
			Usernames: b.Usernames.Ptr(), GroupIDs: b.GroupIds.Ptr(),
		},
		SourceID: b.ApprovalProjectRuleID,
	}
}
