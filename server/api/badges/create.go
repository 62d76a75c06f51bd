package badges

import (
	"context"
	"fmt"

	"svc/gen"
	"svc/server/domain/badge"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// CreateProjectBadge creates a badge in a project.
// POST /projects/{id}/badges
func (b *Badges) CreateProjectBadge(
	ctx context.Context, req gen.CreateProjectBadgeRequestObject,
) (gen.CreateProjectBadgeResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectBadge201JSONResponse(shown), nil
}

// CreateGroupBadge creates a badge in a group.
// POST /groups/{id}/badges
func (b *Badges) CreateGroupBadge(
	ctx context.Context, req gen.CreateGroupBadgeRequestObject,
) (gen.CreateGroupBadgeResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupBadge201JSONResponse(shown), nil
}

func (b *Badges) create(ctx context.Context, in owner, body gen.BadgeCreate) (gen.Badge, error) {
	made := model.Badge{
		ProjectID: in.ProjectID, GroupID: in.GroupID, Name: body.Name.Ptr(), LinkURL: body.LinkURL, ImageURL: body.ImageURL,
	}
	if err := checkURLs(made); err != nil {
		return gen.Badge{}, err
	}
	err := events.Audited(ctx, b.store, func(ctx context.Context) (events.Change, error) {
		room, err := b.store.Badges.Create(ctx, in.ResourceOwner, &made, badge.MaxBadges)
		if err == nil && !room {
			err = apierr.Refused(fmt.Sprintf("Maximum number of badges (%d) exceeded", badge.MaxBadges))
		}
		return in.change(made, "badge_created", "Created badge"), err
	})
	if err != nil {
		return gen.Badge{}, err
	}
	return b.presentOne(ctx, in, made)
}

// checkURLs validates the URLs of a badge.
func checkURLs(row model.Badge) error {
	fields := map[string][]string{}
	for field, text := range map[string]string{"link_url": row.LinkURL, "image_url": row.ImageURL} {
		if wrong := badge.CheckURL(text); wrong != "" {
			fields[field] = []string{wrong}
		}
	}
	if len(fields) > 0 {
		return apierr.InvalidFields(fields)
	}
	return nil
}
