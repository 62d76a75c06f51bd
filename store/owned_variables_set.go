package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// VariableSet queries the variables of one project or group.
type VariableSet struct {
	*base
	table, column, resource string
	ownerID                 int64
	most                    int
}

// Of returns the variables of a project.
func (s ProjectVariables) Of(projectID int64) VariableSet {
	return VariableSet{s.base, "project_variables", "project_id", "Variable", projectID, 8000}
}

// Of returns the variables of a group.
func (s GroupVariables) Of(groupID int64) VariableSet {
	return VariableSet{s.base, "group_variables", "group_id", "GroupVariable", groupID, 30000}
}

// AmbiguousError says that several rows match where one is expected.
type AmbiguousError struct{ Resource string }

func (e *AmbiguousError) Error() string { return e.Resource + " exists several times" }

const ownedColumns = "id, key, value, variable_type, protected, masked, raw, hidden, environment_scope, description, created_at, updated_at"

func ownedFields(v *model.OwnedVariable) []any {
	return []any{
		&v.ID, &v.Key, &v.Value, &v.VariableType, &v.Protected, &v.Masked, &v.Raw, &v.Hidden, &v.EnvironmentScope, &v.Description,
		&v.CreatedAt, &v.UpdatedAt,
	}
}

func (s VariableSet) query(db *gorm.DB) *gorm.DB {
	return db.Table(s.table).Select(ownedColumns).Where(s.column+" = ?", s.ownerID)
}

// List returns one page of the variables, the oldest first.
func (s VariableSet) List(ctx context.Context, p Page) ([]model.OwnedVariable, Total, error) {
	return shortList[model.OwnedVariable]{
		columns: ownedColumns, from: condition{s.table + " WHERE " + s.column + " = ?", []any{s.ownerID}}, order: "id", fields: ownedFields,
	}.page(ctx, s.base, p)
}

func (s VariableSet) count(ctx context.Context) (int64, error) {
	var n int64
	err := s.db.Read(ctx).Table(s.table).Where(s.column+" = ?", s.ownerID).Count(&n).Error
	return n, query.Translate(err)
}

// Get returns the variable with the given key and, if scope is not nil, that environment scope. It returns an
// *AmbiguousError if there are several.
func (s VariableSet) Get(ctx context.Context, key string, scope *string) (model.OwnedVariable, error) {
	return s.pick(ctx, key, scope, false)
}

// pick finds the one variable with a key and, if scope is not nil, that scope. A transaction that is about to change it
// locks it.
func (s VariableSet) pick(ctx context.Context, key string, scope *string, lock bool) (model.OwnedVariable, error) {
	text, args := "SELECT "+ownedColumns+" FROM "+s.table+" WHERE "+s.column+" = ? AND key = ?", []any{s.ownerID, key}
	if scope != nil {
		text, args = text+" AND environment_scope = ?", append(args, *scope)
	}
	text += " ORDER BY id LIMIT 2"
	if lock {
		text = s.lockRow(text)
	}
	var rows []model.OwnedVariable
	err := s.db.Rows(ctx, text, args, func(row query.Scanner) error {
		var v model.OwnedVariable
		err := row.Scan(ownedFields(&v)...)
		rows = append(rows, v)
		return err
	})
	switch {
	case err != nil:
		return model.OwnedVariable{}, query.Translate(err)
	case len(rows) == 0:
		return model.OwnedVariable{}, &NotFoundError{Resource: s.resource}
	case len(rows) > 1:
		return model.OwnedVariable{}, &AmbiguousError{Resource: s.resource}
	}
	return rows[0], nil
}

// Create adds a variable. It returns a *LimitError if there are as many as allowed, and a *ConflictError if there is
// one with the same key and scope.
func (s VariableSet) Create(ctx context.Context, v *model.OwnedVariable) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		n, err := s.count(ctx)
		if err != nil {
			return err
		}
		if n >= int64(s.most) {
			return &LimitError{Most: s.most}
		}
		v.CreatedAt = s.now()
		v.UpdatedAt = v.CreatedAt
		err = s.db.WriteRow(ctx, "INSERT INTO "+s.table+" ("+s.column+
			`, key, value, variable_type, protected, masked, raw, hidden, environment_scope,
			description, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, []any{
			s.ownerID, v.Key, v.Value, v.VariableType, v.Protected, v.Masked, v.Raw, v.Hidden, v.EnvironmentScope,
			v.Description, v.CreatedAt, v.UpdatedAt,
		}, &v.ID)
		return query.Translate(err)
	})
}

// Change lets a function change a variable, which is locked in the meantime, and returns the new variable.
func (s VariableSet) Change(
	ctx context.Context, key string, scope *string, change func(*model.OwnedVariable) error,
) (model.OwnedVariable, error) {
	var v model.OwnedVariable
	err := s.Tx(ctx, func(ctx context.Context) error {
		var err error
		if v, err = s.pick(ctx, key, scope, true); err != nil {
			return err
		}
		if err := change(&v); err != nil {
			return err
		}
		v.UpdatedAt = s.now()
		return s.base.change(ctx, "UPDATE "+s.table+" SET value = ?, variable_type = ?, protected = ?, masked = ?, raw = ?, "+
			"environment_scope = ?, description = ?, updated_at = ? WHERE id = ?",
			v.Value, v.VariableType, v.Protected, v.Masked, v.Raw, v.EnvironmentScope, v.Description, v.UpdatedAt, v.ID)
	})
	return v, err
}

// Delete removes a variable, unless it was changed after the given time.
func (s VariableSet) Delete(ctx context.Context, key string, scope *string, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		v, err := s.pick(ctx, key, scope, false)
		if err != nil {
			return err
		}
		res := query.Unchanged(s.db.Write(ctx).Table(s.table).Where("id = ?", v.ID), unchangedSince).Delete(&model.OwnedVariable{})
		if res.Error != nil || res.RowsAffected > 0 {
			return query.Translate(res.Error)
		}
		return query.ChangedOrGone(s.resource, unchangedSince, func() (bool, error) {
			rows, err := query.Find[model.OwnedVariable](s.query(s.db.Write(ctx)).Where("id = ?", v.ID), 1)
			return len(rows) > 0, err
		})
	})
}
