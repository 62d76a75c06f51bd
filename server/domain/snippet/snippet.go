// Package snippet creates, changes and deletes snippets. A snippet is a row with a git repository.
package snippet

import (
	"context"
	"time"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Service creates, changes and deletes snippets on behalf of the caller.
type Service struct {
	store        *store.Store
	repositories *lifecycle.SideRepositories
	writer       *commit.Writer
}

// New returns a Service.
func New(st *store.Store, sides *lifecycle.SideRepositories, w *commit.Writer) *Service {
	return &Service{store: st, repositories: sides, writer: w}
}

// Repository names the repository of a snippet.
func Repository(row model.SnippetRow) lifecycle.Owner {
	return lifecycle.Owner{Kind: model.SnippetRepository, ID: row.Snippet.ID}
}

// Delete deletes a snippet. It fails if the snippet was changed after unmodifiedSince.
func (s *Service) Delete(ctx context.Context, row model.SnippetRow, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return auditChange(row, "snippet_deleted", "Removed snippet"),
			s.store.Snippets.Delete(ctx, row.Snippet, unmodifiedSince)
	})
}

// auditChange returns the audit event of a change of a snippet.
func auditChange(row model.SnippetRow, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Snippet(row),
		Target: events.Target{Type: "Snippet", ID: row.Snippet.ID, Details: row.Snippet.Title}, Message: message,
	}
}
