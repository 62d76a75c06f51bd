// Package approval manages approval rules and computes whether merge requests have the approvals that they need.
//
//	state.go     the state of a merge request, computed from its rules and approvals
//	load.go      reads the states of merge requests
//	rule.go      creates, changes and deletes the rules of a project
//	override.go  the rules of a merge request itself
//	parts.go     the users, groups and branches of a rule
//	settings.go  how the merge requests of a project are approved
package approval

import (
	"slices"

	"svc/server/domain/mergerequest/mergestatus"
	"svc/store/model"
)

// State says which approvals a merge request needs and has.
type State struct {
	Rules       []RuleState
	Overwritten bool // it has rules of its own
	Setting     model.ProjectApprovalSetting
	ApprovedBy  []int64 // the users whose approvals count, in the order of their approvals
	Syncing     bool    // a push has just been made, and it is not decided yet whether the approvals stay
}

// RuleState is a rule with the approvals that count for it.
type RuleState struct {
	Rule       model.ApprovalRule
	Parts      Parts
	ApprovedBy []int64
}

// Parts are the users, groups and branches of a rule, by ID.
type Parts struct {
	Users, Groups, Branches []int64
	Members                 []int64 // the users, and the users who are direct members of the groups
}

// Approved reports whether a rule has the approvals that it requires.
func (r RuleState) Approved() bool { return r.Left() == 0 }

// Left returns how many approvals a rule still needs.
func (r RuleState) Left() int64 { return max(0, r.Rule.ApprovalsRequired-int64(len(r.ApprovedBy))) }

// Missing reports whether a merge request lacks approvals.
func (s State) Missing() bool { return s.Left() > 0 }

// Left returns how many approvals all rules together still need.
func (s State) Left() (left int64) {
	for _, r := range s.Rules {
		left += r.Left()
	}
	return left
}

// Required returns how many approvals the rules require in all.
func (s State) Required() (required int64) {
	for _, r := range s.Rules {
		required += r.Rule.ApprovalsRequired
	}
	return required
}

// Approved reports whether a merge request counts as approved. If no rule requires an approval, one is enough.
func (s State) Approved() bool {
	if s.Required() == 0 {
		return len(s.ApprovedBy) > 0
	}
	return !s.Missing()
}

// InUse reports whether the project uses rules or settings for approvals. Otherwise approvals are only remarks: authors can
// approve, and approvals stay after a push.
func (s State) InUse() bool { return s.Required() > 0 || !s.Setting.CreatedAt.IsZero() }

// MayApprove reports whether the settings let a user approve, besides the user's role.
func (s State) MayApprove(userID, authorID int64, committers []int64) bool {
	switch {
	case userID == authorID && !s.Setting.AuthorApproval && s.InUse():
		return false
	case s.Setting.DisableCommittersApproval && slices.Contains(committers, userID):
		return false
	}
	return true
}

// Describe adds what the state means for the merge status.
func (s State) Describe(f *mergestatus.Facts) {
	f.NotApproved, f.ApprovalsSyncing = s.Missing(), s.Syncing && s.Required() > 0
}

// count fills in the approvals that count for each rule. few reports whether a rule has fewer members who may approve than
// it requires; then every approval counts for it. It is asked only if that can make a difference.
func (s *State) count(few func(RuleState) (bool, error)) error {
	for i := range s.Rules {
		r := &s.Rules[i]
		if r.Rule.RuleType == model.ApprovalAny {
			r.ApprovedBy = s.ApprovedBy
			continue
		}
		for _, user := range s.ApprovedBy {
			if slices.Contains(r.Parts.Members, user) {
				r.ApprovedBy = append(r.ApprovedBy, user)
			}
		}
		if r.Left() == 0 || int64(len(s.ApprovedBy)) == int64(len(r.ApprovedBy)) {
			continue
		}
		all, err := few(*r)
		if err != nil {
			return err
		}
		if all {
			r.ApprovedBy = s.ApprovedBy
		}
	}
	return nil
}
