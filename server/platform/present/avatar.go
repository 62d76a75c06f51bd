package present

import (
	"svc/server/platform/naming"
	"svc/store/model"
)

// AvatarURL returns the URL of an avatar; nil if the owner has none.
func (p Presenter) AvatarURL(kind model.AvatarKind, ownerID int64, file *string) *string {
	return naming.AvatarURL(p.Base, string(kind), ownerID, file)
}

// UserAvatar returns the URL of a user's avatar.
func (p Presenter) UserAvatar(u model.User) *string {
	return p.AvatarURL(model.AvatarUser, u.ID, u.Avatar)
}

// GroupAvatar returns the URL of a group's avatar.
func (p Presenter) GroupAvatar(g model.Namespace) *string {
	return p.AvatarURL(model.AvatarGroup, g.ID, g.Avatar)
}
