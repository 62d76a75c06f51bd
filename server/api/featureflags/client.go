package featureflags

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectFeatureFlagsClient shows the instance ID that programs send.
// GET /projects/{id}/feature_flags_client
func (f *FeatureFlags) GetProjectFeatureFlagsClient(
	ctx context.Context, req gen.GetProjectFeatureFlagsClientRequestObject,
) (gen.GetProjectFeatureFlagsClientResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadFlagsClient)
	if err != nil {
		return nil, err
	}
	client, err := f.flags.Client(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectFeatureFlagsClient200JSONResponse(f.show.FeatureFlagsClient(client)), nil
}

// ResetProjectFeatureFlagsClientToken gives a project a new instance ID.
// POST /projects/{id}/feature_flags_client/reset_token
func (f *FeatureFlags) ResetProjectFeatureFlagsClientToken(
	ctx context.Context, req gen.ResetProjectFeatureFlagsClientTokenRequestObject,
) (gen.ResetProjectFeatureFlagsClientTokenResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.AdminFlagsClient)
	if err != nil {
		return nil, err
	}
	client, err := f.flags.ResetClient(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	return gen.ResetProjectFeatureFlagsClientToken200JSONResponse(f.show.FeatureFlagsClient(client)), nil
}
