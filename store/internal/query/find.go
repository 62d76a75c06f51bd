package query

import (
	"database/sql"
	"reflect"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

// Find returns the rows of a query. GORM writes the statement, but the rows are scanned directly into the fields. This
// takes a third of the time and memory of GORM's own way.
func Find[T any](q *gorm.DB, expected int) ([]T, error) {
	rows, err := q.Model(new(T)).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	fields, err := fieldsOf[T](q, rows)
	if err != nil {
		return nil, err
	}
	out := make([]T, 0, expected)
	dest := make([]any, len(fields))
	for rows.Next() {
		var row T
		out = append(out, row)
		value := reflect.ValueOf(&out[len(out)-1]).Elem()
		for i, field := range fields {
			dest[i] = value.FieldByIndex(field).Addr().Interface()
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
	}
	return out, rows.Err()
}

// Take returns the first row of a query. If there is none, it returns a *NotFoundError that names the resource.
func Take[T any](q *gorm.DB, resource string) (T, error) {
	rows, err := Find[T](q.Limit(1), 1)
	if err == nil && len(rows) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		var none T
		return none, Translate(err, resource)
	}
	return rows[0], nil
}

// schemas caches the models as parsed by GORM.
var schemas sync.Map

// fieldsOf returns the index of the model field for each column of the rows. Models must not contain pointers to other
// models.
func fieldsOf[T any](q *gorm.DB, rows *sql.Rows) ([][]int, error) {
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	model, err := schema.Parse(new(T), &schemas, q.NamingStrategy)
	if err != nil {
		return nil, err
	}
	fields := make([][]int, len(columns))
	for i, name := range columns {
		field := model.LookUpField(name)
		if field == nil {
			return nil, &unknownColumnError{model.Table, name}
		}
		fields[i] = field.StructField.Index
	}
	return fields, nil
}

type unknownColumnError struct{ table, column string }

func (e *unknownColumnError) Error() string {
	return "the model of " + e.table + " has no field for column " + e.column
}

// ScanFirst scans the first row of a query. GORM's own Row loses the error if a statement could not be prepared, and then
// panics.
func ScanFirst(q *gorm.DB, dest ...any) error {
	rows, err := q.Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	return rows.Close()
}
