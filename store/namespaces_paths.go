package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// Paths returns the full paths of projects, keyed by project id.
func (s Projects) Paths(ctx context.Context, ids []int64) (map[int64]string, error) {
	return paths[model.Project](ctx, s.base, ids, func(p *model.Project) (int64, string) { return p.ID, p.FullPath })
}

// Paths returns the full paths of groups, keyed by group id.
func (s Namespaces) Paths(ctx context.Context, ids []int64) (map[int64]string, error) {
	return paths[model.Namespace](ctx, s.base, ids, func(n *model.Namespace) (int64, string) { return n.ID, n.FullPath })
}

func paths[T any](ctx context.Context, b *base, ids []int64, of func(*T) (int64, string)) (map[int64]string, error) {
	found := make(map[int64]string, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := query.Find[T](b.db.Read(ctx).Select("id, full_path").Where("id IN ?", ids), len(ids))
	for i := range rows {
		id, path := of(&rows[i])
		found[id] = path
	}
	return found, query.Translate(err)
}
