package store

import (
	"context"
	"crypto/rand"
	"fmt"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Instance holds the data about the instance itself.
type Instance struct{ *base }

// Get returns the row of the instance. The first call creates it.
func (s Instance) Get(ctx context.Context) (model.Instance, error) {
	row, err := query.Take[model.Instance](s.db.Write(ctx).Where("one = 1"), "Instance")
	if !IsNotFound(err) {
		return row, err
	}
	made := model.Instance{One: 1, ID: rand.Text(), CreatedAt: s.now()}
	if err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&made).Error; err != nil {
		return row, query.Translate(err)
	}
	return query.Take[model.Instance](s.db.Write(ctx).Where("one = 1"), "Instance") // another process may have been faster
}

// Begin creates the row of the instance with a given id, unless there is a row.
func (s Instance) Begin(ctx context.Context, id string) error {
	made := model.Instance{One: 1, ID: id, CreatedAt: s.now()}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&made).Error)
}

// Set changes columns of the row of the instance.
func (s Instance) Set(ctx context.Context, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Instance{}).Where("one = 1").UpdateColumns(set).Error)
}

// Storages returns the names of the storages that are marked as belonging to this instance.
func (s Instance) Storages(ctx context.Context) (map[string]bool, error) {
	rows, err := query.Find[model.InstanceStorage](s.db.Write(ctx), 0)
	names := map[string]bool{}
	for _, row := range rows {
		names[row.Name] = true
	}
	return names, query.Translate(err)
}

// AddStorage records that a storage is marked as belonging to this instance.
func (s Instance) AddStorage(ctx context.Context, name string) error {
	row := model.InstanceStorage{Name: name, CreatedAt: s.now()}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error)
}

// knownRepositories selects, by kind, the repositories on a storage that are not empty.
var knownRepositories = map[model.RepositoryKind]string{
	model.ProjectRepository:   "FROM projects WHERE repository_storage = ? AND NOT empty_repo",
	model.SnippetRepository:   "FROM snippets WHERE repository_storage = ? AND head <> ''",
	model.GroupWikiRepository: "FROM group_wikis WHERE repository_storage = ? AND head <> ''",
}

// SampleRepositories returns some non-empty repositories on a storage: the oldest and the newest of each kind, at most the
// given number of each.
func (s Instance) SampleRepositories(ctx context.Context, storage string, most int) ([]model.KnownRepository, error) {
	var all []model.KnownRepository
	for kind, from := range knownRepositories {
		key := movables[kind].key
		for _, order := range []string{"", " DESC"} {
			var ids []int64
			statement := fmt.Sprintf("SELECT %s %s ORDER BY %s%s LIMIT %d", key, from, key, order, most)
			if err := s.db.Read(ctx).Raw(statement, storage).Scan(&ids).Error; err != nil {
				return nil, query.Translate(err)
			}
			for _, id := range ids {
				all = append(all, model.KnownRepository{Kind: kind, ID: id})
			}
		}
	}
	return all, nil
}

// SampleArtifactKeys returns the keys of the newest job artifacts, at most the given number.
func (s Instance) SampleArtifactKeys(ctx context.Context, most int) ([]string, error) {
	var keys []string
	err := s.db.Read(ctx).Model(&model.JobArtifact{}).Order("id DESC").Limit(most).Pluck("key", &keys).Error
	return keys, query.Translate(err)
}
