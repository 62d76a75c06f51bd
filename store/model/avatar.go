package model

import "time"

// AvatarKind is the kind of owner that an avatar has.
type AvatarKind string

// The kinds of owners, as URLs name them.
const (
	AvatarUser    AvatarKind = "user"
	AvatarGroup   AvatarKind = "group"
	AvatarProject AvatarKind = "project"
	AvatarTopic   AvatarKind = "topic"
)

// Avatar is the picture of a user, group, project or topic. As input, an avatar without bytes removes the picture.
type Avatar struct {
	ID          int64
	Kind        AvatarKind
	OwnerID     int64
	FileName    string // derived from the bytes, so that another picture has another URL
	ContentType string
	Digest      []byte
	Data        []byte
	CreatedAt   time.Time
}

// AppearancePicture is a picture that the pages of the instance show.
type AppearancePicture string

// The pictures of the instance.
const (
	AppearanceLogo       AppearancePicture = "logo"
	AppearanceHeaderLogo AppearancePicture = "header_logo"
	AppearanceFavicon    AppearancePicture = "favicon"
)

// Path returns the path at which a picture of the instance is found, or an empty text if there is none.
func (p AppearancePicture) Path(file string) string {
	if file == "" {
		return ""
	}
	return "/uploads/-/system/appearance/" + string(p) + "/1/" + file
}
