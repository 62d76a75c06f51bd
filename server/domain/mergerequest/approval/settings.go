package approval

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Settings say how the merge requests of a project are approved.
type Settings struct {
	model.ProjectApprovalSetting
	BeforeMerge int64 // how many approvals of anybody are required
}

// SettingsChange describes what to change in the settings. Nil fields stay as they are.
type SettingsChange struct {
	BeforeMerge               *int64
	ResetApprovalsOnPush      *bool
	DisableOverriding         *bool
	AuthorApproval            *bool
	DisableCommittersApproval *bool
}

// Settings reads the settings of a project.
func (s *Service) Settings(ctx context.Context, projectID int64) (Settings, error) {
	all, err := s.store.ApprovalSettings.Of(ctx, projectID)
	if err != nil {
		return Settings{}, err
	}
	found := Settings{ProjectApprovalSetting: all[projectID]}
	rule, err := s.store.ApprovalRules.AnyApprover(ctx, projectID)
	if store.IsNotFound(err) {
		return found, nil
	}
	found.BeforeMerge = rule.ApprovalsRequired
	return found, err
}

// Configure changes the settings of a project and returns them.
func (s *Service) Configure(ctx context.Context, p model.Project, c SettingsChange) (Settings, error) {
	if c.BeforeMerge != nil && (*c.BeforeMerge < 0 || *c.BeforeMerge > maxRequired) {
		return Settings{}, apierr.Invalid("approvals_before_merge", "must be between 0 and 100")
	}
	err := events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		before, err := s.Settings(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		after := before.ProjectApprovalSetting
		for _, field := range []struct{ to, given *bool }{
			{&after.ResetApprovalsOnPush, c.ResetApprovalsOnPush},
			{&after.DisableOverriding, c.DisableOverriding},
			{&after.AuthorApproval, c.AuthorApproval},
			{&after.DisableCommittersApproval, c.DisableCommittersApproval},
		} {
			if field.given != nil {
				*field.to = *field.given
			}
		}
		changes := events.Differences(before.ProjectApprovalSetting, after, events.OfProject(p, "approval_settings_updated", ""))
		if err := s.store.ApprovalSettings.Save(ctx, &after); err != nil {
			return nil, err
		}
		if c.BeforeMerge != nil && *c.BeforeMerge != before.BeforeMerge {
			changes = append(changes, events.OfProject(p, "approval_settings_updated", "Changed the required number of approvals"))
			err = s.requireAny(ctx, p.ID, *c.BeforeMerge)
		}
		return changes, err
	})
	if err != nil {
		return Settings{}, err
	}
	return s.Settings(ctx, p.ID)
}

// requireAny sets how many approvals of anybody a project requires.
func (s *Service) requireAny(ctx context.Context, projectID, required int64) error {
	rule, err := s.store.ApprovalRules.AnyApprover(ctx, projectID)
	if store.IsNotFound(err) {
		rule = model.ApprovalRule{
			ProjectID: projectID, Name: "All Members", RuleType: model.ApprovalAny, ApprovalsRequired: required,
		}
		return explain(s.store.ApprovalRules.Create(ctx, &rule), "project")
	}
	if err != nil {
		return err
	}
	rule.ApprovalsRequired = required
	return s.store.ApprovalRules.Save(ctx, &rule)
}
