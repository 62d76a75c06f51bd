package store

import (
	"context"
	"slices"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Environments holds the environments that jobs deploy to.
type Environments struct{ *base }

const environment = "Environment"

// EnvironmentFilter narrows a list of environments.
type EnvironmentFilter struct {
	Name   string // exactly
	Search string // part of the name
	State  string
}

// List returns one page of the environments of a project, ordered by name.
func (s Environments) List(ctx context.Context, projectID int64, f EnvironmentFilter, p Page) ([]model.Environment, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID).Order("name")
	if f.Name != "" {
		q = q.Where("name = ?", f.Name)
	}
	if f.Search != "" {
		q = q.Where(`lower(name) LIKE lower(?) ESCAPE '\'`, "%"+likeEscaper.Replace(f.Search)+"%")
	}
	if f.State != "" {
		q = q.Where("state = ?", f.State)
	}
	return query.List[model.Environment](q, p)
}

// Get returns an environment of a project.
func (s Environments) Get(ctx context.Context, projectID, id int64) (model.Environment, error) {
	return query.Take[model.Environment](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), environment)
}

// GetByName returns the environment of a project with the given name.
func (s Environments) GetByName(ctx context.Context, projectID int64, name string) (model.Environment, error) {
	return query.Take[model.Environment](s.db.Read(ctx).Where("project_id = ? AND name = ?", projectID, name), environment)
}

// Tiers returns the tiers of environments of a project, by their names.
func (s Environments) Tiers(ctx context.Context, projectID int64, names []string) (map[string]string, error) {
	tiers := make(map[string]string, len(names))
	if len(names) == 0 {
		return tiers, nil
	}
	q := s.db.Read(ctx).Select("name, tier").Where("project_id = ? AND name IN ?", projectID, names)
	rows, err := query.Find[model.Environment](q, len(names))
	for _, e := range rows {
		tiers[e.Name] = e.Tier
	}
	return tiers, query.Translate(err)
}

// Create adds an environment.
func (s Environments) Create(ctx context.Context, e *model.Environment) error {
	return query.Translate(s.db.Write(ctx).Create(e).Error)
}

// Update changes columns of an environment of a project and returns the new row.
func (s Environments) Update(ctx context.Context, projectID, id int64, set map[string]any) (model.Environment, error) {
	set["updated_at"] = s.now()
	res := s.db.Write(ctx).Model(&model.Environment{}).Where("id = ? AND project_id = ?", id, projectID).UpdateColumns(set)
	if res.Error != nil {
		return model.Environment{}, query.Translate(res.Error)
	}
	return query.Take[model.Environment](s.db.Write(ctx).Where("id = ? AND project_id = ?", id, projectID), environment)
}

// Delete removes an environment, unless it was changed after the given time. It returns false and removes nothing if
// the environment is not stopped.
func (s Environments) Delete(ctx context.Context, row model.Environment, unchangedSince *time.Time) (bool, error) {
	stopped := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		q := s.db.Write(ctx).Where("id = ?", row.ID)
		if s.Postgres() {
			q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
		}
		now, err := query.Take[model.Environment](q, environment)
		if stopped = now.State == model.EnvironmentStopped; err != nil || !stopped {
			return err
		}
		return query.DeleteOne(ctx, s.db, now, environment, unchangedSince)
	})
	return stopped, err
}

// Ensure creates the environments that do not exist yet and returns the ids of all, by name.
func (s Environments) Ensure(ctx context.Context, projectID int64, wanted []model.Environment) (map[string]int64, error) {
	if err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&wanted, someRows).Error; err != nil {
		return nil, query.Translate(err)
	}
	ids := make(map[string]int64, len(wanted))
	for some := range slices.Chunk(wanted, someRows) {
		names := make([]string, len(some))
		for i := range some {
			names[i] = some[i].Name
		}
		rows, err := query.Find[model.Environment](s.db.Write(ctx).Where("project_id = ? AND name IN ?", projectID, names), len(names))
		if err != nil {
			return nil, query.Translate(err)
		}
		for _, row := range rows {
			ids[row.Name] = row.ID
		}
	}
	return ids, nil
}

// StopJob returns the newest job that stops an environment.
func (s Environments) StopJob(ctx context.Context, projectID int64, name string) (model.Job, error) {
	q := s.db.Read(ctx).
		Where("project_id = ? AND environment = ? AND environment_action = 'stop' AND NOT retried AND NOT bridge", projectID, name)
	return query.Take[model.Job](q.Order("id DESC"), job)
}

// Due returns at most the given number of available environments whose auto-stop time has passed.
func (s Environments) Due(ctx context.Context, at time.Time, most int) ([]model.Environment, error) {
	rows, err := query.Find[model.Environment](s.db.Read(ctx).Where("state = 'available' AND auto_stop_at < ?", at).
		Order("auto_stop_at").Limit(most), most)
	return rows, query.Translate(err)
}

// UpdateByName changes columns of the environment with the given name.
func (s Environments) UpdateByName(ctx context.Context, projectID int64, name string, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Environment{}).Where("project_id = ? AND name = ?", projectID, name).
		UpdateColumns(set).Error)
}

// Stale returns at most the given number of available environments of a project that were neither changed nor deployed to
// at or after a time, in the order of their last change.
func (s Environments) Stale(ctx context.Context, projectID int64, before time.Time, most int) ([]model.Environment, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND state = 'available' AND updated_at < ?", projectID, before).
		Where("NOT EXISTS (SELECT 1 FROM deployments d WHERE d.environment_id = environments.id AND d.updated_at >= ?)", before)
	rows, err := query.Find[model.Environment](q.Order("updated_at, id").Limit(most), most)
	return rows, query.Translate(err)
}

// StoppedReviewApps returns at most the given number of stopped environments of a project that were created before a time
// and whose name begins with "review/", the oldest first.
func (s Environments) StoppedReviewApps(ctx context.Context, projectID int64, before time.Time, most int) ([]model.Environment, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND state = 'stopped' AND created_at < ? AND name LIKE 'review/%'", projectID, before)
	rows, err := query.Find[model.Environment](q.Order("created_at, id").Limit(most), most)
	return rows, query.Translate(err)
}

// DeleteAt sets when stopped environments of a project are deleted.
func (s Environments) DeleteAt(ctx context.Context, projectID int64, ids []int64, at time.Time) error {
	for some := range slices.Chunk(ids, someRows) {
		set := map[string]any{"auto_delete_at": at}
		err := s.db.Write(ctx).Model(&model.Environment{}).
			Where("project_id = ? AND id IN ? AND state = 'stopped'", projectID, some).UpdateColumns(set).Error
		if err != nil {
			return query.Translate(err)
		}
	}
	return nil
}

// DeleteDue deletes the stopped environments whose time has come.
func (s Environments) DeleteDue(ctx context.Context, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("state = 'stopped' AND auto_delete_at < ?", at).Delete(&model.Environment{}).Error)
}
