package setting

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"svc/server/platform/apierr"
	"svc/store/setting"
)

// fixedLimits are the limits of the plan that cannot be changed here.
var fixedLimits = map[string]string{
	"ci_pipeline_size": "2000", "ci_active_jobs": "0", "ci_needs_size_limit": "50", "ci_registered_group_runners": "0",
	"ci_registered_project_runners": "0",
}

// refusedLimits are the limits of features that this service does not have.
var refusedLimits = set(
	"ci_project_subscriptions", "conan_max_file_size", "enforcement_limit", "helm_max_file_size", "limits_history",
	"notification_limit", "nuget_max_file_size", "pipeline_hierarchy_size", "storage_size_limit", "terraform_module_max_file_size",
)

// plan is the name of the only plan.
const plan = "default"

// CheckPlan returns a 404 for a plan that does not exist.
func CheckPlan(name string) error {
	if name != plan {
		return apierr.NotFound("Plan")
	}
	return nil
}

// PlanLimits returns all limits of the plan by name.
func (s *Service) PlanLimits() (setting.Content, error) {
	all, err := setting.All(s.store.Settings.Current().PlanLimits)
	for name, value := range fixedLimits {
		all[name] = json.RawMessage(value)
	}
	return all, err
}

// ChangePlanLimits changes limits of the plan. If one value breaks a rule, nothing changes.
func (s *Service) ChangePlanLimits(ctx context.Context, given setting.Content) error {
	known, err := setting.All(s.store.Settings.Current().PlanLimits)
	if err != nil {
		return err
	}
	chosen, broken := setting.Content{}, fieldErrors{}
	for name, value := range given {
		_, acts := known[name]
		always, isFixed := fixedLimits[name]
		switch {
		case acts:
			chosen[name] = value
		case isFixed && !same(value, json.RawMessage(always)):
			broken.add(name, "cannot be changed on this instance: it is always "+always)
		case refusedLimits[name]:
			broken.add(name, "is not supported by this instance")
		}
	}
	for name, value := range chosen {
		var n int64
		if json.Unmarshal(value, &n) != nil {
			broken.add(name, "is not a number")
		} else if n < 0 || n > maxLimit {
			broken.add(name, fmt.Sprintf("must be between 0 and %d", int64(maxLimit)))
		}
	}
	if err := broken.err(); err != nil || len(chosen) == 0 {
		return err
	}
	return s.change(ctx, setting.PlanLimitsKind, maps.Clone(chosen), s.PlanLimits, nil)
}

// maxLimit is the largest limit: a mebibyte of mebibytes.
const maxLimit = 1 << 40
