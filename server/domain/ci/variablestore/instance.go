package variablestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/setting"
)

// CreateInstance checks and adds an instance variable.
func (s *Service) CreateInstance(ctx context.Context, row *model.InstanceVariable) error {
	broken := map[string][]string{}
	checkKey(broken, row.Key)
	checkValue(broken, row.Value, row.Description, row.Masked)
	if err := invalidOrNil(broken); err != nil {
		return err
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return variableChange("ci_instance_variable_created", row.Key, "Added instance variable"),
			s.store.InstanceVariables.Create(ctx, row, setting.Most(s.store.Settings.Current().PlanLimits.CIInstanceLevelVariables))
	})
	return explainInstance(err, row.Key)
}

// InstanceChange describes what to change in an instance variable. Nil fields stay as they are; the value is always set.
type InstanceChange struct {
	Value                  string
	Description            *string
	SetDescription         bool // the description is changed, also if it is nil
	VariableType           *string
	Protected, Masked, Raw *bool
}

// ChangeInstance changes an instance variable.
func (s *Service) ChangeInstance(ctx context.Context, key string, c InstanceChange) (model.InstanceVariable, error) {
	broken := map[string][]string{}
	checkValue(broken, c.Value, c.Description, c.Masked != nil && *c.Masked)
	if err := invalidOrNil(broken); err != nil {
		_, missing := s.store.InstanceVariables.GetByKey(ctx, key) // a missing variable is a 404, whatever the change breaks
		return model.InstanceVariable{}, cmp.Or(missing, err)
	}
	// Whether the stored variable is masked decides whether the new value is valid. The UPDATE statement itself checks
	// this, so that no other request can mask the variable in between.
	onlyUnmasked := c.Masked == nil && !maskable(c.Value)
	var row model.InstanceVariable
	err := events.Audited(ctx, s.store, func(ctx context.Context) (_ events.Change, err error) {
		row, err = s.store.InstanceVariables.Update(ctx, key, c.columns(), onlyUnmasked)
		return variableChange("ci_instance_variable_updated", key, "Changed instance variable"), err
	})
	var masksNow *store.ChangedError
	if errors.As(err, &masksNow) {
		return row, apierr.Invalid("value", "is invalid")
	}
	return row, err
}

// columns returns the columns to write.
func (c InstanceChange) columns() map[string]any {
	set := map[string]any{"value": c.Value}
	if c.SetDescription {
		set["description"] = c.Description
	}
	if c.VariableType != nil {
		set["variable_type"] = *c.VariableType
	}
	for _, flag := range [...]struct {
		column string
		value  *bool
	}{{"protected", c.Protected}, {"masked", c.Masked}, {"raw", c.Raw}} {
		if flag.value != nil {
			set[flag.column] = *flag.value
		}
	}
	return set
}

// DeleteInstance removes an instance variable, unless it was changed after the given time.
func (s *Service) DeleteInstance(ctx context.Context, key string, unchangedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.InstanceVariables.Delete(ctx, key, unchangedSince)
		return variableChange("ci_instance_variable_deleted", key, "Removed instance variable"), err
	})
}

// explainInstance turns errors of the store into the answers that callers expect.
func explainInstance(err error, key string) error {
	var taken *store.ConflictError
	var full *store.LimitError
	switch {
	case errors.As(err, &taken):
		return apierr.Invalid("key", "("+key+") has already been taken")
	case errors.As(err, &full):
		return apierr.Invalid("base", fmt.Sprintf("Maximum number of ci instance level variables (%d) exceeded", full.Most))
	}
	return err
}
