package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// OtherRepositories holds what the database stores about repositories other than those of projects: wikis and snippets.
type OtherRepositories struct{ *base }

const sideRepository = "Repository"

// sidePlaces contains the query for the storage, the read-only flag and the head commit of each kind of repository.
var sidePlaces = map[model.RepositoryKind]string{
	model.ProjectWikiRepository: "SELECT p.repository_storage AS storage, p.repository_read_only AS read_only, " +
		"coalesce(w.head, '') AS head " +
		"FROM projects p LEFT JOIN project_wikis w ON w.project_id = p.id WHERE p.id = ?",
	model.GroupWikiRepository: "SELECT repository_storage AS storage, repository_read_only AS read_only, head FROM " +
		"group_wikis WHERE group_id = ?",
	model.SnippetRepository: "SELECT repository_storage AS storage, repository_read_only AS read_only, head FROM snippets WHERE id = ?",
}

// Place returns the storage, the read-only flag and the head commit of a repository.
func (s OtherRepositories) Place(ctx context.Context, kind model.RepositoryKind, id int64) (model.SideRepository, error) {
	var rows []model.SideRepository
	err := s.db.Read(ctx).Raw(sidePlaces[kind], id).Scan(&rows).Error
	if err != nil {
		return model.SideRepository{}, query.Translate(err)
	}
	if len(rows) == 0 {
		return model.SideRepository{}, &NotFoundError{Resource: sideRepository}
	}
	return rows[0], nil
}

// SetHead stores the commit that the branch of a repository points to. It returns a *NotFoundError if the owner was
// deleted.
func (s OtherRepositories) SetHead(ctx context.Context, kind model.RepositoryKind, id int64, head string) error {
	q := s.db.Write(ctx)
	switch kind {
	case model.ProjectWikiRepository:
		q = q.Exec("INSERT INTO project_wikis (project_id, head, updated_at) SELECT id, ?, ? FROM projects WHERE id = ? "+
			"ON CONFLICT (project_id) DO UPDATE SET head = excluded.head, updated_at = excluded.updated_at", head, s.now(), id)
	case model.GroupWikiRepository:
		q = q.Exec("UPDATE group_wikis SET head = ?, updated_at = ? WHERE group_id = ?", head, s.now(), id)
	default:
		q = q.Exec("UPDATE snippets SET head = ? WHERE id = ?", head, id)
	}
	if q.Error == nil && q.RowsAffected == 0 {
		return &NotFoundError{Resource: sideRepository}
	}
	return query.Translate(q.Error)
}

// CreateGroupWiki adds the row of a group's wiki on the default storage. An existing row stays as it is.
func (s OtherRepositories) CreateGroupWiki(ctx context.Context, groupID int64) error {
	row := model.GroupWiki{GroupID: groupID, RepositoryStorage: model.DefaultStorage}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error)
}

// Deleted returns repositories whose owners were deleted, the oldest first.
func (s OtherRepositories) Deleted(ctx context.Context, most int) ([]model.DeletedSideRepository, error) {
	rows, err := query.Find[model.DeletedSideRepository](s.db.Read(ctx).Order("created_at, kind, owner_id").Limit(most), 0)
	return rows, query.Translate(err)
}

// ForgetDeleted removes repositories of a kind from the list of Deleted, if their owners were deleted before the given time.
func (s OtherRepositories) ForgetDeleted(ctx context.Context, kind model.RepositoryKind, ids []int64, before time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("kind = ? AND owner_id IN ? AND created_at < ?", kind, ids, before.UTC()).
		Delete(&model.DeletedSideRepository{}).Error)
}
