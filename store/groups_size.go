package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// Sizes returns the sizes of those of the groups that the reader owns. Administrators own all groups.
func (s Namespaces) Sizes(ctx context.Context, ids []int64, r Reader) (map[int64]model.GroupSize, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := s.db.Read(ctx).Table("namespaces n").Select("n.id AS group_id, "+
		"coalesce(sum(p.repository_size), 0) AS repository_size, coalesce(sum(p.lfs_objects_size), 0) AS lfs_objects_size, "+
		"coalesce(sum(p.job_artifacts_size), 0) AS job_artifacts_size, coalesce(sum(p.packages_size), 0) AS packages_size, "+
		"coalesce(sum(p.uploads_size), 0) AS uploads_size").
		Joins("JOIN namespace_ancestors a ON a.ancestor_id = n.id").
		Joins("LEFT JOIN projects p ON p.namespace_id = a.descendant_id").
		Where("n.id IN ?", ids).Group("n.id")
	if !r.Admin {
		q = q.Where("n.id IN (SELECT group_id FROM ("+rolesInGroups+") AS roles WHERE level >= ?)",
			append(rolesArgs(r.UserID, s.today()), model.Owner)...)
	}
	var rows []model.GroupSize
	if err := q.Scan(&rows).Error; err != nil {
		return nil, query.Translate(err)
	}
	sizes := make(map[int64]model.GroupSize, len(rows))
	for _, row := range rows {
		sizes[row.GroupID] = row
	}
	return sizes, nil
}
