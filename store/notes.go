package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"svc/store/model"

	"gorm.io/gorm"
)

// Notes are what people say of issues, merge requests, commits and snippets, and what the service notes of them.
type Notes struct{ *base }

// Add writes notes about one thing. Those of a thread that is named already join it; others begin one each. What a person
// says is counted where it is said.
func (s Notes) Add(ctx context.Context, rows ...*model.Note) error {
	said := 0
	for _, n := range rows {
		if n.DiscussionID == "" {
			n.DiscussionID = thread()
		}
		if !n.System {
			said++
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := translate(s.write(ctx).Create(rows).Error); err != nil {
		return err
	}
	table := map[string]string{model.OnIssue: "issues", model.OnMergeRequest: "merge_requests"}[rows[0].NoteableType]
	if said == 0 || table == "" {
		return nil
	}
	return translate(s.write(ctx).Table(table).Where("id = ?", rows[0].NoteableID).
		UpdateColumn("user_notes_count", gorm.Expr("user_notes_count + ?", said)).Error)
}

// thread names a new thread.
func thread() string {
	var b [20]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
