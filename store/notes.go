package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Notes holds the comments of users on issues, merge requests, commits and snippets, and the system notes about them.
type Notes struct{ *base }

// Add adds notes to one issue, merge request, commit or snippet. A note with a discussion id joins that thread; any
// other note begins a thread. Notes that are not system notes are counted in the issue or merge request.
func (s Notes) Add(ctx context.Context, rows ...*model.Note) error {
	said := 0
	for _, n := range rows {
		if !n.System {
			said++
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := s.insert(ctx, rows...); err != nil {
		return err
	}
	table := map[string]string{model.OnIssue: "issues", model.OnMergeRequest: "merge_requests"}[rows[0].NoteableType]
	if said == 0 || table == "" {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Table(table).Where("id = ?", rows[0].NoteableID).
		UpdateColumn("user_notes_count", gorm.Expr("user_notes_count + ?", said)).Error)
}

// AddCounted adds a note that Noteables.CountNote has counted.
func (s Notes) AddCounted(ctx context.Context, n *model.Note) error { return s.insert(ctx, n) }

func (s Notes) insert(ctx context.Context, rows ...*model.Note) error {
	for _, n := range rows {
		if n.DiscussionID == "" {
			n.DiscussionID = newThreadID()
		}
	}
	return query.Translate(s.db.Write(ctx).Create(rows).Error)
}

// newThreadID returns the id of a new thread.
func newThreadID() string {
	var b [20]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
