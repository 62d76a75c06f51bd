package approval

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// Override is what changes in the rules of a merge request itself.
type Override struct {
	Change
	SourceID *int64 // the rule of the project that a new rule is copied from
}

// OfMergeRequest finds a rule that applies to a merge request, by the ID of the rule itself or of the rule of the project
// that it was copied from.
func (s *Service) OfMergeRequest(ctx context.Context, mr model.MergeRequest, id int64) (RuleState, State, error) {
	state, err := One(ctx, s.store, mr)
	if err != nil {
		return RuleState{}, state, err
	}
	for _, r := range state.Rules {
		if r.Rule.ID == id || r.Rule.SourceRuleID != nil && *r.Rule.SourceRuleID == id {
			return r, state, nil
		}
	}
	return RuleState{}, state, apierr.NotFound("")
}

// MayOverride returns an error unless the caller may change the rules of a merge request: administrators, maintainers and
// the author, who needs the Developer role. The project must allow it.
func (s *Service) MayOverride(ctx context.Context, row model.ProjectRow, mr model.MergeRequest, userID int64) error {
	settings, err := s.store.ApprovalSettings.Of(ctx, row.Project.ID)
	if err != nil {
		return err
	}
	author := mr.AuthorID == userID && row.Role() >= model.Developer
	if settings[row.Project.ID].DisableOverriding || row.Role() < model.Maintainer && !author {
		return apierr.Forbidden()
	}
	return nil
}

// CreateOwn adds a rule to a merge request.
func (s *Service) CreateOwn(ctx context.Context, p model.Project, mr model.MergeRequest, o Override) (model.ApprovalRule, error) {
	rule := model.ApprovalRule{ProjectID: p.ID, MergeRequestID: &mr.ID, RuleType: model.ApprovalRegular}
	before := Parts{}
	if o.SourceID != nil {
		source, err := s.store.ApprovalRules.Get(ctx, p.ID, *o.SourceID)
		if err != nil {
			return rule, apierr.OrNotFound(err)
		}
		if before, err = s.partsOf(ctx, source.ID); err != nil {
			return rule, err
		}
		rule.Name, rule.RuleType, rule.SourceRuleID = source.Name, source.RuleType, &source.ID
		before.Branches = nil
	}
	if err := o.apply(&rule); err != nil {
		return rule, err
	}
	parts, err := s.parts(ctx, p, o.Change, rule, before)
	if err != nil {
		return rule, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.takeOver(ctx, mr, o.SourceID)
		if err == nil {
			err = s.checkCount(ctx, p.ID, &mr.ID)
		}
		if err == nil {
			err = s.store.ApprovalRules.Create(ctx, &rule)
		}
		if err == nil {
			err = s.saveParts(ctx, rule.ID, parts)
		}
		return change(p, rule, "approval_rule_created", "Added approval rule of a merge request"), err
	})
	return rule, explain(err, "merge request")
}

// ApplyOwn changes a rule that applies to a merge request, in the merge request only.
func (s *Service) ApplyOwn(
	ctx context.Context, p model.Project, mr model.MergeRequest, id int64, c Change,
) (changed model.ApprovalRule, err error) {
	c.BranchIDs, c.AllProtectedBranches = nil, nil
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		rule, err := s.own(ctx, mr, id)
		if err != nil {
			return nil, err
		}
		saved, changes, err := s.save(ctx, p, rule, c)
		changed = saved
		return changes, err
	})
	return changed, explain(err, "merge request")
}

// DeleteOwn deletes a rule that applies to a merge request, in the merge request only.
func (s *Service) DeleteOwn(ctx context.Context, p model.Project, mr model.MergeRequest, id int64, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		rule, err := s.own(ctx, mr, id)
		if err == nil {
			err = s.store.ApprovalRules.Delete(ctx, rule, unmodifiedSince)
		}
		return change(p, rule, "approval_rule_deleted", "Removed approval rule of a merge request"), err
	})
}

// own returns a rule of a merge request, after it has got rules of its own. It runs in the caller's transaction.
func (s *Service) own(ctx context.Context, mr model.MergeRequest, id int64) (model.ApprovalRule, error) {
	if err := s.takeOver(ctx, mr, nil); err != nil {
		return model.ApprovalRule{}, err
	}
	rule, err := s.store.ApprovalRules.GetOfMergeRequest(ctx, mr.ID, id)
	return rule, apierr.OrNotFound(err)
}

// takeOver gives a merge request copies of the rules that apply to it, unless it has rules of its own. Except names a rule
// that the caller copies. From then on, changes of the project's rules do not reach it.
func (s *Service) takeOver(ctx context.Context, mr model.MergeRequest, except *int64) error {
	now, err := s.store.MergeRequests.Lock(ctx, mr.ID)
	if err != nil || now.ApprovalRulesOverwritten {
		return err
	}
	state, err := One(ctx, s.store, now)
	if err != nil {
		return err
	}
	for _, r := range state.Rules {
		if except != nil && r.Rule.ID == *except {
			continue
		}
		copied := model.ApprovalRule{
			ProjectID: r.Rule.ProjectID, MergeRequestID: &mr.ID, SourceRuleID: &r.Rule.ID, Name: r.Rule.Name, RuleType: r.Rule.RuleType,
			ApprovalsRequired: r.Rule.ApprovalsRequired, CreatedAt: r.Rule.CreatedAt, UpdatedAt: r.Rule.UpdatedAt,
		}
		if err := s.store.ApprovalRules.Create(ctx, &copied); err != nil {
			return err
		}
		if err := s.saveParts(ctx, copied.ID, Parts{Users: r.Parts.Users, Groups: r.Parts.Groups}); err != nil {
			return err
		}
	}
	return s.store.MergeRequests.UpdateInternal(ctx, mr.ID, map[string]any{"approval_rules_overwritten": true})
}
