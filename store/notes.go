package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"svc/store/internal/query"
	"svc/store/model"
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
	return s.later(ctx, "UPDATE "+table+" SET user_notes_count = user_notes_count + ? WHERE id = ?", said, rows[0].NoteableID)
}

// AddSystem adds system notes to one issue or merge request. It sets their ids only if there are several.
func (s Notes) AddSystem(ctx context.Context, rows ...*model.Note) error {
	if len(rows) != 1 {
		return s.Add(ctx, rows...)
	}
	rows[0].DiscussionID = newThreadID()
	s.setTimes(&rows[0].CreatedAt, &rows[0].UpdatedAt)
	return s.insertLater(ctx, addNote, noteFields(rows[0]))
}

// AddCounted adds a note that Noteables.CountNote has counted.
func (s Notes) AddCounted(ctx context.Context, n *model.Note) error { return s.insert(ctx, n) }

func (s Notes) insert(ctx context.Context, rows ...*model.Note) error {
	for _, n := range rows {
		if n.DiscussionID == "" {
			n.DiscussionID = newThreadID()
		}
	}
	if len(rows) > 1 {
		return query.Translate(s.db.Write(ctx).Create(rows).Error)
	}
	s.setTimes(&rows[0].CreatedAt, &rows[0].UpdatedAt)
	return s.base.insert(ctx, addNote+returningID, noteFields(rows[0]))
}

// noteColumns and noteFields belong together: all columns of a note, and the fields that they are scanned into.
const noteColumns = "id, project_id, noteable_type, noteable_id, commit_id, discussion_id, note_type, author_id, body, system, " +
	"action, internal, position, resolvable, resolved_by_id, resolved_at, created_at, updated_at"

func noteFields(n *model.Note) []any {
	return []any{
		&n.ID, &n.ProjectID, &n.NoteableType, &n.NoteableID, &n.CommitID, &n.DiscussionID, &n.NoteType, &n.AuthorID, &n.Body,
		&n.System, &n.Action, &n.Internal, &n.Position, &n.Resolvable, &n.ResolvedByID, &n.ResolvedAt, &n.CreatedAt, &n.UpdatedAt,
	}
}

var addNote = insertion("notes", noteColumns)

// newThreadID returns the id of a new thread.
func newThreadID() string {
	var b [20]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
