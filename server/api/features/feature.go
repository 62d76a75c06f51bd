package features

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/feature"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// ListFeatures lists the feature switches.
// GET /features
func (f *Features) ListFeatures(ctx context.Context, req gen.ListFeaturesRequestObject) (gen.ListFeaturesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminFeature); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, f.pages, "Feature", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := f.features.List(ctx, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListFeatures200JSONResponse{
		Body: present.All(rows, presentSwitch), Headers: gen.ListFeatures200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateFeature sets a feature switch.
// POST /features/{name}
func (f *Features) CreateFeature(ctx context.Context, req gen.CreateFeatureRequestObject) (gen.CreateFeatureResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminFeature); err != nil {
		return nil, err
	}
	targets, err := f.targets(ctx, *req.Body)
	if err != nil {
		return nil, err
	}
	set, err := f.features.Set(ctx, req.Name, feature.Setting{
		Value: req.Body.Value, Group: wire.Value(req.Body.FeatureGroup), Targets: targets,
		Actors: req.Body.Key != nil && *req.Body.Key == gen.FeaturePercentageKeyPercentageOfActors,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateFeature201JSONResponse(presentSwitch(set)), nil
}

// DeleteFeature deletes a feature switch.
// DELETE /features/{name}
func (f *Features) DeleteFeature(ctx context.Context, req gen.DeleteFeatureRequestObject) (gen.DeleteFeatureResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminFeature); err != nil {
		return nil, err
	}
	if err := f.features.Delete(ctx, req.Name, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteFeature204Response{}, nil
}

// presentSwitch presents a feature switch. The condition for everybody is always shown.
func presentSwitch(s feature.Switch) gen.Feature {
	g := s.Gates
	gates := []gen.FeatureGate{{Key: gen.FeatureGateKeyBoolean, Value: g.On}}
	if g.Time > 0 {
		gates = append(gates, gen.FeatureGate{Key: gen.FeatureGateKeyPercentageOfTime, Value: g.Time})
	}
	if g.Percent > 0 {
		gates = append(gates, gen.FeatureGate{Key: gen.FeatureGateKeyPercentageOfActors, Value: g.Percent})
	}
	if len(g.Actors) > 0 {
		gates = append(gates, gen.FeatureGate{Key: gen.FeatureGateKeyActors, Value: g.Actors})
	}
	if len(g.Groups) > 0 {
		gates = append(gates, gen.FeatureGate{Key: gen.FeatureGateKeyGroups, Value: g.Groups})
	}
	return gen.Feature{Name: s.Name, State: gen.FeatureState(g.State()), Gates: gates}
}
