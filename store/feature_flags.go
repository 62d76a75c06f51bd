package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// FeatureFlags holds the feature flags of projects with their strategies, and the secrets with which programs read them.
type FeatureFlags struct{ *base }

const featureFlag = "Feature Flag"

// Lock lets the other changes of the feature flags and user lists of a project wait until the transaction ends.
func (s FeatureFlags) Lock(ctx context.Context, projectID int64) error {
	return s.db.Lock(ctx, "feature flags of project "+strconv.FormatInt(projectID, 10))
}

// List returns one page of the feature flags of a project by name: those that are on, those that are off, or all.
func (s FeatureFlags) List(ctx context.Context, projectID int64, active *bool, p Page) ([]model.FeatureFlagRow, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID)
	if active != nil {
		q = q.Where("active = ?", *active)
	}
	flags, total, err := query.List[model.FeatureFlag](q.Order("name"), p)
	if err != nil {
		return nil, total, err
	}
	rows, err := s.withStrategies(ctx, flags)
	return rows, total, err
}

// OfProject returns all feature flags of a project by name.
func (s FeatureFlags) OfProject(ctx context.Context, projectID int64) ([]model.FeatureFlagRow, error) {
	flags, err := query.Find[model.FeatureFlag](s.db.Read(ctx).Where("project_id = ?", projectID).Order("name"), 0)
	if err != nil {
		return nil, query.Translate(err)
	}
	return s.withStrategies(ctx, flags)
}

// Get returns a feature flag of a project.
func (s FeatureFlags) Get(ctx context.Context, projectID int64, name string) (model.FeatureFlagRow, error) {
	flag, err := query.Take[model.FeatureFlag](s.db.Read(ctx).Where("project_id = ? AND name = ?", projectID, name), featureFlag)
	if err != nil {
		return model.FeatureFlagRow{}, err
	}
	rows, err := s.withStrategies(ctx, []model.FeatureFlag{flag})
	if err != nil {
		return model.FeatureFlagRow{}, err
	}
	return rows[0], nil
}

// Create adds a feature flag without strategies. It returns a *LimitError if the project already has most flags, and a
// *ConflictError if it has one with this name. The caller holds the lock.
func (s FeatureFlags) Create(ctx context.Context, flag *model.FeatureFlag, most int) error {
	var n int64
	if err := s.db.Write(ctx).Model(&model.FeatureFlag{}).Where("project_id = ?", flag.ProjectID).Count(&n).Error; err != nil {
		return query.Translate(err)
	}
	if n >= int64(most) {
		return &LimitError{Most: most}
	}
	return query.Translate(s.db.Write(ctx).Create(flag).Error)
}

// Save stores a changed feature flag. It returns a *ConflictError if the project has another one with this name.
func (s FeatureFlags) Save(ctx context.Context, flag *model.FeatureFlag) error {
	return query.Translate(s.db.Write(ctx).Save(flag).Error)
}

// Delete removes a feature flag, unless it was changed after the given time.
func (s FeatureFlags) Delete(ctx context.Context, flag model.FeatureFlag, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, flag, featureFlag, unchangedSince)
}

// SetStrategies makes the given strategies those of a flag: it adds those without an ID, changes those with one, and
// removes the others; the same for their scopes. It writes the new IDs into the rows. The caller holds the lock.
func (s FeatureFlags) SetStrategies(ctx context.Context, flagID int64, rows []model.FeatureFlagStrategyRow) error {
	strategies := make([]*model.FeatureFlagStrategy, len(rows))
	kept := []int64{0}
	for i := range rows {
		rows[i].FeatureFlagID = flagID
		strategies[i] = &rows[i].FeatureFlagStrategy
		kept = append(kept, rows[i].ID)
	}
	gone := s.db.Write(ctx).Where("feature_flag_id = ? AND id NOT IN ?", flagID, kept).Delete(&model.FeatureFlagStrategy{})
	if gone.Error != nil {
		return query.Translate(gone.Error)
	}
	if err := saveParts(ctx, s, strategies, func(p *model.FeatureFlagStrategy) bool { return p.ID == 0 }); err != nil {
		return err
	}
	return s.setScopes(ctx, rows, kept)
}

// setScopes makes the scopes of the rows those of the strategies.
func (s FeatureFlags) setScopes(ctx context.Context, rows []model.FeatureFlagStrategyRow, strategyIDs []int64) error {
	var scopes []*model.FeatureFlagScope
	kept := []int64{0}
	for i := range rows {
		for j := range rows[i].Scopes {
			scope := &rows[i].Scopes[j]
			scope.StrategyID = rows[i].ID
			scopes, kept = append(scopes, scope), append(kept, scope.ID)
		}
	}
	gone := s.db.Write(ctx).Where("strategy_id IN ? AND id NOT IN ?", strategyIDs, kept).Delete(&model.FeatureFlagScope{})
	if gone.Error != nil {
		return query.Translate(gone.Error)
	}
	return saveParts(ctx, s, scopes, func(p *model.FeatureFlagScope) bool { return p.ID == 0 })
}

