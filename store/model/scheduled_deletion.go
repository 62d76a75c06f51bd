package model

import (
	"strconv"
	"time"
)

// ScheduledDeletion is a project or group that is deleted later, with what a restoration brings back.
type ScheduledDeletion struct {
	ID        int64
	ProjectID *int64
	GroupID   *int64
	ByGroupID *int64 // set if it is marked because this group above it is
	UserID    *int64 // who marked it
	Name      string
	Path      string
	Archived  bool
	DeleteAt  time.Time
	CreatedAt time.Time
}

// maxScheduledName is the longest name or path of a project or group, in bytes.
const maxScheduledName = 255

// ScheduledName returns the name or path that a project or group has while it waits for its deletion, so that others can
// use its own.
func ScheduledName(name string, id int64) string {
	suffix := "-deletion_scheduled-" + strconv.FormatInt(id, 10)
	cut := []rune(name)
	for len(string(cut))+len(suffix) > maxScheduledName {
		cut = cut[:len(cut)-1]
	}
	return string(cut) + suffix
}
