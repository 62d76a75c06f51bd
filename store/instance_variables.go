package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// InstanceVariables holds the CI/CD variables of the instance.
type InstanceVariables struct{ *base }

const instanceVariable = "InstanceVariable"

const variableColumns = "key, value, description, variable_type, protected, masked, raw"

const variableRow = "id, created_at, updated_at, " + variableColumns

func variableRowFields(v *model.InstanceVariable) []any {
	return append([]any{&v.ID, &v.CreatedAt, &v.UpdatedAt}, variableFields(v)...)
}

func variableFields(v *model.InstanceVariable) []any {
	return []any{&v.Key, &v.Value, &v.Description, &v.VariableType, &v.Protected, &v.Masked, &v.Raw}
}

// List returns one page of variables, the oldest first.
func (s InstanceVariables) List(ctx context.Context, p Page) ([]model.InstanceVariable, Total, error) {
	rest := condition{withLimit("instance_variables ORDER BY id", p.Limit+1), []any{p.Offset}}
	rows, err := readRows(ctx, s.base, variableColumns, rest, p.Limit+1, variableFields)
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) { return query.CountUpTo[model.InstanceVariable](s.db.Read(ctx), CountCap+1) })
}

// After returns one page of variables, starting after a row.
func (s InstanceVariables) After(ctx context.Context, k Keyset) ([]model.InstanceVariable, bool, error) {
	return query.ListAfter[model.InstanceVariable](s.db.Read(ctx), k)
}

// GetByKey returns the variable with the given key.
func (s InstanceVariables) GetByKey(ctx context.Context, key string) (model.InstanceVariable, error) {
	return query.Take[model.InstanceVariable](s.db.Read(ctx).Where("key = ?", key), instanceVariable)
}

// LimitError says that the allowed number of rows is reached.
type LimitError struct{ Most int }

func (e *LimitError) Error() string { return fmt.Sprintf("limit of %d reached", e.Most) }

// Create adds a variable. It returns a *LimitError if there are as many as allowed.
func (s InstanceVariables) Create(ctx context.Context, v *model.InstanceVariable, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// Two concurrent creations must not both find the last free place.
		if err := s.db.Lock(ctx, "instance_variables"); err != nil {
			return err
		}
		var taken bool
		var n int64
		q := s.db.Write(ctx).
			Raw("SELECT count(*), coalesce(max(CASE WHEN key = ? THEN 1 ELSE 0 END), 0) = 1 FROM instance_variables", v.Key)
		if err := query.ScanFirst(q, &n, &taken); err != nil {
			return query.Translate(err)
		}
		if !taken && n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(v).Error)
	})
}

// Update changes columns of the variable with the given key and returns the new row. With onlyUnmasked, a masked
// variable stays as it is, and the result is a *ChangedError.
func (s InstanceVariables) Update(ctx context.Context, key string, set map[string]any, onlyUnmasked bool) (model.InstanceVariable, error) {
	var v model.InstanceVariable
	text, args := assignments(set, s.now())
	statement := "UPDATE instance_variables SET " + text + " WHERE key = ?"
	if onlyUnmasked {
		statement += " AND NOT masked"
	}
	err := s.db.WriteRow(ctx, statement+" RETURNING "+variableRow, append(args, key), variableRowFields(&v)...)
	if errors.Is(err, sql.ErrNoRows) {
		return v, s.notUpdatedReason(ctx, key)
	}
	return v, query.Translate(err)
}

// Delete removes the variable with the given key, unless it was changed after the given time.
func (s InstanceVariables) Delete(ctx context.Context, key string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.InstanceVariable](ctx, s.db, instanceVariable, unchangedSince, "key = ?", key)
}

// notUpdatedReason returns the reason why an update matched no row: the row is missing, or a condition excluded it.
func (s InstanceVariables) notUpdatedReason(ctx context.Context, key string) error {
	if _, err := s.GetByKey(ctx, key); err != nil {
		return err
	}
	return &ChangedError{Resource: instanceVariable}
}
