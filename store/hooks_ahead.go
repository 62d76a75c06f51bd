package store

import (
	"context"

	"svc/store/internal/query"
)

// anyHook reports whether there is a hook for a project, for a group above it or for the instance, whatever it wants.
const anyHook = "SELECT CASE WHEN EXISTS (SELECT 1 FROM hooks WHERE project_id = ?) THEN true " +
	"WHEN EXISTS (SELECT 1 FROM hooks WHERE project_id IS NULL AND group_id IS NULL) THEN true " +
	"ELSE EXISTS (SELECT 1 FROM namespace_ancestors a JOIN hooks ON hooks.group_id = a.ancestor_id WHERE a.descendant_id = ?) END"

type hooksAheadKey struct{}

// hooksAhead is whether a project has hooks, as a transaction has read it.
type hooksAhead struct {
	project    int64
	known, any bool
}

// ReadAhead reads, with the next statement of the transaction, whether there are hooks for a project. If there are none, Match
// needs no statement with the context that it returns, which must be used only in this transaction.
func (s Hooks) ReadAhead(ctx context.Context, in HookScope) (context.Context, error) {
	ahead := &hooksAhead{project: in.ProjectID}
	err := s.db.LaterRows(ctx, anyHook, []any{in.ProjectID, in.NamespaceID}, func(row query.Scanner) error {
		ahead.known = true
		return row.Scan(&ahead.any)
	})
	return context.WithValue(ctx, hooksAheadKey{}, ahead), query.Translate(err)
}

// noneAhead reports whether it is known that there are no hooks for a scope.
func (s Hooks) noneAhead(ctx context.Context, in HookScope) bool {
	ahead, ok := ctx.Value(hooksAheadKey{}).(*hooksAhead)
	return ok && ahead.known && !ahead.any && (in == HookScope{} || in.ProjectID != 0 && in.ProjectID == ahead.project)
}
