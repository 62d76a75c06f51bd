package present

import (
	"strconv"

	"svc/store/model"
)

// AvatarURL returns the URL of an avatar; nil if the owner has none.
func (p Presenter) AvatarURL(kind model.AvatarKind, ownerID int64, file *string) *string {
	if file == nil {
		return nil
	}
	link := p.Base + "/uploads/-/system/" + string(kind) + "/avatar/" + strconv.FormatInt(ownerID, 10) + "/" + *file
	return &link
}

// UserAvatar returns the URL of a user's avatar.
func (p Presenter) UserAvatar(u model.User) *string {
	return p.AvatarURL(model.AvatarUser, u.ID, u.Avatar)
}

// GroupAvatar returns the URL of a group's avatar.
func (p Presenter) GroupAvatar(g model.Namespace) *string {
	return p.AvatarURL(model.AvatarGroup, g.ID, g.Avatar)
}
