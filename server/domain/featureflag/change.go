package featureflag

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// Change describes what to change in a feature flag. Nil fields stay as they are.
type Change struct {
	Name        *string
	Description *string // empty: none
	Active      *bool
	Strategies  []StrategyChange
}

// StrategyChange describes a strategy to add, to change or to remove.
type StrategyChange struct {
	ID         *int64 // nil: a new strategy
	Name       *string
	Parameters map[string]any // nil: unchanged
	UserListID *int64
	Scopes     []ScopeChange
	Remove     bool
}

// ScopeChange describes a scope to add, to change or to remove.
type ScopeChange struct {
	ID          *int64 // nil: a new scope
	Environment *string
	Remove      bool
}

// apply returns a flag with the changes, or what is wrong with it.
func (s *Service) apply(ctx context.Context, f model.FeatureFlagRow, c Change) (model.FeatureFlagRow, error) {
	if c.Name != nil {
		f.Name = *c.Name
	}
	if c.Description != nil {
		f.Description = c.Description
		if *c.Description == "" {
			f.Description = nil
		}
	}
	if c.Active != nil {
		f.Active = *c.Active
	}
	var broken broken
	broken.checkFlag(f.FeatureFlag)
	lists, err := s.lists(ctx, f.ProjectID, c)
	if err != nil {
		return f, err
	}
	f.Strategies = slices.Clone(f.Strategies)
	for _, part := range c.Strategies {
		if f.Strategies, err = part.apply(f.Strategies, lists, &broken); err != nil {
			return f, err
		}
	}
	if len(f.Strategies) > maxStrategies {
		broken.add(fmt.Sprintf("Strategies are too many (maximum is %d)", maxStrategies))
	}
	return f, broken.err()
}

// lists returns the user lists of the project by ID, if a change names one.
func (s *Service) lists(ctx context.Context, projectID int64, c Change) (map[int64]*model.FeatureFlagUserList, error) {
	if !slices.ContainsFunc(c.Strategies, func(part StrategyChange) bool { return part.UserListID != nil }) {
		return nil, nil
	}
	rows, err := s.store.FeatureFlagUserLists.OfProject(ctx, projectID)
	found := map[int64]*model.FeatureFlagUserList{}
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	return found, err
}

// apply returns the strategies of a flag with the change. A strategy that the flag does not have is a 404.
func (c StrategyChange) apply(
	rows []model.FeatureFlagStrategyRow, lists map[int64]*model.FeatureFlagUserList, broken *broken,
) ([]model.FeatureFlagStrategyRow, error) {
	at := len(rows)
	if c.ID != nil {
		at = slices.IndexFunc(rows, func(row model.FeatureFlagStrategyRow) bool { return row.ID == *c.ID })
		if at < 0 || *c.ID == 0 {
			return rows, apierr.RecordNotFound()
		}
	}
	switch {
	case c.Remove && c.ID == nil:
		return rows, nil
	case c.Remove:
		return slices.Delete(rows, at, at+1), nil
	case c.ID == nil:
		rows = append(rows, model.FeatureFlagStrategyRow{FeatureFlagStrategy: model.FeatureFlagStrategy{Parameters: "{}"}})
	}
	changed, err := c.change(rows[at], lists, broken)
	rows[at] = changed
	return rows, err
}

// change returns a strategy with the changes.
func (c StrategyChange) change(
	row model.FeatureFlagStrategyRow, lists map[int64]*model.FeatureFlagUserList, broken *broken,
) (model.FeatureFlagStrategyRow, error) {
	row.Name = wire.Value(orElse(c.Name, &row.Name))
	if c.Parameters != nil {
		text, err := json.Marshal(c.Parameters)
		if err != nil {
			return row, err
		}
		row.Parameters = string(text)
	}
	if c.UserListID != nil {
		if row.UserList = lists[*c.UserListID]; row.UserList == nil {
			broken.add("Strategies user list must exist")
		}
		row.UserListID = c.UserListID
	}
	if row.Name != withUserList {
		row.UserListID, row.UserList = nil, nil
	}
	row.Scopes = slices.Clone(row.Scopes)
	for _, part := range c.Scopes {
		var err error
		if row.Scopes, err = part.apply(row.Scopes); err != nil {
			return row, err
		}
	}
	if len(row.Scopes) == 0 {
		row.Scopes = []model.FeatureFlagScope{{EnvironmentScope: "*"}}
	}
	return row, broken.checkStrategy(row)
}

// apply returns the scopes of a strategy with the change. A scope that the strategy does not have is a 404.
func (c ScopeChange) apply(rows []model.FeatureFlagScope) ([]model.FeatureFlagScope, error) {
	if c.ID == nil {
		if c.Remove {
			return rows, nil
		}
		return append(rows, model.FeatureFlagScope{EnvironmentScope: wire.Value(c.Environment)}), nil
	}
	at := slices.IndexFunc(rows, func(row model.FeatureFlagScope) bool { return row.ID == *c.ID })
	if at < 0 || *c.ID == 0 {
		return rows, apierr.RecordNotFound()
	}
	if c.Remove {
		return slices.Delete(rows, at, at+1), nil
	}
	rows[at].EnvironmentScope = wire.Value(orElse(c.Environment, &rows[at].EnvironmentScope))
	return rows, nil
}

// orElse returns the first pointer that is not nil.
func orElse(a, b *string) *string {
	if a != nil {
		return a
	}
	return b
}
