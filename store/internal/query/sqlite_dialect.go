package query

import (
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/migrator"
	"gorm.io/gorm/schema"
)

const sqliteName = "sqlite"

// sqliteDialect implements the small part of GORM's dialect interface that queries need; migrations create the tables.
type sqliteDialect struct{ pool sqlitePool }

// Name returns the name of the dialect.
func (sqliteDialect) Name() string { return sqliteName }

// Initialize gives GORM the pool and the clauses of each kind of statement.
func (d sqliteDialect) Initialize(db *gorm.DB) error {
	db.ConnPool = d.pool
	callbacks.RegisterDefaultCallbacks(db, &callbacks.Config{
		CreateClauses:        []string{"INSERT", "VALUES", "ON CONFLICT", "RETURNING"},
		UpdateClauses:        []string{"UPDATE", "SET", "FROM", "WHERE", "RETURNING"},
		DeleteClauses:        []string{"DELETE", "FROM", "WHERE", "RETURNING"},
		LastInsertIDReversed: true,
	})
	// There is only one writer, so row locks are not needed.
	db.ClauseBuilders["FOR"] = func(clause.Clause, clause.Builder) {}
	db.ClauseBuilders["LIMIT"] = writeLimit
	return nil
}

// Migrator returns GORM's general migrator. Nothing calls it.
func (d sqliteDialect) Migrator(db *gorm.DB) gorm.Migrator {
	return migrator.Migrator{Config: migrator.Config{DB: db, Dialector: d}}
}

// DataTypeOf is only needed for tables that GORM creates, and it creates none.
func (sqliteDialect) DataTypeOf(*schema.Field) string { return "" }

// DefaultValueOf returns the value for a column that an insert leaves out.
func (sqliteDialect) DefaultValueOf(*schema.Field) clause.Expression {
	return clause.Expr{SQL: "NULL"}
}

// BindVarTo writes the placeholder for a value.
func (sqliteDialect) BindVarTo(w clause.Writer, _ *gorm.Statement, _ any) {
	w.WriteByte('?') //nolint:errcheck // a buffer
}

// QuoteTo quotes a name; a dot separates two parts. SQLite never treats an unknown name in backquotes as a text.
func (sqliteDialect) QuoteTo(w clause.Writer, name string) {
	quoted := strings.ReplaceAll(strings.ReplaceAll(name, "`", "``"), ".", "`.`")
	w.WriteString("`" + quoted + "`") //nolint:errcheck // a buffer
}

// Explain returns a statement with its values filled in.
func (sqliteDialect) Explain(statement string, vars ...any) string {
	return logger.ExplainSQL(statement, nil, `'`, vars...)
}
