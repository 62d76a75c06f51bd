package projects

import (
	"context"

	"svc/gen"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ShareProject gives the members of a group a role in a project.
// POST /projects/{id}/share
func (p *Projects) ShareProject(
	ctx context.Context, req gen.ShareProjectRequestObject,
) (gen.ShareProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ShareProject)
	if err != nil {
		return nil, err
	}
	link, err := p.projects.Share(ctx, row, shareFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	return gen.ShareProject201JSONResponse(present.ProjectShare(link)), nil
}

// DeleteProjectShare stops sharing a project with a group.
// DELETE /projects/{id}/share/{group_id}
func (p *Projects) DeleteProjectShare(
	ctx context.Context, req gen.DeleteProjectShareRequestObject,
) (gen.DeleteProjectShareResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ShareProject)
	if err != nil {
		return nil, err
	}
	err = p.projects.Unshare(ctx, row, req.GroupID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectShare204Response{}, nil
}

func shareFrom(b gen.ProjectShareCreate) project.NewShare {
	share := project.NewShare{GroupID: b.GroupID, AccessLevel: model.Access(b.GroupAccess)}
	if day := b.ExpiresAt.Ptr(); day != nil {
		share.ExpiresAt = &day.Time
	}
	return share
}
