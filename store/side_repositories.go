package store

import (
	"context"
	"time"

	"svc/store/model"

	"gorm.io/gorm/clause"
)

// SideRepositories are what the database knows of repositories that are not projects' own: wikis and snippets.
type SideRepositories struct{ *base }

const sideRepository = "Repository"

// sidePlaces are where the places of each kind are read from.
var sidePlaces = map[model.RepositoryKind]string{
	model.ProjectWikiRepository: "SELECT p.repository_storage AS storage, p.repository_read_only AS read_only, coalesce(w.head, '') AS head " +
		"FROM projects p LEFT JOIN project_wikis w ON w.project_id = p.id WHERE p.id = ?",
	model.GroupWikiRepository: "SELECT repository_storage AS storage, repository_read_only AS read_only, head FROM group_wikis WHERE group_id = ?",
	model.SnippetRepository:   "SELECT repository_storage AS storage, repository_read_only AS read_only, head FROM snippets WHERE id = ?",
}

// Place tells where a repository is now.
func (s SideRepositories) Place(ctx context.Context, kind model.RepositoryKind, id int64) (model.SidePlace, error) {
	var rows []model.SidePlace
	err := s.read(ctx).Raw(sidePlaces[kind], id).Scan(&rows).Error
	if err != nil {
		return model.SidePlace{}, translate(err)
	}
	if len(rows) == 0 {
		return model.SidePlace{}, &NotFoundError{Resource: sideRepository}
	}
	return rows[0], nil
}

// SetHead notes the commit that the branch of a repository is at. It is a *NotFoundError where the owner is gone.
func (s SideRepositories) SetHead(ctx context.Context, kind model.RepositoryKind, id int64, head string) error {
	q := s.write(ctx)
	switch kind {
	case model.ProjectWikiRepository:
		q = q.Exec("INSERT INTO project_wikis (project_id, head, updated_at) SELECT id, ?, ? FROM projects WHERE id = ? "+
			"ON CONFLICT (project_id) DO UPDATE SET head = excluded.head, updated_at = excluded.updated_at", head, now(), id)
	case model.GroupWikiRepository:
		q = q.Exec("UPDATE group_wikis SET head = ?, updated_at = ? WHERE group_id = ?", head, now(), id)
	default:
		q = q.Exec("UPDATE snippets SET head = ? WHERE id = ?", head, id)
	}
	if q.Error == nil && q.RowsAffected == 0 {
		return &NotFoundError{Resource: sideRepository}
	}
	return translate(q.Error)
}

// MakeGroupWiki notes that a group has a wiki, which is its place from now on; one that is there stays as it is.
func (s SideRepositories) MakeGroupWiki(ctx context.Context, groupID int64) error {
	row := model.GroupWiki{GroupID: groupID, RepositoryStorage: model.DefaultStorage}
	return translate(s.write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error)
}

// Deleted returns repositories whose owners are gone, the oldest first.
func (s SideRepositories) Deleted(ctx context.Context, most int) ([]model.DeletedSideRepository, error) {
	rows, err := find[model.DeletedSideRepository](s.read(ctx).Order("created_at, kind, owner_id").Limit(most), 0)
	return rows, translate(err)
}

// Forget ends the removal of the repositories of owners of a kind who have been gone since a time.
func (s SideRepositories) Forget(ctx context.Context, kind model.RepositoryKind, ids []int64, before time.Time) error {
	return translate(s.write(ctx).Where("kind = ? AND owner_id IN ? AND created_at < ?", kind, ids, before.UTC()).Delete(&model.DeletedSideRepository{}).Error)
}
