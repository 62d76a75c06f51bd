package store

import (
	"context"
	"fmt"

	"svc/store/internal/query"
)

// derivedSQLite fills what SQLite builds from other tables.
var derivedSQLite = []string{
	"INSERT INTO user_search (user_search) VALUES ('rebuild')",
	"INSERT INTO project_search (project_search) VALUES ('rebuild')",
	"INSERT INTO project_lists (namespace_id, version) SELECT namespace_id, random() FROM projects GROUP BY namespace_id",
	"UPDATE projects SET version = random()",
}

// loadSQLite runs insert without triggers, and with the checks of keys at the end.
func (l *Loader) loadSQLite(ctx context.Context, insert func(ctx context.Context) error) error {
	tx := l.store.db.Write(ctx)
	var triggers []struct{ Name, SQL string }
	if err := tx.Raw("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").Scan(&triggers).Error; err != nil {
		return query.Translate(err)
	}
	if err := tx.Exec("PRAGMA defer_foreign_keys = ON").Error; err != nil {
		return query.Translate(err)
	}
	for _, t := range triggers {
		if err := tx.Exec("DROP TRIGGER " + quotedName(t.Name)).Error; err != nil {
			return query.Translate(err)
		}
	}
	if err := insert(ctx); err != nil {
		return err
	}
	for _, statement := range derivedSQLite {
		if err := tx.Exec(statement).Error; err != nil {
			return query.Translate(err)
		}
	}
	for _, t := range triggers {
		if err := tx.Exec(t.SQL).Error; err != nil {
			return query.Translate(err)
		}
	}
	for table, last := range l.lastID {
		set := "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"
		add := "INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)"
		if last == 0 {
			continue
		}
		if err := tx.Exec(set, last, table).Error; err != nil {
			return query.Translate(err)
		}
		if err := tx.Exec(add, table, last, table).Error; err != nil {
			return query.Translate(err)
		}
	}
	return l.checkKeysSQLite(ctx)
}

// checkKeysSQLite returns an error that names a row whose key leads nowhere.
func (l *Loader) checkKeysSQLite(ctx context.Context) error {
	var broken []struct{ Table, Parent string }
	err := l.store.db.Write(ctx).Raw(`SELECT "table", parent FROM pragma_foreign_key_check LIMIT 1`).Scan(&broken).Error
	if err == nil && len(broken) > 0 {
		return fmt.Errorf("the backup is damaged: a row of %s refers to a row of %s that does not exist", broken[0].Table, broken[0].Parent)
	}
	return query.Translate(err)
}
