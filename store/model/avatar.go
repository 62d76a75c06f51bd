package model

import "time"

// AvatarKind is what kind of owner a picture has.
type AvatarKind string

// The kinds of owners, as URLs name them.
const (
	AvatarUser    AvatarKind = "user"
	AvatarGroup   AvatarKind = "group"
	AvatarProject AvatarKind = "project"
)

// Avatar is the picture of a user, group or project. As input, one without bytes stands for none.
type Avatar struct {
	ID          int64
	Kind        AvatarKind
	OwnerID     int64
	FileName    string // told by the bytes, so that another picture has another URL
	ContentType string
	Digest      []byte
	Data        []byte
	CreatedAt   time.Time
}
