package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Avatars holds the pictures of users, groups, projects and topics.
type Avatars struct{ *base }

const avatar = "Avatar"

// avatarOwners names the tables of the owners. Their rows contain the file name of the picture.
var avatarOwners = map[model.AvatarKind]string{
	model.AvatarUser: "users", model.AvatarGroup: "namespaces", model.AvatarProject: "projects", model.AvatarTopic: "topics",
}

// Get returns the picture of an owner.
func (s Avatars) Get(ctx context.Context, kind model.AvatarKind, ownerID int64) (model.Avatar, error) {
	return query.Take[model.Avatar](s.db.Read(ctx).Where("owner_id = ? AND kind = ?", ownerID, kind), avatar)
}

// Put sets the picture of an owner. A picture without data removes the current one; nil changes nothing.
func (s Avatars) Put(ctx context.Context, kind model.AvatarKind, ownerID int64, picture *model.Avatar) error {
	if picture == nil {
		return nil
	}
	return s.Tx(ctx, func(ctx context.Context) error {
		var file *string
		if len(picture.Data) > 0 {
			file = &picture.FileName
		}
		// The owner's row is changed first, so that concurrent changes of the picture wait for each other there.
		res := s.db.Write(ctx).Table(avatarOwners[kind]).
			Where("id = ?", ownerID).Updates(map[string]any{"avatar": file, "updated_at": s.now()})
		switch {
		case res.Error != nil:
			return query.Translate(res.Error)
		case res.RowsAffected == 0:
			return &NotFoundError{Resource: avatar}
		case file == nil:
			return s.deleteOf(ctx, kind, "?", ownerID)
		}
		return s.write(ctx, kind, ownerID, picture)
	})
}

// write creates or replaces the picture of an owner.
func (s Avatars) write(ctx context.Context, kind model.AvatarKind, ownerID int64, picture *model.Avatar) error {
	row := *picture
	row.ID, row.Kind, row.OwnerID = 0, kind, ownerID
	clash := clause.OnConflict{
		Columns:   []clause.Column{{Name: "owner_id"}, {Name: "kind"}},
		DoUpdates: clause.AssignmentColumns([]string{"file_name", "content_type", "digest", "data", "created_at"}),
	}
	return query.Translate(s.db.Write(ctx).Clauses(clash).Create(&row).Error)
}

// deleteOf removes the pictures of owners. The owners are named by ids or by a query for ids. Code that deletes owners
// calls it in the same transaction, after a statement that locks or deletes their rows: then nobody can add a picture
// in between.
func (s Avatars) deleteOf(ctx context.Context, kind model.AvatarKind, ids string, args ...any) error {
	return query.Translate(s.db.Write(ctx).
		Exec("DELETE FROM avatars WHERE kind = ? AND owner_id IN ("+ids+")", append([]any{kind}, args...)...).Error)
}

// appearanceKind returns the kind of a picture of the instance, whose owner is 1.
func appearanceKind(p model.AppearancePicture) model.AvatarKind {
	return model.AvatarKind("appearance_" + p)
}

// Appearance returns a picture that the pages of the instance show.
func (s Avatars) Appearance(ctx context.Context, p model.AppearancePicture) (model.Avatar, error) {
	return s.Get(ctx, appearanceKind(p), 1)
}

// PutAppearance sets a picture that the pages of the instance show. A picture without data removes the current one.
func (s Avatars) PutAppearance(ctx context.Context, p model.AppearancePicture, picture *model.Avatar) error {
	if len(picture.Data) == 0 {
		return s.deleteOf(ctx, appearanceKind(p), "?", int64(1))
	}
	return s.write(ctx, appearanceKind(p), 1, picture)
}
