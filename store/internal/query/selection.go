package query

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
)

// selection is the list of columns that a query on SQLite selects. The driver parses columns that are declared as times,
// slowly; an expression has no declared type, so it arrives as the stored text. So these columns get a plus sign.
type selection struct {
	columns string
	setters []setter
}

// selected identifies a selection: the struct for the rows, and the columns as the query names them. Without names, it has
// all columns of the struct.
type selected struct {
	row     reflect.Type
	columns string
}

// selections holds the selection of each query, or nil if the query is sent as it is.
var (
	selections     sync.Map
	selectionCount atomic.Int64
)

// maxSelections is more than the code has selections. If a query were written with values in its columns, it would not fill
// the memory.
const maxSelections = 4000

// selectColumns makes a query on SQLite list its columns, and returns their setters. It returns nil, and changes nothing, if
// the rows are not read into structs or a column has no plain name.
func selectColumns(tx *gorm.DB) []setter {
	q := tx.Statement
	if tx.DryRun || q.Schema == nil || q.SQL.Len() > 0 || len(q.Omits) > 0 || q.Distinct || tx.Name() != sqliteName ||
		q.ReflectValue.Kind() != reflect.Slice || q.ReflectValue.Type().Elem() != q.Schema.ModelType {
		return nil
	}
	chosen, expression, ok := selectedText(q)
	if !ok {
		return nil
	}
	s := selectionOf(tx, chosen)
	if s == nil {
		return nil
	}
	expression.SQL = s.columns
	q.AddClause(clause.Select{Expression: expression})
	q.Selects = nil // GORM would look them up
	return s.setters
}

// selectedText returns the columns as the query names them, with their values. It reports false if they have another form.
func selectedText(q *gorm.Statement) (string, clause.Expr, bool) {
	if c, ok := q.Clauses[clause.Select{}.Name()]; ok && c.Expression != nil {
		e, ok := c.Expression.(clause.Expr)
		return e.SQL, e, ok && e.SQL != ""
	}
	if len(q.Selects) > 0 {
		return strings.Join(q.Selects, ", "), clause.Expr{}, true
	}
	plain := q.TableExpr == nil || q.TableExpr.SQL == q.Quote(q.Table)
	return "", clause.Expr{}, len(q.Joins) == 0 && plain && q.Table == q.Schema.Table
}

func selectionOf(tx *gorm.DB, columns string) *selection {
	key := selected{tx.Statement.Schema.ModelType, columns}
	if known, ok := selections.Load(key); ok {
		s, _ := known.(*selection)
		return s
	}
	s := newSelection(tx, columns)
	if selectionCount.Load() < maxSelections {
		selections.Store(key, s)
		selectionCount.Add(1)
	}
	return s
}

var (
	plainColumn = regexp.MustCompile(`^(?:([a-z_0-9]+)\.)?([a-z_0-9]+)$`)
	namedColumn = regexp.MustCompile(`(?s)\sAS\s+"?([a-z_0-9]+)"?$`)
)

// newSelection returns nil if the name of a column is unknown, or if a field would get no value.
func newSelection(tx *gorm.DB, columns string) *selection {
	row := tx.Statement.Schema
	parts := expand(row, topLevel(columns))
	if columns == "" {
		parts = expand(row, []string{row.Table + ".*"})
	}
	names := make([]string, len(parts))
	for i, part := range parts {
		found := namedColumn.FindStringSubmatch(part)
		if plain := plainColumn.FindStringSubmatch(part); plain != nil {
			found = plain[1:]
		}
		if found == nil {
			return nil
		}
		names[i] = found[1]
	}
	missing := func(name string) bool { return !slices.Contains(names, name) }
	if strings.Contains(columns, "*") && slices.ContainsFunc(row.DBNames, missing) {
		return nil
	}
	setters := newSetters(tx, row.ModelType, names)
	if setters == nil {
		return nil
	}
	for i, name := range names {
		plain := plainColumn.FindStringSubmatch(parts[i])
		if plain == nil {
			continue
		}
		parts[i] = tx.Statement.Quote(clause.Column{Table: plain[1], Name: name})
		if kind := row.LookUpField(name).FieldType; kind == timeType || kind == reflect.PointerTo(timeType) {
			parts[i] = "+" + parts[i] // without a name, so that ORDER BY means the column
		}
	}
	return &selection{strings.Join(parts, ","), setters}
}

// expand replaces table.* by the columns of the table that a row has.
func expand(row *schema.Schema, parts []string) []string {
	var all []string
	for _, part := range parts {
		table, whole := strings.CutSuffix(part, ".*")
		if !whole {
			all = append(all, part)
			continue
		}
		for _, name := range columnsOf(row, table) {
			all = append(all, table+"."+name)
		}
	}
	return all
}

// columnsOf returns the columns of a table that a row has. The row is the model of the table, or a struct that contains it.
func columnsOf(row *schema.Schema, table string) []string {
	var names []string
	for _, name := range row.DBNames {
		owner := row.FieldsByDBName[name].OwnerSchema
		if owner != nil && owner.Table == table && owner.LookUpField(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 && row.Table == table {
		return row.DBNames
	}
	return names
}

// topLevel splits a list at the commas outside parentheses and quotes.
func topLevel(list string) []string {
	var parts []string
	depth, from, quoted := 0, 0, false
	for i, c := range list {
		switch {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(list[from:i]))
			from = i + 1
		}
	}
	return append(parts, strings.TrimSpace(list[from:]))
}
