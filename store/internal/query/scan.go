package query

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"svc/store/internal/sqlite"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/schema"
)

// readRows is GORM's step that sends a query, with a quicker way to read rows into a slice of structs.
func (db *DB) readRows(tx *gorm.DB) {
	if tx.Error != nil {
		return
	}
	total := selectTotal(tx)
	callbacks.BuildQuerySQL(tx)
	if tx.DryRun || tx.Error != nil {
		return
	}
	if on, ok := tx.Statement.ConnPool.(nativeRunner); ok && readsStructs(tx) {
		if err := db.readNative(tx, on, total); !errors.Is(err, errReadByGORM) {
			_ = tx.AddError(err)
			return
		}
	}
	rows, err := tx.Statement.ConnPool.QueryContext(tx.Statement.Context, tx.Statement.SQL.String(), tx.Statement.Vars...)
	if err != nil {
		_ = tx.AddError(err) // it returns the error that it adds
		return
	}
	defer func() { _ = tx.AddError(rows.Close()) }()
	gorm.Scan(rows, tx, 0)
	if tx.Statement.Result != nil {
		tx.Statement.Result.RowsAffected = tx.RowsAffected
	}
}

// readsStructs reports whether the rows are read into a slice of structs.
func readsStructs(tx *gorm.DB) bool {
	into := tx.Statement.ReflectValue
	return into.Kind() == reflect.Slice && into.Type().Elem().Kind() == reflect.Struct && len(tx.Statement.ColumnMapping) == 0
}

// structs is the slice of structs into which a query is read.
type structs struct {
	tx     *gorm.DB
	slice  reflect.Value
	none   reflect.Value
	cells  []cell
	values []any // pointers to the cells, then to the total
	total  *counted
}

func newStructs(tx *gorm.DB, setters []setter, total *counted) *structs {
	slice := tx.Statement.ReflectValue
	slice.SetLen(0)
	s := &structs{
		tx: tx, slice: slice, none: reflect.Zero(slice.Type().Elem()),
		cells: make([]cell, len(setters)), values: make([]any, len(setters), len(setters)+1), total: total,
	}
	for i := range s.cells {
		s.cells[i].setter = setters[i]
		s.values[i] = &s.cells[i]
	}
	if total != nil {
		s.values = append(s.values, &total.total)
	}
	return s
}

// read appends a row.
func (s *structs) read(row Scanner) error {
	s.slice.Set(reflect.Append(s.slice, s.none))
	into := s.slice.Index(s.slice.Len() - 1)
	for i := range s.cells {
		s.cells[i].field = into.FieldByIndex(s.cells[i].path)
	}
	if err := row.Scan(s.values...); err != nil {
		return err
	}
	s.tx.RowsAffected++
	if s.total != nil {
		s.total.known = true
	}
	return nil
}

// setter writes a value of the database into a field.
type setter struct {
	path  []int
	set   func(field reflect.Value, value any) error
	plain bool // the type of the field does not read values itself
}

// cell receives the value of one column and writes it into the field of the present row. Null leaves the field empty.
type cell struct {
	setter
	field reflect.Value
}

// Scan implements sql.Scanner.
func (c *cell) Scan(value any) error {
	if value == nil {
		return nil
	}
	return c.set(c.field, value)
}

// plan is how the columns of a query become the fields of a struct. Without setters, GORM reads the rows.
type plan struct {
	columns []string
	setters []setter
}

// plans holds the plans for each struct, a slice for its few lists of columns.
var plans sync.Map

// maxPlans is more than the code has lists of columns for one struct.
const maxPlans = 16

// settersOf returns the setters for columns, or nil if the struct has fields that need GORM.
func settersOf(tx *gorm.DB, columns []string) []setter {
	row := tx.Statement.ReflectValue.Type().Elem()
	known, _ := plans.Load(row)
	list, _ := known.([]plan)
	for _, p := range list {
		if slices.Equal(p.columns, columns) {
			return p.setters
		}
	}
	setters := newSetters(tx, row, columns)
	if len(list) < maxPlans {
		plans.Store(row, append(slices.Clip(list), plan{slices.Clone(columns), setters}))
	}
	return setters
}

