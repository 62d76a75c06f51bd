package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// VisibleGroups returns the groups, out of the given ones, that the reader sees, by their IDs.
func (s Namespaces) VisibleGroups(ctx context.Context, ids []int64, r *Reader) (map[int64]model.Namespace, error) {
	found := map[int64]model.Namespace{}
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.Namespace](s.groups(ctx, GroupFilter{}, r).Where("id IN ?", ids), 0)
	for _, row := range rows {
		found[row.ID] = row
	}
	return found, query.Translate(err)
}
