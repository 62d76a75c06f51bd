package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// storedRepositories selects, by kind, all repositories that the database knows. Each query has the columns of
// model.StoredRepository, and ends where a condition on the id follows.
var storedRepositories = map[model.RepositoryKind]struct{ columns, id string }{
	model.ProjectRepository: {
		"SELECT id, repository_storage AS storage, full_path AS name, NOT empty_repo AS written, default_branch AS branch, '' AS head " +
			"FROM projects", "id",
	},
	model.ProjectWikiRepository: {
		"SELECT w.project_id AS id, p.repository_storage AS storage, p.full_path AS name, " + sideColumns("w.head") +
			" FROM project_wikis w JOIN projects p ON p.id = w.project_id", "w.project_id",
	},
	model.GroupWikiRepository: {
		"SELECT w.group_id AS id, w.repository_storage AS storage, n.full_path AS name, " + sideColumns("w.head") +
			" FROM group_wikis w JOIN namespaces n ON n.id = w.group_id", "w.group_id",
	},
	model.SnippetRepository: {
		"SELECT id, repository_storage AS storage, title AS name, " + sideColumns("head") + " FROM snippets", "id",
	},
}

// sideColumns returns the last columns of a repository whose commit the database has.
func sideColumns(head string) string {
	return head + " <> '' AS written, '" + model.SideBranch + "' AS branch, " + head + " AS head"
}

// RepositoryKinds are all kinds of repositories.
var RepositoryKinds = []model.RepositoryKind{
	model.ProjectRepository, model.ProjectWikiRepository, model.GroupWikiRepository, model.SnippetRepository,
}

// RepositoriesAfter returns repositories of a kind, ordered by the id of their owners, starting after the given id.
func (s Instance) RepositoriesAfter(
	ctx context.Context, kind model.RepositoryKind, after int64, most int,
) ([]model.StoredRepository, error) {
	from := storedRepositories[kind]
	rows := []model.StoredRepository{}
	statement := fmt.Sprintf("%s WHERE %s > ? ORDER BY %s LIMIT ?", from.columns, from.id, from.id)
	err := s.db.Read(ctx).Raw(statement, after, most).Scan(&rows).Error
	for i := range rows {
		rows[i].Kind = kind
	}
	return rows, query.Translate(err)
}

// rowBatch is how many rows EachRepository, EachFile and EachLFSObject read at a time.
const rowBatch = 1000

// EachRepository calls see with every repository that the database knows, kind by kind, in the order of their ids.
func (s Instance) EachRepository(ctx context.Context, see func(model.StoredRepository) error) error {
	for _, kind := range RepositoryKinds {
		err := eachBatch(0, func(last int64) ([]model.StoredRepository, error) {
			return s.RepositoriesAfter(ctx, kind, last, rowBatch)
		}, func(r model.StoredRepository) int64 { return r.ID }, see)
		if err != nil {
			return err
		}
	}
	return nil
}

// eachBatch calls see with all rows, which read returns in batches. position returns the position of a row, from which
// the next batch continues; first is the position before all rows.
func eachBatch[T, P any](first P, read func(after P) ([]T, error), position func(T) P, see func(T) error) error {
	for last := first; ; {
		rows, err := read(last)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := see(row); err != nil {
				return err
			}
			last = position(row)
		}
		if len(rows) < rowBatch {
			return nil
		}
	}
}

// ownersOf are the tables whose rows may have a repository of a kind, even before anything is written to it.
var ownersOf = map[model.RepositoryKind]string{
	model.ProjectRepository:     "projects",
	model.ProjectWikiRepository: "projects",
	model.GroupWikiRepository:   "namespaces",
	model.SnippetRepository:     "snippets",
}

// RepositoryOwnersAfter returns the ids of rows that may have a repository of a kind, in order, starting after the given
// id. Those of deleted rows, whose repositories a job will remove, are among them.
func (s Instance) RepositoryOwnersAfter(ctx context.Context, kind model.RepositoryKind, after int64, most int) ([]int64, error) {
	gone := "SELECT owner_id FROM deleted_side_repositories WHERE kind = '" + string(kind) + "'"
	if kind == model.ProjectRepository || kind == model.ProjectWikiRepository {
		gone = "SELECT project_id FROM deleted_repositories"
	}
	var ids []int64
	all := "SELECT id FROM " + ownersOf[kind] + " UNION " + gone
	err := s.db.Read(ctx).Raw("SELECT id FROM ("+all+") AS owners WHERE id > ? ORDER BY id LIMIT ?", after, most).Scan(&ids).Error
	return ids, query.Translate(err)
}

