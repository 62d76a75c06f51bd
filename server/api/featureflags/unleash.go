package featureflags

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/featureflag"
	"svc/server/platform/present"
)

// GetFeatureFlagsUnleash checks the instance ID of a program.
// GET /feature_flags/unleash/{project_id}
func (f *FeatureFlags) GetFeatureFlagsUnleash(
	ctx context.Context, req gen.GetFeatureFlagsUnleashRequestObject,
) (gen.GetFeatureFlagsUnleashResponseObject, error) {
	if err := f.authorize(ctx, req.ProjectID, req.Params.UNLEASHINSTANCEID, req.Params.InstanceID); err != nil {
		return nil, err
	}
	return gen.GetFeatureFlagsUnleash200Response{}, nil
}

// GetFeatureFlagsUnleashFeatures shows the feature flags to an older client library.
// GET /feature_flags/unleash/{project_id}/features
func (f *FeatureFlags) GetFeatureFlagsUnleashFeatures(
	ctx context.Context, req gen.GetFeatureFlagsUnleashFeaturesRequestObject,
) (gen.GetFeatureFlagsUnleashFeaturesResponseObject, error) {
	if err := f.authorize(ctx, req.ProjectID, req.Params.UNLEASHINSTANCEID, req.Params.InstanceID); err != nil {
		return nil, err
	}
	shown, err := f.features(ctx, req.ProjectID, req.Params.UNLEASHAPPNAME, req.Params.AppName)
	return gen.GetFeatureFlagsUnleashFeatures200JSONResponse(shown), err
}

// GetFeatureFlagsUnleashClientFeatures shows the feature flags to a client library.
// GET /feature_flags/unleash/{project_id}/client/features
func (f *FeatureFlags) GetFeatureFlagsUnleashClientFeatures(
	ctx context.Context, req gen.GetFeatureFlagsUnleashClientFeaturesRequestObject,
) (gen.GetFeatureFlagsUnleashClientFeaturesResponseObject, error) {
	if err := f.authorize(ctx, req.ProjectID, req.Params.UNLEASHINSTANCEID, req.Params.InstanceID); err != nil {
		return nil, err
	}
	shown, err := f.features(ctx, req.ProjectID, req.Params.UNLEASHAPPNAME, req.Params.AppName)
	return gen.GetFeatureFlagsUnleashClientFeatures200JSONResponse(shown), err
}

// RegisterFeatureFlagsUnleashClient accepts the registration of a client library.
// POST /feature_flags/unleash/{project_id}/client/register
func (f *FeatureFlags) RegisterFeatureFlagsUnleashClient(
	ctx context.Context, req gen.RegisterFeatureFlagsUnleashClientRequestObject,
) (gen.RegisterFeatureFlagsUnleashClientResponseObject, error) {
	if err := f.authorize(ctx, req.ProjectID, req.Params.UNLEASHINSTANCEID, req.Params.InstanceID); err != nil {
		return nil, err
	}
	return gen.RegisterFeatureFlagsUnleashClient200Response{}, nil
}

// SendFeatureFlagsUnleashClientMetrics accepts the metrics of a client library.
// POST /feature_flags/unleash/{project_id}/client/metrics
func (f *FeatureFlags) SendFeatureFlagsUnleashClientMetrics(
	ctx context.Context, req gen.SendFeatureFlagsUnleashClientMetricsRequestObject,
) (gen.SendFeatureFlagsUnleashClientMetricsResponseObject, error) {
	if err := f.authorize(ctx, req.ProjectID, req.Params.UNLEASHINSTANCEID, req.Params.InstanceID); err != nil {
		return nil, err
	}
	return gen.SendFeatureFlagsUnleashClientMetrics200Response{}, nil
}

// authorize checks the instance ID, which is in the header or in the query.
func (f *FeatureFlags) authorize(ctx context.Context, projectID int64, header, query *string) error {
	return f.flags.AuthorizeClient(ctx, projectID, first(header, query))
}

// features presents the feature flags for an environment, which is in the header or in the query.
func (f *FeatureFlags) features(ctx context.Context, projectID int64, header, query *string) (gen.UnleashFeatures, error) {
	rows, err := f.flags.Features(ctx, projectID, first(header, query))
	return gen.UnleashFeatures{Version: 1, Features: present.All(rows, presentFeature)}, err
}

// first returns the first text that is not empty.
func first(a, b *string) string {
	if text := wire.Value(a); text != "" {
		return text
	}
	return wire.Value(b)
}

// presentFeature presents a feature flag in the form that client libraries read.
func presentFeature(f featureflag.Feature) gen.UnleashFeature {
	return gen.UnleashFeature{
		Name: f.Name, Description: f.Description, Enabled: f.Enabled,
		Strategies: present.All(f.Strategies, func(s featureflag.Strategy) gen.UnleashStrategy {
			return gen.UnleashStrategy{Name: s.Name, Parameters: s.Parameters}
		}),
	}
}
