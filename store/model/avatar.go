package model

import "time"

// AvatarKind is the kind of owner that an avatar has.
type AvatarKind string

// The kinds of owners, as URLs name them.
const (
	AvatarUser    AvatarKind = "user"
	AvatarGroup   AvatarKind = "group"
	AvatarProject AvatarKind = "project"
)

// Avatar is the picture of a user, group or project. As input, an avatar without bytes removes the picture.
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
