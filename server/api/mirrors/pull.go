package mirrors

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectMirrorPull shows the repository that a project pulls from.
// GET /projects/{id}/mirror/pull
func (m *Mirrors) GetProjectMirrorPull(
	ctx context.Context, req gen.GetProjectMirrorPullRequestObject,
) (gen.GetProjectMirrorPullResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.ReadMirror)
	if err != nil {
		return nil, err
	}
	found, err := m.remotes.Pull(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMirrorPull200JSONResponse(present.PullMirror(found)), nil
}

// UpdateProjectMirrorPull sets the repository that a project pulls from.
// PUT /projects/{id}/mirror/pull
func (m *Mirrors) UpdateProjectMirrorPull(
	ctx context.Context, req gen.UpdateProjectMirrorPullRequestObject,
) (gen.UpdateProjectMirrorPullResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.AdminMirror)
	if err != nil {
		return nil, err
	}
	b := req.Body
	set, err := m.remotes.SetPull(ctx, row.Project, remote.PullChange{
		URL: b.URL, User: b.AuthUser, Password: b.AuthPassword, Enabled: b.Enabled, TriggerBuilds: b.MirrorTriggerBuilds,
		OnlyProtected: b.OnlyMirrorProtectedBranches, Overwrites: b.MirrorOverwritesDivergedBranches, Regex: b.MirrorBranchRegex,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMirrorPull200JSONResponse(present.PullMirror(set)), nil
}

// CreateProjectMirrorPull pulls from the repository now.
// POST /projects/{id}/mirror/pull
func (m *Mirrors) CreateProjectMirrorPull(
	ctx context.Context, req gen.CreateProjectMirrorPullRequestObject,
) (gen.CreateProjectMirrorPullResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.AdminMirror)
	if err != nil {
		return nil, err
	}
	found, err := m.remotes.StartPull(ctx, row.Project)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMirrorPull202JSONResponse(present.PullMirror(found)), nil
}
