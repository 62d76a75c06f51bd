package present

import (
	"strconv"

	"svc/store/model"
)

// AvatarURL is where a picture is, null for an owner who has none.
func (p Presenter) AvatarURL(kind model.AvatarKind, ownerID int64, file *string) *string {
	if file == nil {
		return nil
	}
	link := p.Base + "/uploads/-/system/" + string(kind) + "/avatar/" + strconv.FormatInt(ownerID, 10) + "/" + *file
	return &link
}

// UserAvatar is where a user's picture is.
func (p Presenter) UserAvatar(u model.User) *string {
	return p.AvatarURL(model.AvatarUser, u.ID, u.Avatar)
}

// GroupAvatar is where a group's picture is.
func (p Presenter) GroupAvatar(g model.Namespace) *string {
	return p.AvatarURL(model.AvatarGroup, g.ID, g.Avatar)
}
