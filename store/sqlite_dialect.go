package store

import (
	"database/sql"
	"strconv"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/migrator"
	"gorm.io/gorm/schema"
)

// sqliteDialect teaches GORM the little of SQLite that queries need; tables are made by migrations. With it we use
// the SQLite driver itself, which keeps prepared statements, where the ready-made dialects compile each anew.
type sqliteDialect struct{ pool *sql.DB }

// Name is what GORM calls the dialect.
func (sqliteDialect) Name() string { return "sqlite" }

// Initialize hands the pool to GORM and says which clauses the statements have.
func (d sqliteDialect) Initialize(db *gorm.DB) error {
	db.ConnPool = d.pool
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{
		CreateClauses:        []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"},
		UpdateClauses:        []string{"UPDATE", "SET", "FROM", "WHERE", "RETURNING"},
		DeleteClauses:        []string{"DELETE", "FROM", "WHERE", "RETURNING"},
		LastInsertIDReversed: true,
	})
	// There is one writer, so rows need no locks of their own.
	db.ClauseBuilders["FOR"] = func(clause.Clause, clause.Builder) {}
	db.ClauseBuilders["LIMIT"] = writeLimit
	return nil
}

// writeLimit writes the limit into the text: SQLite plans by it, so with a bound one it compiles the statement anew
// each time. There are few limits; offsets are many and stay bound.
func writeLimit(c clause.Clause, b clause.Builder) {
	l, ok := c.Expression.(clause.Limit)
	if !ok {
		return
	}
	limit := -1 // SQLite has no offset without a limit
	if l.Limit != nil {
		limit = *l.Limit
	}
	b.WriteString("LIMIT " + strconv.Itoa(limit)) //nolint:errcheck // a buffer
	if l.Offset > 0 {
		b.WriteString(" OFFSET ") //nolint:errcheck // a buffer
		b.AddVar(b, l.Offset)
	}
}

// Migrator is GORM's general one; nothing calls it.
func (d sqliteDialect) Migrator(db *gorm.DB) gorm.Migrator {
	return migrator.Migrator{Config: migrator.Config{DB: db, Dialector: d}}
}

// DataTypeOf is for tables that GORM makes, and it makes none.
func (sqliteDialect) DataTypeOf(*schema.Field) string { return "" }

// DefaultValueOf stands for a column that an insert leaves out.
func (sqliteDialect) DefaultValueOf(*schema.Field) clause.Expression {
	return clause.Expr{SQL: "NULL"}
}

// BindVarTo writes the place of a value.
func (sqliteDialect) BindVarTo(w clause.Writer, _ *gorm.Statement, _ any) {
	w.WriteByte('?') //nolint:errcheck // a buffer
}

// QuoteTo writes a name, of two parts where it has a dot. Between backquotes SQLite never takes an unknown name for a text.
func (sqliteDialect) QuoteTo(w clause.Writer, name string) {
	quoted := strings.ReplaceAll(strings.ReplaceAll(name, "`", "``"), ".", "`.`")
	w.WriteString("`" + quoted + "`") //nolint:errcheck // a buffer
}

// Explain shows a statement with its values.
func (sqliteDialect) Explain(statement string, vars ...any) string {
	return logger.ExplainSQL(statement, nil, `'`, vars...)
}
