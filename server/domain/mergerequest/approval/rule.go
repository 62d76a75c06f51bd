package approval

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

const (
	maxName     = 1024 // characters
	maxRequired = 100
	maxRules    = 100 // of a project, and of a merge request
)

// Service creates, changes and deletes approval rules and settings.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Change describes a new rule, or what to change in one. Nil fields stay as they are; lists replace the former ones.
type Change struct {
	Name                 *string
	Type                 *string
	Required             *int64
	UserIDs              *[]int64
	Usernames            *[]string
	GroupIDs             *[]int64
	BranchIDs            *[]int64
	AllProtectedBranches *bool
	RemoveHiddenGroups   bool // removes the groups that the caller cannot see
}

// Create adds a rule to a project.
func (s *Service) Create(ctx context.Context, p model.Project, c Change) (model.ApprovalRule, error) {
	rule := model.ApprovalRule{ProjectID: p.ID, RuleType: model.ApprovalRegular}
	if err := c.apply(&rule); err != nil {
		return rule, err
	}
	parts, err := s.parts(ctx, p, c, rule, Parts{})
	if err != nil {
		return rule, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.checkCount(ctx, p.ID, nil)
		if err == nil {
			err = s.store.ApprovalRules.Create(ctx, &rule)
		}
		if err == nil {
			err = s.saveParts(ctx, rule.ID, parts)
		}
		return change(p, rule, "approval_rule_created", "Added approval rule"), err
	})
	return rule, explain(err, "project")
}

// Apply changes a rule of a project and returns it.
func (s *Service) Apply(ctx context.Context, p model.Project, rule model.ApprovalRule, c Change) (changed model.ApprovalRule, err error) {
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) (changes []events.Change, err error) {
		changed, changes, err = s.save(ctx, p, rule, c)
		return changes, err
	})
	return changed, explain(err, "project")
}

// save changes a rule in the caller's transaction, and returns it with what the audit log says about it.
func (s *Service) save(
	ctx context.Context, p model.Project, rule model.ApprovalRule, c Change,
) (changed model.ApprovalRule, changes []events.Change, err error) {
	changed = rule
	if err := c.apply(&changed); err != nil {
		return rule, nil, err
	}
	before, err := s.partsOf(ctx, rule.ID)
	if err != nil {
		return rule, nil, err
	}
	parts, err := s.parts(ctx, p, c, changed, before)
	if err != nil {
		return rule, nil, err
	}
	if err := s.store.ApprovalRules.Save(ctx, &changed); err != nil {
		return rule, nil, err
	}
	changes = events.Differences(rule, changed, change(p, rule, "approval_rule_updated", ""))
	if !before.equal(parts) {
		changes = append(changes, change(p, rule, "approval_rule_updated", "Changed the approvers of an approval rule"))
	}
	return changed, changes, s.saveParts(ctx, rule.ID, parts)
}

// Delete deletes a rule of a project. With unmodifiedSince, it fails if the rule has changed since then.
func (s *Service) Delete(ctx context.Context, p model.Project, rule model.ApprovalRule, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ApprovalRules.Delete(ctx, rule, unmodifiedSince)
		return change(p, rule, "approval_rule_deleted", "Removed approval rule"), err
	})
}

// apply copies the given fields into a rule and checks them.
func (c Change) apply(rule *model.ApprovalRule) error {
	if c.Type != nil && rule.ID == 0 {
		rule.RuleType = *c.Type
	}
	if c.Name != nil {
		rule.Name = strings.TrimSpace(*c.Name)
	}
	if c.Required != nil {
		rule.ApprovalsRequired = *c.Required
	}
	if c.AllProtectedBranches != nil {
		rule.AppliesToAllProtectedBranches = *c.AllProtectedBranches
	}
	switch {
	case rule.Name == "":
		return apierr.Invalid("name", "can't be blank")
	case utf8.RuneCountInString(rule.Name) > maxName:
		return apierr.Invalid("name", "is too long (maximum is 1024 characters)")
	case rule.ApprovalsRequired < 0 || rule.ApprovalsRequired > maxRequired:
		return apierr.Invalid("approvals_required", "must be between 0 and 100")
	case rule.RuleType == model.ApprovalAny && (filled(c.UserIDs) || filled(c.Usernames) || filled(c.GroupIDs)):
		return apierr.Invalid("rule_type", "any_approver has no users and groups")
	}
	return nil
}

// filled reports whether a list is given and not empty.
func filled[T any](list *[]T) bool { return list != nil && len(*list) > 0 }

// checkCount refuses one more rule if there are as many as allowed.
func (s *Service) checkCount(ctx context.Context, projectID int64, mergeRequestID *int64) error {
	var of []int64
	if mergeRequestID != nil {
		of = append(of, *mergeRequestID)
	}
	rows, err := s.store.ApprovalRules.Of(ctx, []int64{projectID}, of)
	if err != nil {
		return err
	}
	n := 0
	for _, row := range rows {
		if (row.MergeRequestID != nil) == (mergeRequestID != nil) {
			n++
		}
	}
	if n >= maxRules {
		return apierr.Invalid("base", "Maximum number of approval rules (100) exceeded")
	}
	return nil
}

// explain turns the conflict with another rule into a 400.
func explain(err error, of string) error {
	var taken *store.ConflictError
	switch {
	case !errors.As(err, &taken):
		return err
	case strings.Contains(taken.Constraint, "name"):
		return apierr.Invalid("name", "has already been taken")
	}
	return apierr.Invalid("rule_type", "any-approver for the "+of+" already exists")
}

// change describes a change of a rule for the audit log.
func change(p model.Project, rule model.ApprovalRule, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "ApprovalRule", ID: rule.ID, Details: rule.Name},
	}
}
