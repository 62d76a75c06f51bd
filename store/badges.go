package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Badges holds the linked pictures that projects and groups show.
type Badges struct{ *base }

const badge = "Badge"

// shown selects the badges of a project or group. A project also shows the badges of the groups above it.
func (s Badges) shown(ctx context.Context, in ResourceOwner) *gorm.DB {
	if in.ProjectID != nil {
		return in.whereInherited(s.db.Read(ctx))
	}
	return in.whereOwned(s.db.Read(ctx))
}

// List returns one page of the badges that a project or group shows, optionally only those with the given name. It does not read
// when they were created and changed.
func (s Badges) List(ctx context.Context, in ResourceOwner, name *string, p Page) ([]model.Badge, Total, error) {
	from := in.inheritedRows()
	if in.ProjectID == nil {
		from = in.ownedRows()
	}
	from.text = "badges WHERE " + from.text
	if name != nil {
		from.text, from.args = from.text+" AND name = ?", append(from.args, *name)
	}
	return shortList[model.Badge]{
		columns: "id, project_id, group_id, name, link_url, image_url", from: from, order: "id",
		fields: func(b *model.Badge) []any {
			return []any{&b.ID, &b.ProjectID, &b.GroupID, &b.Name, &b.LinkURL, &b.ImageURL}
		},
	}.page(ctx, s.base, p)
}

// Get returns a badge that a project or group shows.
func (s Badges) Get(ctx context.Context, in ResourceOwner, id int64) (model.Badge, error) {
	return query.Take[model.Badge](s.shown(ctx, in).Where("id = ?", id), badge)
}

// GetOwn returns a badge that belongs to the project or group itself.
func (s Badges) GetOwn(ctx context.Context, in ResourceOwner, id int64) (model.Badge, error) {
	return query.Take[model.Badge](in.whereOwned(s.db.Write(ctx)).Where("id = ?", id), badge)
}

// Create adds a badge. It returns false if the project or group has as many badges as allowed.
func (s Badges) Create(ctx context.Context, in ResourceOwner, b *model.Badge, most int64) (bool, error) {
	room := false
	err := s.Exclusive(ctx, "badges", func(ctx context.Context) error {
		var n int64
		if err := in.whereOwned(s.db.Write(ctx).Model(&model.Badge{})).Count(&n).Error; err != nil {
			return query.Translate(err)
		}
		if room = n < most; !room {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Create(b).Error)
	})
	return room, err
}

// Update changes columns of a badge.
func (s Badges) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Badge{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// Delete removes a badge, unless it was changed after the given time.
func (s Badges) Delete(ctx context.Context, row model.Badge, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, badge, unchangedSince)
}
