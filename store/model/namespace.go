package model

import "time"

// NamespaceUser is the kind of a user's personal namespace.
const NamespaceUser = "user"

// Namespace is a place that projects live in: a user's own or a group.
type Namespace struct {
	ID        int64
	Kind      string
	Name      string
	Path      string
	ParentID  *int64
	CreatedAt time.Time
	UpdatedAt time.Time
}