func newSetters(tx *gorm.DB, row reflect.Type, columns []string) []setter {
	parsed, err := schema.Parse(reflect.New(row).Interface(), &schemas, tx.NamingStrategy)
	if err != nil {
		return nil
	}
	setters := make([]setter, len(columns))
	for i, column := range columns {
		field := parsed.LookUpField(column)
		if field == nil || !field.Readable || slices.Contains(columns[:i], column) {
			return nil // a relation that GORM joins, or a column that it tells apart by position
		}
		path := field.StructField.Index
		set := setterFor(field.FieldType)
		if set == nil || slices.ContainsFunc(path, func(n int) bool { return n < 0 }) || field.Serializer != nil {
			return nil
		}
		setters[i] = setter{path: path, set: set, plain: isPlain(field.FieldType)}
	}
	return setters
}

var (
	timeType    = reflect.TypeFor[time.Time]()
	bytesType   = reflect.TypeFor[[]byte]()
	scannerType = reflect.TypeFor[sql.Scanner]()
)

// setterFor returns the function for a type of fields, or nil if there is none.
func setterFor(t reflect.Type) func(field reflect.Value, value any) error {
	switch {
	case t == timeType:
		return setTime
	case reflect.PointerTo(t).Implements(scannerType):
		return setScanner
	case t == bytesType:
		return setBytes
	}
	switch t.Kind() {
	case reflect.String:
		return setString
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return setInt
	case reflect.Bool:
		return setBool
	case reflect.Float64:
		return setFloat
	case reflect.Pointer:
		inner := setterFor(t.Elem())
		if inner == nil {
			return nil
		}
		return func(field reflect.Value, value any) error {
			made := reflect.New(t.Elem())
			field.Set(made)
			return inner(made.Elem(), value)
		}
	}
	return nil
}

// isPlain reports whether a type does not read values itself.
func isPlain(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		return isPlain(t.Elem())
	}
	return t == timeType || !reflect.PointerTo(t).Implements(scannerType)
}

func setTime(field reflect.Value, value any) error {
	into, _ := field.Addr().Interface().(*time.Time)
	switch v := value.(type) {
	case time.Time:
		*into = v
	case string:
		parsed, err := sqlite.ParseTime(v)
		*into = parsed
		return err
	default:
		return unexpected(field, value)
	}
	return nil
}

func setScanner(field reflect.Value, value any) error {
	into, ok := field.Addr().Interface().(sql.Scanner)
	if !ok {
		return unexpected(field, value)
	}
	return into.Scan(value)
}

func setBytes(field reflect.Value, value any) error {
	switch v := value.(type) {
	case []byte:
		field.SetBytes(slices.Clone(v)) // the driver uses its memory again
	case string:
		field.SetBytes([]byte(v))
	default:
		return unexpected(field, value)
	}
	return nil
}

func setString(field reflect.Value, value any) error {
	switch v := value.(type) {
	case string:
		field.SetString(v)
	case []byte:
		field.SetString(string(v))
	case int64:
		field.SetString(strconv.FormatInt(v, 10))
	default:
		return unexpected(field, value)
	}
	return nil
}

func setInt(field reflect.Value, value any) error {
	switch v := value.(type) {
	case int64:
		field.SetInt(v)
	case string: // PostgreSQL adds numbers up to a decimal number
		n, err := strconv.ParseInt(v, 10, 64)
		field.SetInt(n)
		return err
	case float64:
		field.SetInt(int64(v))
	case bool:
		if v {
			field.SetInt(1)
		}
	default:
		return unexpected(field, value)
	}
	return nil
}

func setBool(field reflect.Value, value any) error {
	switch v := value.(type) {
	case bool:
		field.SetBool(v)
	case int64:
		field.SetBool(v != 0)
	default:
		return unexpected(field, value)
	}
	return nil
}

func setFloat(field reflect.Value, value any) error {
	switch v := value.(type) {
	case float64:
		field.SetFloat(v)
	case int64:
		field.SetFloat(float64(v))
	case string:
		n, err := strconv.ParseFloat(v, 64)
		field.SetFloat(n)
		return err
	default:
		return unexpected(field, value)
	}
	return nil
}

func unexpected(field reflect.Value, value any) error {
	return fmt.Errorf("a column has a %T, but the field is a %s", value, field.Type())
}
