package featureflags

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/featureflag"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// findList finds a user list of a project and requires the ability in that project.
func (f *FeatureFlags) findList(
	ctx context.Context, project string, iid int64, ability access.Ability,
) (model.ProjectRow, model.FeatureFlagUserList, error) {
	row, err := f.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.FeatureFlagUserList{}, err
	}
	found, err := f.store.FeatureFlagUserLists.Get(ctx, row.Project.ID, iid)
	return row, found, apierr.OrNotFound(err)
}

// ListProjectFeatureFlagsUserLists lists the user lists of a project.
// GET /projects/{id}/feature_flags_user_lists
func (f *FeatureFlags) ListProjectFeatureFlagsUserLists(
	ctx context.Context, req gen.ListProjectFeatureFlagsUserListsRequestObject,
) (gen.ListProjectFeatureFlagsUserListsResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadFeatureFlag)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, f.pages, "FeatureFlagUserList", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := f.store.FeatureFlagUserLists.List(ctx, row.Project.ID, wire.Value(req.Params.Search), window.Page)
	if err != nil {
		return nil, err
	}
	show := func(list model.FeatureFlagUserList) gen.FeatureFlagUserList {
		return present.FeatureFlagUserList(row.Project, list)
	}
	return gen.ListProjectFeatureFlagsUserLists200JSONResponse{
		Body: present.All(rows, show), Headers: gen.ListProjectFeatureFlagsUserLists200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectFeatureFlagsUserList shows a user list.
// GET /projects/{id}/feature_flags_user_lists/{iid}
func (f *FeatureFlags) GetProjectFeatureFlagsUserList(
	ctx context.Context, req gen.GetProjectFeatureFlagsUserListRequestObject,
) (gen.GetProjectFeatureFlagsUserListResponseObject, error) {
	row, found, err := f.findList(ctx, req.ID, req.Iid, access.ReadFeatureFlag)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectFeatureFlagsUserList200JSONResponse(present.FeatureFlagUserList(row.Project, found)), nil
}

// CreateProjectFeatureFlagsUserList creates a user list.
// POST /projects/{id}/feature_flags_user_lists
func (f *FeatureFlags) CreateProjectFeatureFlagsUserList(
	ctx context.Context, req gen.CreateProjectFeatureFlagsUserListRequestObject,
) (gen.CreateProjectFeatureFlagsUserListResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.AdminFeatureFlag)
	if err != nil {
		return nil, err
	}
	made, err := f.flags.CreateList(ctx, row.Project, featureflag.ListChange{Name: &req.Body.Name, Users: &req.Body.UserXids})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectFeatureFlagsUserList201JSONResponse(present.FeatureFlagUserList(row.Project, made)), nil
}

// UpdateProjectFeatureFlagsUserList changes a user list.
// PUT /projects/{id}/feature_flags_user_lists/{iid}
func (f *FeatureFlags) UpdateProjectFeatureFlagsUserList(
	ctx context.Context, req gen.UpdateProjectFeatureFlagsUserListRequestObject,
) (gen.UpdateProjectFeatureFlagsUserListResponseObject, error) {
	row, found, err := f.findList(ctx, req.ID, req.Iid, access.AdminFeatureFlag)
	if err != nil {
		return nil, err
	}
	changed, err := f.flags.ApplyList(ctx, row.Project, found, featureflag.ListChange{Name: req.Body.Name, Users: req.Body.UserXids})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectFeatureFlagsUserList200JSONResponse(present.FeatureFlagUserList(row.Project, changed)), nil
}

// DeleteProjectFeatureFlagsUserList deletes a user list.
// DELETE /projects/{id}/feature_flags_user_lists/{iid}
func (f *FeatureFlags) DeleteProjectFeatureFlagsUserList(
	ctx context.Context, req gen.DeleteProjectFeatureFlagsUserListRequestObject,
) (gen.DeleteProjectFeatureFlagsUserListResponseObject, error) {
	row, found, err := f.findList(ctx, req.ID, req.Iid, access.AdminFeatureFlag)
	if err != nil {
		return nil, err
	}
	if err := f.flags.DeleteList(ctx, row.Project, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectFeatureFlagsUserList204Response{}, nil
}
