package projects

import (
	"context"
	"errors"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ShareProject gives the members of a group a role in a project.
// POST /projects/{id}/share
func (p *Projects) ShareProject(ctx context.Context, req gen.ShareProjectRequestObject) (gen.ShareProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ShareProject)
	if err != nil {
		return nil, err
	}
	link, err := p.newLink(ctx, row, *req.Body)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "project_group_link_created", "Shared project with a group")
		c.Add, c.Target = link.AccessLevel.String(), events.Target{Type: "Group", ID: link.GroupID}
		return c, p.store.ProjectLinks.Create(ctx, &link)
	})
	if err != nil {
		return nil, explainShare(err)
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
	link, err := p.store.ProjectLinks.Get(ctx, row.Project.ID, req.GroupID)
	if err != nil {
		return nil, err
	}
	if link.AccessLevel > row.Role() {
		return nil, apierr.Forbidden()
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "project_group_link_deleted", "Stopped sharing project with a group")
		c.Remove, c.Target = link.AccessLevel.String(), events.Target{Type: "Group", ID: link.GroupID}
		return c, p.store.ProjectLinks.Delete(ctx, link, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectShare204Response{}, nil
}

// ListProjectShareLocations lists the groups that a project can be shared with.
// GET /projects/{id}/share_locations
func (p *Projects) ListProjectShareLocations(
	ctx context.Context, req gen.ListProjectShareLocationsRequestObject,
) (gen.ListProjectShareLocationsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ShareProject)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.groups(ctx, req.Params.Page, req.Params.PerPage, func(w store.Page) ([]model.Namespace, store.Total, error) {
		return p.store.Projects.ListShareLocations(
			ctx, row.Project, store.GroupFilter{Search: wire.Value(req.Params.Search)}, *access.Reader(ctx), w,
		)
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectShareLocations200JSONResponse{Body: rows, Headers: gen.ListProjectShareLocations200ResponseHeaders(headers)}, nil
}

// newLink returns the share that the caller asks for. The caller must see the group, and cannot give a higher role than
// their own.
func (p *Projects) newLink(ctx context.Context, row model.ProjectRow, b gen.ProjectShareCreate) (model.ProjectLink, error) {
	link := model.ProjectLink{ProjectID: row.Project.ID, AccessLevel: model.Access(b.GroupAccess)}
	group, _, err := p.access.Group(ctx, strconv.FormatInt(b.GroupID, 10), access.ReadGroup)
	if err != nil {
		return link, err
	}
	if link.AccessLevel > row.Role() {
		return link, apierr.Forbidden()
	}
	link.GroupID = group.ID
	if day := b.ExpiresAt.Ptr(); day != nil {
		link.ExpiresAt = &day.Time
		return link, access.CheckExpiry(day.Time)
	}
	return link, nil
}

func explainShare(err error) error {
	var taken *store.ConflictError
	var own *store.OwnGroupError
	var locked *store.SharingLockedError
	var outside *store.OutsideHierarchyError
	switch {
	case errors.As(err, &taken):
		return apierr.Conflict("Group already shared with this group")
	case errors.As(err, &own):
		return apierr.Conflict("Project cannot be shared with the group it is in or one of its ancestors.")
	case errors.As(err, &locked):
		return apierr.Forbidden("The project sharing with group is disabled")
	case errors.As(err, &outside):
		return apierr.NotFound("Group")
	}
	return err
}
