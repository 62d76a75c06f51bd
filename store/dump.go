package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/store/internal/query"
)

// DumpTable describes the rows of one table in a backup. Both databases have the same tables and columns, so rows that
// were read from one can be written to the other.
type DumpTable struct {
	Name    string       `json:"name"`
	Columns []DumpColumn `json:"columns"`
	LastID  int64        `json:"last_id,omitempty"` // the highest ID that was ever given to a row
}

// DumpColumn is a column of a table in a backup.
type DumpColumn struct {
	Name string   `json:"name"`
	Kind DumpKind `json:"kind"`
}

// DumpKind says how the values of a column are written.
type DumpKind string

// The kinds of columns. In a row, a time is a text in RFC 3339, a date is a text like 2026-01-31, and bytes are a text in
// base64. A text that is not valid UTF-8, which only SQLite can hold, is an object with the member base64.
const (
	DumpInteger DumpKind = "integer"
	DumpNumber  DumpKind = "number"
	DumpText    DumpKind = "text"
	DumpBoolean DumpKind = "boolean"
	DumpTime    DumpKind = "time"
	DumpDate    DumpKind = "date"
	DumpBytes   DumpKind = "bytes"
)

// dumpKinds maps the types of both databases to kinds.
var dumpKinds = map[string]DumpKind{
	"integer": DumpInteger, "bigint": DumpInteger, "smallint": DumpInteger,
	"real": DumpNumber, "double precision": DumpNumber,
	"text": DumpText, "boolean": DumpBoolean, "date": DumpDate,
	"datetime": DumpTime, "timestamp with time zone": DumpTime,
	"blob": DumpBytes, "bytea": DumpBytes,
}

// notDumped are the tables that a backup leaves out: the versions of the schema, what is built from other tables, and
// what only running processes need. The prefix river_ is that of the job queue, which has its own form in a backup.
func notDumped(table string) bool {
	return slices.Contains([]string{"goose_db_version", "project_lists", "queue_processes"}, table) ||
		strings.HasPrefix(table, "river_") || strings.HasPrefix(table, "project_search") || strings.HasPrefix(table, "user_search")
}

// builtColumns are columns that each database fills by itself.
var builtColumns = map[string]string{"projects": "version"}

// SchemaVersion returns the number of the newest migration in the database.
func (b *base) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = query.ScanFirst(b.db.Read(ctx).Raw("SELECT coalesce(max(version_id), 0) FROM goose_db_version"), &version)
	return version, query.Translate(err)
}

// HasUsers reports whether the database has a user. Every instance has one from its first start on; tables that were only
// made, some or all of them, may have other rows.
func (b *base) HasUsers(ctx context.Context) (found bool, err error) {
	tables, err := b.tables(ctx)
	if err != nil || !slices.Contains(tables, "users") {
		return false, err
	}
	err = query.ScanFirst(b.db.Read(ctx).Raw("SELECT EXISTS (SELECT 1 FROM users)"), &found)
	return found, query.Translate(err)
}

// DumpTables returns the tables of a backup. The table of the job queue is the last one.
func (b *base) DumpTables(ctx context.Context) ([]DumpTable, error) {
	names, err := b.tables(ctx)
	if err != nil {
		return nil, err
	}
	var all []DumpTable
	for _, name := range names {
		if notDumped(name) {
			continue
		}
		t := DumpTable{Name: name}
		if t.Columns, err = b.dumpColumns(ctx, name); err != nil {
			return nil, err
		}
		if t.LastID, err = b.lastID(ctx, t); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return append(all, queueTable), nil
}

// dumpColumns returns the columns of a table in the order of their names.
func (b *base) dumpColumns(ctx context.Context, table string) ([]DumpColumn, error) {
	statement := "SELECT name, lower(type) AS type FROM pragma_table_info(?) ORDER BY name"
	if b.Postgres() {
		statement = `SELECT column_name AS name, data_type AS type FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ? ORDER BY column_name`
	}
	var found []struct{ Name, Type string }
	if err := b.db.Read(ctx).Raw(statement, table).Scan(&found).Error; err != nil {
		return nil, query.Translate(err)
	}
	var columns []DumpColumn
	for _, c := range found {
		if builtColumns[table] == c.Name {
			continue
		}
		kind, ok := dumpKinds[c.Type]
		if !ok {
			return nil, fmt.Errorf("a backup cannot contain the column %s.%s of type %s", table, c.Name, c.Type)
		}
		columns = append(columns, DumpColumn{c.Name, kind})
	}
	return columns, nil
}

// lastID returns the last ID that the database gave to a row of a table; 0 if it gives none.
func (b *base) lastID(ctx context.Context, t DumpTable) (last int64, err error) {
	statement := "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)"
	if b.Postgres() {
		if !slices.Contains(t.Columns, DumpColumn{"id", DumpInteger}) {
			return 0, nil
		}
		statement = "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(?, 'id')::regclass), 0)"
	}
	err = query.ScanFirst(b.db.Read(ctx).Raw(statement, t.Name), &last)
	return last, query.Translate(err)
}

// DumpRows calls each for every row of a table. The values are such that JSON can hold them; see DumpKind.
func (b *base) DumpRows(ctx context.Context, t DumpTable, each func(row []any) error) error {
	statement := b.queueSelect()
	if t.Name != queueTable.Name {
		statement = "SELECT " + quotedNames(t.Columns) + " FROM " + quotedName(t.Name)
	}
	rows, err := b.db.Read(ctx).Raw(statement).Rows()
	if err != nil {
		return query.Translate(err)
	}
	defer rows.Close()
	if err := scanRows(rows, t, each); err != nil {
		return fmt.Errorf("read %s: %w", t.Name, err)
	}
	return query.Translate(rows.Err())
}

func scanRows(rows *sql.Rows, t DumpTable, each func(row []any) error) error {
	values, into := make([]any, len(t.Columns)), make([]any, len(t.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row := make([]any, len(values))
		for i, c := range t.Columns {
			value, err := dumpValue(c.Kind, values[i])
			if err != nil {
				return fmt.Errorf("column %s: %w", c.Name, err)
			}
			row[i] = value
		}
		if err := each(row); err != nil {
			return err
		}
	}
	return nil
}

// rawText is the member of an object that stands for a text which JSON cannot hold.
const rawText = "base64"

// dumpValue turns what a driver returns into what a backup holds.
func dumpValue(kind DumpKind, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case []byte:
		if kind == DumpBytes {
			return base64.StdEncoding.EncodeToString(v), nil
		}
		return dumpValue(kind, string(v))
	case time.Time:
		if kind == DumpDate {
			return v.UTC().Format(time.DateOnly), nil
		}
		return v.UTC().Format(time.RFC3339Nano), nil
	case string:
		switch kind {
		case DumpText:
			if !utf8.ValidString(v) {
				return map[string]any{rawText: base64.StdEncoding.EncodeToString([]byte(v))}, nil
			}
			return v, nil
		case DumpBytes:
			return base64.StdEncoding.EncodeToString([]byte(v)), nil
		}
	case int64:
		switch kind {
		case DumpInteger:
			return v, nil
		case DumpNumber:
			return float64(v), nil
		case DumpBoolean:
			return v != 0, nil
		}
	case bool, float64, float32:
		return v, nil
	}
	return nil, fmt.Errorf("a value of type %T does not fit the kind %s", value, kind)
}

func quotedName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quotedNames(columns []DumpColumn) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = quotedName(c.Name)
	}
	return strings.Join(names, ", ")
}
