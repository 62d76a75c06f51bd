package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// ListProjectMergeRequestVersions lists the versions of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/versions
func (m *MergeRequests) ListProjectMergeRequestVersions(
	ctx context.Context, req gen.ListProjectMergeRequestVersionsRequestObject,
) (gen.ListProjectMergeRequestVersionsResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "MergeRequestDiff", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.MergeRequests.Versions(ctx, found.ID, window.Page)
	if err != nil {
		return nil, err
	}
	repo, err := m.merger.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	shown, err := versions(ctx, repo, rows...)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestVersions200JSONResponse{
		Body: shown, Headers: gen.ListProjectMergeRequestVersions200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectMergeRequestVersion returns a version of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/versions/{version_id}
func (m *MergeRequests) GetProjectMergeRequestVersion(
	ctx context.Context, req gen.GetProjectMergeRequestVersionRequestObject,
) (gen.GetProjectMergeRequestVersionResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	v, err := m.store.MergeRequests.Version(ctx, found.ID, req.VersionID)
	if err != nil {
		return nil, err
	}
	version, err := m.openVersion(row, v)
	if err != nil {
		return nil, err
	}
	commits, files, err := version.contents(ctx)
	if err != nil {
		return nil, err
	}
	listed, err := versions(ctx, version.Repo, v)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestVersion200JSONResponse(m.show.VersionDetail(
		row.Project, listed[0], commits, files, wire.Value(req.Params.Unidiff),
	)), nil
}

// versions presents versions with their patch IDs.
func versions(
	ctx context.Context, repo git.Repo, rows ...model.MergeRequestVersion,
) ([]gen.MergeRequestVersion, error) {
	pairs := make([]git.Pair, len(rows))
	for i, v := range rows {
		pairs[i] = git.Pair{From: v.BaseSHA, To: v.HeadSHA}
	}
	ids, err := repo.PatchIDs(ctx, pairs)
	if err != nil {
		return nil, err
	}
	shown := make([]gen.MergeRequestVersion, len(rows))
	for i, v := range rows {
		shown[i] = present.MergeRequestVersion(v, ids[i])
	}
	return shown, nil
}