// saveParts adds the new rows and changes the others, with one statement each.
func saveParts[T any](ctx context.Context, s FeatureFlags, rows []*T, isNew func(*T) bool) error {
	var added, changed []*T
	for _, row := range rows {
		if isNew(row) {
			added = append(added, row)
		} else {
			changed = append(changed, row)
		}
	}
	if len(changed) > 0 {
		if err := s.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&changed).Error; err != nil {
			return query.Translate(err)
		}
	}
	if len(added) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Create(&added).Error)
}

// withStrategies reads the strategies, scopes and user lists of flags.
func (s FeatureFlags) withStrategies(ctx context.Context, flags []model.FeatureFlag) ([]model.FeatureFlagRow, error) {
	rows := make([]model.FeatureFlagRow, len(flags))
	ids := make([]int64, len(flags))
	for i, flag := range flags {
		rows[i].FeatureFlag, ids[i] = flag, flag.ID
	}
	if len(ids) == 0 {
		return rows, nil
	}
	strategies, err := query.Find[model.FeatureFlagStrategy](s.db.Read(ctx).Where("feature_flag_id IN ?", ids).Order("id"), 0)
	if err != nil || len(strategies) == 0 {
		return rows, query.Translate(err)
	}
	var strategyIDs, listIDs []int64
	for _, strategy := range strategies {
		strategyIDs = append(strategyIDs, strategy.ID)
		if strategy.UserListID != nil {
			listIDs = append(listIDs, *strategy.UserListID)
		}
	}
	scopes, err := query.Find[model.FeatureFlagScope](s.db.Read(ctx).Where("strategy_id IN ?", strategyIDs).Order("id"), 0)
	if err != nil {
		return rows, query.Translate(err)
	}
	lists, err := s.listsByID(ctx, listIDs)
	if err != nil {
		return rows, err
	}
	scopesOf := groupBy(scopes, func(scope model.FeatureFlagScope) int64 { return scope.StrategyID })
	strategiesOf := groupBy(strategies, func(strategy model.FeatureFlagStrategy) int64 { return strategy.FeatureFlagID })
	for i := range rows {
		for _, strategy := range strategiesOf[rows[i].ID] {
			row := model.FeatureFlagStrategyRow{FeatureFlagStrategy: strategy, Scopes: scopesOf[strategy.ID]}
			if strategy.UserListID != nil {
				row.UserList = lists[*strategy.UserListID]
			}
			rows[i].Strategies = append(rows[i].Strategies, row)
		}
	}
	return rows, nil
}

// listsByID reads user lists.
func (s FeatureFlags) listsByID(ctx context.Context, ids []int64) (map[int64]*model.FeatureFlagUserList, error) {
	found := map[int64]*model.FeatureFlagUserList{}
	if len(ids) == 0 {
		return found, nil
	}
	slices.Sort(ids)
	lists, err := query.Find[model.FeatureFlagUserList](s.db.Read(ctx).Where("id IN ?", slices.Compact(ids)), 0)
	for i := range lists {
		found[lists[i].ID] = &lists[i]
	}
	return found, query.Translate(err)
}

// Client returns the secret with which programs read the flags of a project.
func (s FeatureFlags) Client(ctx context.Context, projectID int64) (model.FeatureFlagClient, error) {
	return query.Take[model.FeatureFlagClient](s.db.Read(ctx).Where("project_id = ?", projectID), "Feature Flags Client")
}

// ClientDigest returns the digest of the secret of a project whose feature flags are not disabled, or nil.
func (s FeatureFlags) ClientDigest(ctx context.Context, projectID int64) ([]byte, error) {
	var digests [][]byte
	err := s.db.Read(ctx).Raw(`SELECT c.digest FROM feature_flag_clients c JOIN projects p ON p.id = c.project_id
		WHERE c.project_id = ? AND p.feature_flags_access_level <> ?`, projectID, model.FeatureDisabled).Scan(&digests).Error
	if err != nil || len(digests) == 0 {
		return nil, query.Translate(err)
	}
	return digests[0], nil
}

// AddClient stores the secret of a project that has none; otherwise it changes nothing.
func (s FeatureFlags) AddClient(ctx context.Context, row model.FeatureFlagClient) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error)
}

// ReplaceClient stores a new secret of a project and returns its row.
func (s FeatureFlags) ReplaceClient(ctx context.Context, row model.FeatureFlagClient) (model.FeatureFlagClient, error) {
	err := s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "project_id"}}, DoUpdates: clause.AssignmentColumns([]string{"digest", "sealed", "updated_at"}),
	}).Create(&row).Error
	if err != nil {
		return row, query.Translate(err)
	}
	return s.Client(ctx, row.ProjectID)
}
