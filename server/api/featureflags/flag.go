package featureflags

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// ListProjectFeatureFlags lists the feature flags of a project.
// GET /projects/{id}/feature_flags
func (f *FeatureFlags) ListProjectFeatureFlags(
	ctx context.Context, req gen.ListProjectFeatureFlagsRequestObject,
) (gen.ListProjectFeatureFlagsResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadFeatureFlag)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, f.pages, "FeatureFlag", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	var active *bool
	if req.Params.Scope != nil {
		active = new(*req.Params.Scope == gen.ListProjectFeatureFlagsParamsScopeEnabled)
	}
	rows, total, err := f.store.FeatureFlags.List(ctx, row.Project.ID, active, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectFeatureFlags200JSONResponse{
		Body: present.All(rows, present.FeatureFlag), Headers: gen.ListProjectFeatureFlags200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectFeatureFlag shows a feature flag.
// GET /projects/{id}/feature_flags/{feature_flag_name}
func (f *FeatureFlags) GetProjectFeatureFlag(
	ctx context.Context, req gen.GetProjectFeatureFlagRequestObject,
) (gen.GetProjectFeatureFlagResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadFeatureFlag)
	if err != nil {
		return nil, err
	}
	found, err := f.store.FeatureFlags.Get(ctx, row.Project.ID, req.FeatureFlagName)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectFeatureFlag200JSONResponse(present.FeatureFlag(found)), nil
}

// CreateProjectFeatureFlag creates a feature flag.
// POST /projects/{id}/feature_flags
func (f *FeatureFlags) CreateProjectFeatureFlag(
	ctx context.Context, req gen.CreateProjectFeatureFlagRequestObject,
) (gen.CreateProjectFeatureFlagResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.AdminFeatureFlag)
	if err != nil {
		return nil, err
	}
	made, err := f.flags.Create(ctx, row.Project, newFlag(*req.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectFeatureFlag201JSONResponse(present.FeatureFlag(made)), nil
}

// UpdateProjectFeatureFlag changes a feature flag.
// PUT /projects/{id}/feature_flags/{feature_flag_name}
func (f *FeatureFlags) UpdateProjectFeatureFlag(
	ctx context.Context, req gen.UpdateProjectFeatureFlagRequestObject,
) (gen.UpdateProjectFeatureFlagResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.AdminFeatureFlag)
	if err != nil {
		return nil, err
	}
	changed, err := f.flags.Apply(ctx, row.Project, req.FeatureFlagName, changeFrom(*req.Body), reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectFeatureFlag200JSONResponse(present.FeatureFlag(changed)), nil
}

// DeleteProjectFeatureFlag deletes a feature flag.
// DELETE /projects/{id}/feature_flags/{feature_flag_name}
func (f *FeatureFlags) DeleteProjectFeatureFlag(
	ctx context.Context, req gen.DeleteProjectFeatureFlagRequestObject,
) (gen.DeleteProjectFeatureFlagResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.AdminFeatureFlag)
	if err != nil {
		return nil, err
	}
	gone, err := f.flags.Delete(ctx, row.Project, req.FeatureFlagName, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectFeatureFlag200JSONResponse(present.FeatureFlag(gone)), nil
}
