package groups

import (
	"context"
	"errors"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ShareGroup shares a group with another group: members of the other group get a role in it.
// POST /groups/{id}/share
func (g *Groups) ShareGroup(ctx context.Context, req gen.ShareGroupRequestObject) (gen.ShareGroupResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	link, err := g.newLink(ctx, row, *req.Body)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, g.store, func(ctx context.Context) (events.Change, error) {
		c := groupChange(row, "group_share_created", "Shared group with another group")
		c.Add, c.Target = link.AccessLevel.String(), events.Target{Type: "Group", ID: link.SharedWithGroupID}
		return c, g.store.GroupLinks.Create(ctx, &link)
	})
	if err != nil {
		return nil, explainShare(err)
	}
	shown, err := g.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.ShareGroup201JSONResponse(shown), nil
}

// DeleteGroupShare ends the sharing of a group with another group.
// DELETE /groups/{id}/share/{group_id}
func (g *Groups) DeleteGroupShare(ctx context.Context, req gen.DeleteGroupShareRequestObject) (gen.DeleteGroupShareResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.AdminGroup)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, g.store, func(ctx context.Context) (events.Change, error) {
		c := groupChange(row, "group_share_deleted", "Stopped sharing group with another group")
		c.Target = events.Target{Type: "Group", ID: req.GroupID}
		return c, g.store.GroupLinks.Delete(ctx, row.ID, req.GroupID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupShare204Response{}, nil
}

// newLink builds the share from the request. The caller must be able to see the other group.
func (g *Groups) newLink(ctx context.Context, row model.Namespace, b gen.GroupShareCreate) (model.GroupLink, error) {
	link := model.GroupLink{GroupID: row.ID, AccessLevel: model.Access(b.GroupAccess)}
	other, _, err := g.access.Group(ctx, strconv.FormatInt(b.GroupID, 10), access.ReadGroup)
	if err != nil {
		return link, err
	}
	if other.ID == row.ID {
		return link, apierr.BadRequest("A group cannot be shared with itself")
	}
	link.SharedWithGroupID = other.ID
	if day := b.ExpiresAt.Ptr(); day != nil {
		link.ExpiresAt = &day.Time
		return link, access.CheckExpiry(day.Time)
	}
	return link, nil
}

func explainShare(err error) error {
	var taken *store.ConflictError
	var outside *store.OutsideHierarchyError
	switch {
	case errors.As(err, &taken):
		return apierr.Conflict("The group has already been shared with this group")
	case errors.As(err, &outside):
		return apierr.NotFound("Group")
	}
	return err
}

// detail presents a group with its shares and projects, as the caller can see them.
func (g *Groups) detail(ctx context.Context, row model.Namespace) (gen.Group, error) {
	shown, err := g.withoutProjects(ctx, row)
	if err != nil {
		return shown, err
	}
	return g.withProjects(ctx, shown)
}

func (g *Groups) withoutProjects(ctx context.Context, row model.Namespace) (gen.Group, error) {
	shares, err := g.store.GroupLinks.ListByGroup(ctx, row.ID, access.Reader(ctx))
	return g.show.GroupDetail(row, shares), err
}

// reload reads a group again and presents it, because a change can have given it another path.
func (g *Groups) reload(ctx context.Context, id int64) (gen.Group, error) {
	row, _, err := g.store.Namespaces.GetGroup(ctx, id, "", access.Reader(ctx))
	if err != nil {
		return gen.Group{}, err
	}
	return g.detail(ctx, row)
}
