package query

import (
	"database/sql"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"svc/store/internal/sqlite"
	"svc/store/model"
)

// sqliteRow is a row of SQLite.
type sqliteRow sqlite.Row

// Names returns the names of the columns.
func (r *sqliteRow) Names() []string { return (*sqlite.Row)(r).Names() }

// Scan reads the columns of the row.
func (r *sqliteRow) Scan(dest ...any) error {
	row := (*sqlite.Row)(r)
	if n := row.Len(); n != len(dest) {
		return fmt.Errorf("the row has %d columns, not %d", n, len(dest))
	}
	for i, d := range dest {
		column := row.Column(i)
		kind := column.Kind()
		if readPointer(column, kind, d) {
			continue
		}
		if err := readColumn(column, kind, d); err != nil {
			return fmt.Errorf("column %s: %w", row.Names()[i], err)
		}
	}
	return nil
}

// readPointer reads a column that may be NULL into a pointer of a common type. Otherwise it returns false.
func readPointer(c sqlite.Column, kind sqlite.Kind, dest any) bool {
	switch d := dest.(type) {
	case **string:
		return readNullable(kind, d, func() (string, bool) { return c.Text(), true })
	case **int64:
		return readNullable(kind, d, func() (int64, bool) { return c.Int(), kind == sqlite.Int })
	case **time.Time:
		return readNullable(kind, d, func() (time.Time, bool) {
			t, err := c.Time()
			return t, err == nil
		})
	case **model.UserState:
		return readNullable(kind, d, func() (model.UserState, bool) { return model.UserState(c.Text()), true })
	}
	return false
}

func readNullable[T any](kind sqlite.Kind, dest **T, read func() (T, bool)) bool {
	if kind == sqlite.Null {
		*dest = nil
		return true
	}
	value, ok := read()
	*dest = &value
	return ok
}

// readColumn reads a column into the place of a value.
func readColumn(c sqlite.Column, kind sqlite.Kind, dest any) (err error) {
	if d, ok := dest.(*cell); ok {
		return d.readSQLite(c, kind)
	}
	if kind == sqlite.Null {
		return readNull(dest)
	}
	switch d := dest.(type) {
	case *string:
		*d = c.Text()
	case *int64:
		*d, err = readInt(c, kind)
	case *int:
		var n int64
		n, err = readInt(c, kind)
		*d = int(n)
	case *bool:
		*d, err = readBool(c, kind)
	case *time.Time:
		*d, err = c.Time()
	case *float64:
		*d, err = readFloat(c, kind)
	case *[]byte:
		*d = c.Bytes()
	case *any:
		*d = c.Any()
	case *model.UserState:
		*d = model.UserState(c.Text())
	case *model.FeatureAccess:
		*d = model.FeatureAccess(c.Text())
	case *model.Access:
		return readColumn(c, kind, (*int64)(d))
	case *model.Visibility:
		return readColumn(c, kind, (*int64)(d))
	case *model.HookEvents:
		return readColumn(c, kind, (*int64)(d))
	case sql.Scanner:
		return d.Scan(c.Any())
	default:
		return readField(c, kind, reflect.ValueOf(dest).Elem())
	}
	return err
}

// readNull reads NULL, which only some types can hold.
func readNull(dest any) error {
	switch d := dest.(type) {
	case *any:
		*d = nil
	case *[]byte:
		*d = nil
	case sql.Scanner:
		return d.Scan(nil)
	default:
		into := reflect.ValueOf(dest).Elem()
		if into.Kind() != reflect.Pointer {
			return fmt.Errorf("it is NULL, but the place is for a %s", into.Type())
		}
		into.SetZero()
	}
	return nil
}

// readInt reads a whole number. SQLite itself would read any other text as 0.
func readInt(c sqlite.Column, kind sqlite.Kind) (int64, error) {
	if kind == sqlite.Int {
		return c.Int(), nil
	}
	if whole := int64(c.Float()); kind == sqlite.Float && float64(whole) == c.Float() {
		return whole, nil
	}
	return strconv.ParseInt(c.Text(), 10, 64)
}

func readFloat(c sqlite.Column, kind sqlite.Kind) (float64, error) {
	if kind == sqlite.Int || kind == sqlite.Float {
		return c.Float(), nil
	}
	return strconv.ParseFloat(c.Text(), 64)
}

func readBool(c sqlite.Column, kind sqlite.Kind) (bool, error) {
	if kind == sqlite.Text {
		return strconv.ParseBool(c.Text())
	}
	return c.Int() != 0, nil
}

// readSQLite reads a column into the field of a struct. NULL leaves the field empty.
func (c *cell) readSQLite(column sqlite.Column, kind sqlite.Kind) error {
	switch {
	case kind == sqlite.Null:
		return nil
	case c.plain:
		return readField(column, kind, c.field)
	}
	return c.set(c.field, column.Any())
}

// readField reads a column by the kind of its place.
func readField(c sqlite.Column, kind sqlite.Kind, field reflect.Value) error {
	switch field.Kind() {
	case reflect.String:
		field.SetString(c.Text())
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		value, err := readInt(c, kind)
		field.SetInt(value)
		return err
	case reflect.Bool:
		value, err := readBool(c, kind)
		field.SetBool(value)
		return err
	case reflect.Float64:
		value, err := readFloat(c, kind)
		field.SetFloat(value)
		return err
	case reflect.Pointer:
		made := reflect.New(field.Type().Elem())
		field.Set(made)
		return readField(c, kind, made.Elem())
	case reflect.Slice:
		if field.Type().Elem().Kind() != reflect.Uint8 {
			return unexpected(field, c.Any())
		}
		field.SetBytes(c.Bytes())
	default:
		return readOther(c, field)
	}
	return nil
}

// readOther reads times and types that read values themselves.
func readOther(c sqlite.Column, field reflect.Value) (err error) {
	switch into := field.Addr().Interface().(type) {
	case *time.Time:
		*into, err = c.Time()
	case sql.Scanner:
		err = into.Scan(c.Any())
	default:
		err = unexpected(field, c.Any())
	}
	return err
}
