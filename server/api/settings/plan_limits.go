package settings

import (
	"context"
	"encoding/json"

	"svc/gen"
	"svc/server/domain/setting"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	stored "svc/store/setting"
)

// GetApplicationPlanLimits shows the limits of the plan.
// GET /application/plan_limits
func (s *Settings) GetApplicationPlanLimits(
	ctx context.Context, req gen.GetApplicationPlanLimitsRequestObject,
) (gen.GetApplicationPlanLimitsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSettings); err != nil {
		return nil, err
	}
	if name := req.Params.PlanName; name != nil {
		if err := setting.CheckPlan(*name); err != nil {
			return nil, err
		}
	}
	shown, err := s.planLimits()
	if err != nil {
		return nil, err
	}
	return gen.GetApplicationPlanLimits200JSONResponse(shown), nil
}

// UpdateApplicationPlanLimits changes limits of the plan.
// PUT /application/plan_limits
func (s *Settings) UpdateApplicationPlanLimits(
	ctx context.Context, req gen.UpdateApplicationPlanLimitsRequestObject,
) (gen.UpdateApplicationPlanLimitsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminSettings); err != nil {
		return nil, err
	}
	var name string
	if json.Unmarshal((*req.Body)["plan_name"], &name) != nil {
		return nil, apierr.BadParameter("plan_name is invalid")
	}
	if err := setting.CheckPlan(name); err != nil {
		return nil, err
	}
	if err := s.settings.ChangePlanLimits(ctx, stored.Content(*req.Body)); err != nil {
		return nil, err
	}
	shown, err := s.planLimits()
	if err != nil {
		return nil, err
	}
	return gen.UpdateApplicationPlanLimits200JSONResponse(shown), nil
}

// planLimits presents the limits of the plan.
func (s *Settings) planLimits() (shown gen.PlanLimits, err error) {
	all, err := s.settings.PlanLimits()
	if err != nil {
		return shown, err
	}
	text, err := all.Text()
	if err != nil {
		return shown, err
	}
	return shown, json.Unmarshal([]byte(text), &shown)
}
