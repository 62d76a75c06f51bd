package query

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm"
)

// errReadByGORM means that the struct for the rows has fields that need GORM.
var errReadByGORM = errors.New("GORM has to read these rows")

// nativeRunner is a pool or a transaction that runs statements without database/sql.
type nativeRunner interface {
	each(ctx context.Context, db *DB, f fixed) error
	together(ctx context.Context, db *DB, readings func() []Reading) error
}

var (
	_ nativeRunner = retryPool{}
	_ nativeRunner = (*nativeTx)(nil)
	_ nativeRunner = sqlitePool{}
	_ nativeRunner = (*sqliteTx)(nil)
)

// readNative sends a query that GORM has built and reads the rows into a slice of structs, without database/sql. Unless
// total is nil, the last column is the total.
func (db *DB) readNative(tx *gorm.DB, on nativeRunner, total *counted) error {
	var into *structs
	scan := func(row Scanner) error {
		if into == nil {
			columns := columnsOfRow(row)
			if total != nil {
				columns = columns[:len(columns)-1]
			}
			setters := settersOf(tx, columns)
			if setters == nil {
				return errReadByGORM
			}
			into = newStructs(tx, setters, total)
		}
		return into.read(row)
	}
	err := on.each(tx.Statement.Context, db, fixed{text: tx.Statement.SQL.String(), args: tx.Statement.Vars, scan: scan})
	if into == nil {
		tx.Statement.ReflectValue.SetLen(0)
	}
	return err
}

func columnsOfRow(row Scanner) []string {
	switch r := row.(type) {
	case *nativeRow:
		return r.names
	case *sqliteRow:
		return r.Names()
	case pgx.Rows:
		return columnNames(r.FieldDescriptions())
	}
	return nil
}

// setCell writes a column into the field of a struct. Null leaves the field empty.
func (r *nativeRow) setCell(i int, c *cell) error {
	raw := r.values[i]
	if raw == nil || c.plain && r.formats[i] == pgtype.BinaryFormatCode && decodeField(r.fields[i].DataTypeOID, raw, c.field) {
		return nil
	}
	return r.types.Scan(r.fields[i].DataTypeOID, r.formats[i], raw, c.field.Addr().Interface())
}

// decodeField is like decode, for the field of a struct.
func decodeField(oid uint32, raw []byte, field reflect.Value) bool {
	switch field.Kind() {
	case reflect.String:
		var s string
		ok := decodeString(oid, raw, &s)
		field.SetString(s)
		return ok
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		ok := decodeInt(oid, raw, &n) && !field.OverflowInt(n)
		field.SetInt(n)
		return ok
	case reflect.Bool:
		var b bool
		ok := decodeBool(oid, raw, &b)
		field.SetBool(b)
		return ok
	case reflect.Struct:
		t, ok := field.Addr().Interface().(*time.Time)
		return ok && decodeTime(oid, raw, t)
	case reflect.Slice:
		if field.Type() != bytesType || oid != pgtype.ByteaOID {
			return false
		}
		field.SetBytes(append([]byte{}, raw...))
		return true
	case reflect.Pointer:
		made := reflect.New(field.Type().Elem())
		field.Set(made)
		return decodeField(oid, raw, made.Elem())
	}
	return false
}