// RepositoryCounts returns how many repositories of each kind are on each storage.
func (s Instance) RepositoryCounts(ctx context.Context) (map[string]map[model.RepositoryKind]int64, error) {
	counts := map[string]map[model.RepositoryKind]int64{}
	for kind, table := range movables {
		var rows []struct {
			Storage string
			N       int64
		}
		statement := "SELECT repository_storage AS storage, count(*) AS n FROM " + table.owners + " GROUP BY repository_storage"
		if err := s.db.Read(ctx).Raw(statement).Scan(&rows).Error; err != nil {
			return nil, query.Translate(err)
		}
		for _, row := range rows {
			if counts[row.Storage] == nil {
				counts[row.Storage] = map[model.RepositoryKind]int64{}
			}
			counts[row.Storage][kind] = row.N
		}
	}
	return counts, nil
}

// fileTable selects the files in the blob store that the rows of a table refer to.
type fileTable struct{ name, files string }

// storedFiles has the tables that refer to files, by the kind of the keys.
var storedFiles = map[string][]fileTable{
	"artifacts": {{"job_artifacts", "SELECT id, key, size FROM job_artifacts WHERE id > ?"}},
	"exports": {
		{"group_exports", "SELECT id, key, size FROM group_exports WHERE key IS NOT NULL AND id > ?"},
		{"group_imports", "SELECT id, key, size FROM group_imports WHERE key IS NOT NULL AND id > ?"},
		{"project_exports", "SELECT id, key, size FROM project_exports WHERE key IS NOT NULL AND id > ?"},
		{"project_file_imports", "SELECT id, key, size FROM project_file_imports WHERE key IS NOT NULL AND id > ?"},
		{"relation_export_files", "SELECT id, key, size FROM relation_export_files WHERE id > ?"},
	},
	// A job that has started may have a log before its size is known.
	"logs":     {{"jobs", "SELECT id, 'logs/' || id AS key, log_size AS size FROM jobs WHERE started_at IS NOT NULL AND id > ?"}},
	"packages": {{"package_files", "SELECT id, key, size FROM package_files WHERE id > ?"}},
	"pages":    {{"pages_deployments", "SELECT project_id AS id, key, packed_size AS size FROM pages_deployments WHERE project_id > ?"}},
	"uploads":  {{"uploads", "SELECT id, key, size FROM uploads WHERE id > ?"}},
}

// EachFile calls see with the files of a kind that rows refer to. The kinds are those of package blob, except Git LFS
// objects, which EachLFSObject returns. Two rows may refer to the same file.
func (s Instance) EachFile(ctx context.Context, kind string, see func(model.StoredFile) error) error {
	existing, err := s.tables(ctx)
	if err != nil {
		return err
	}
	for _, table := range storedFiles[kind] {
		if !slices.Contains(existing, table.name) { // a backup is made before the schema is migrated
			continue
		}
		err := eachBatch(0, func(last int64) (rows []model.StoredFile, err error) {
			err = s.db.Read(ctx).Raw(table.files+" ORDER BY id LIMIT ?", last, rowBatch).Scan(&rows).Error
			return rows, query.Translate(err)
		}, func(f model.StoredFile) int64 { return f.ID }, see)
		if err != nil {
			return err
		}
	}
	return nil
}

// EachLFSObject calls see with every Git LFS object, in the order of their ids.
func (s Instance) EachLFSObject(ctx context.Context, see func(model.LfsObject) error) error {
	return eachBatch("", func(last string) ([]model.LfsObject, error) {
		rows, err := query.Find[model.LfsObject](s.db.Read(ctx).Where("oid > ?", last).Order("oid").Limit(rowBatch), rowBatch)
		return rows, query.Translate(err)
	}, func(o model.LfsObject) string { return o.Oid }, see)
}

// PlannedRemovals returns those of the given keys that a job will remove from the blob store.
func (s Instance) PlannedRemovals(ctx context.Context, keys []string) (map[string]bool, error) {
	var found []string
	err := s.db.Read(ctx).Model(&model.BlobRemoval{}).Where("key IN ?", keys).Pluck("key", &found).Error
	planned := make(map[string]bool, len(found))
	for _, key := range found {
		planned[key] = true
	}
	return planned, query.Translate(err)
}

// HoldRemovals makes the jobs that remove files wait until the given time, because a backup copies the files.
func (s Instance) HoldRemovals(ctx context.Context, until time.Time) error {
	return s.Set(ctx, map[string]any{"removals_held_until": until.UTC().Truncate(time.Microsecond)})
}

// RemovalsHeld reports whether files must not be removed now.
func (s Instance) RemovalsHeld(ctx context.Context, now time.Time) (bool, error) {
	row, err := s.Get(ctx)
	return err == nil && row.RemovalsHeldUntil != nil && now.Before(*row.RemovalsHeldUntil), err
}
