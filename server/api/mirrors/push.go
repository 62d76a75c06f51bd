package mirrors

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// find finds a mirror of a project and requires the ability in that project.
func (m *Mirrors) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.RemoteMirror, error) {
	row, err := m.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.RemoteMirror{}, err
	}
	found, err := m.store.RemoteMirrors.Get(ctx, row.Project.ID, id)
	return row, found, apierr.OrNotFound(err)
}

// ListProjectRemoteMirrors lists the repositories that a project pushes to.
// GET /projects/{id}/remote_mirrors
func (m *Mirrors) ListProjectRemoteMirrors(
	ctx context.Context, req gen.ListProjectRemoteMirrorsRequestObject,
) (gen.ListProjectRemoteMirrorsResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.ReadMirror)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "RemoteMirror", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.RemoteMirrors.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRemoteMirrors200JSONResponse{
		Body: present.All(rows, present.RemoteMirror), Headers: gen.ListProjectRemoteMirrors200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectRemoteMirror shows a repository that a project pushes to.
// GET /projects/{id}/remote_mirrors/{mirror_id}
func (m *Mirrors) GetProjectRemoteMirror(
	ctx context.Context, req gen.GetProjectRemoteMirrorRequestObject,
) (gen.GetProjectRemoteMirrorResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MirrorID, access.ReadMirror)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRemoteMirror200JSONResponse(present.RemoteMirror(found)), nil
}

// CreateProjectRemoteMirror adds a repository that a project pushes to.
// POST /projects/{id}/remote_mirrors
func (m *Mirrors) CreateProjectRemoteMirror(
	ctx context.Context, req gen.CreateProjectRemoteMirrorRequestObject,
) (gen.CreateProjectRemoteMirrorResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.AdminMirror)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := m.remotes.CreateMirror(ctx, row.Project, b.URL, remote.MirrorChange{
		Enabled: b.Enabled, OnlyProtected: b.OnlyProtectedBranches, KeepDivergent: b.KeepDivergentRefs, Regex: b.MirrorBranchRegex,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRemoteMirror201JSONResponse(present.RemoteMirror(made)), nil
}

// UpdateProjectRemoteMirror changes a repository that a project pushes to.
// PUT /projects/{id}/remote_mirrors/{mirror_id}
func (m *Mirrors) UpdateProjectRemoteMirror(
	ctx context.Context, req gen.UpdateProjectRemoteMirrorRequestObject,
) (gen.UpdateProjectRemoteMirrorResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MirrorID, access.AdminMirror)
	if err != nil {
		return nil, err
	}
	b := req.Body
	changed, err := m.remotes.UpdateMirror(ctx, row.Project, found, remote.MirrorChange{
		Enabled: b.Enabled, OnlyProtected: b.OnlyProtectedBranches, KeepDivergent: b.KeepDivergentRefs, Regex: b.MirrorBranchRegex,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectRemoteMirror200JSONResponse(present.RemoteMirror(changed)), nil
}

// DeleteProjectRemoteMirror deletes a repository that a project pushes to.
// DELETE /projects/{id}/remote_mirrors/{mirror_id}
func (m *Mirrors) DeleteProjectRemoteMirror(
	ctx context.Context, req gen.DeleteProjectRemoteMirrorRequestObject,
) (gen.DeleteProjectRemoteMirrorResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MirrorID, access.AdminMirror)
	if err != nil {
		return nil, err
	}
	if err := m.remotes.DeleteMirror(ctx, row.Project, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectRemoteMirror204Response{}, nil
}

// SyncProjectRemoteMirror pushes to a repository now.
// POST /projects/{id}/remote_mirrors/{mirror_id}/sync
func (m *Mirrors) SyncProjectRemoteMirror(
	ctx context.Context, req gen.SyncProjectRemoteMirrorRequestObject,
) (gen.SyncProjectRemoteMirrorResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MirrorID, access.AdminMirror)
	if err != nil {
		return nil, err
	}
	if err := m.remotes.SyncMirror(ctx, row.Project, found); err != nil {
		return nil, err
	}
	return gen.SyncProjectRemoteMirror204Response{}, nil
}
