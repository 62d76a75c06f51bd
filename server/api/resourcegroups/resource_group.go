package resourcegroups

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectResourceGroup shows a resource group.
// GET /projects/{id}/resource_groups/{key}
func (r *ResourceGroups) GetProjectResourceGroup(
	ctx context.Context, req gen.GetProjectResourceGroupRequestObject,
) (gen.GetProjectResourceGroupResponseObject, error) {
	_, group, err := r.find(ctx, req.ID, req.Key, access.ReadResourceGroup)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectResourceGroup200JSONResponse(present.ResourceGroup(group)), nil
}

// UpdateProjectResourceGroup changes the order in which waiting jobs get a resource group.
// PUT /projects/{id}/resource_groups/{key}
func (r *ResourceGroups) UpdateProjectResourceGroup(
	ctx context.Context, req gen.UpdateProjectResourceGroupRequestObject,
) (gen.UpdateProjectResourceGroupResponseObject, error) {
	_, group, err := r.find(ctx, req.ID, req.Key, access.UpdateResourceGroup)
	if err != nil {
		return nil, err
	}
	if mode := req.Body.ProcessMode; mode != nil {
		if group, err = r.engine.SetProcessMode(ctx, group, string(*mode)); err != nil {
			return nil, err
		}
	}
	return gen.UpdateProjectResourceGroup200JSONResponse(present.ResourceGroup(group)), nil
}
