package store

import (
	"context"
	"slices"

	"svc/store/internal/query"
)

// derivedPostgres fills what PostgreSQL builds from other tables.
const derivedPostgres = `INSERT INTO user_search (id, names)
SELECT id, E'\n' || lower(name) || E'\n' || lower(username) FROM users ORDER BY id`

// loadPostgres runs insert without triggers and keys. Adding the keys again at the end checks all rows.
func (l *Loader) loadPostgres(ctx context.Context, insert func(ctx context.Context) error) error {
	tx := l.store.db.Write(ctx)
	var keys []struct{ Table, Name, Definition string }
	err := tx.Raw(`SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname`).Scan(&keys).Error
	if err != nil {
		return query.Translate(err)
	}
	for _, k := range keys {
		if err := tx.Exec("ALTER TABLE " + k.Table + " DROP CONSTRAINT " + quotedName(k.Name)).Error; err != nil {
			return query.Translate(err)
		}
	}
	if err := l.triggersPostgres(ctx, "DISABLE"); err != nil {
		return err
	}
	if err := insert(ctx); err != nil {
		return err
	}
	if err := tx.Exec(derivedPostgres).Error; err != nil {
		return query.Translate(err)
	}
	if err := l.triggersPostgres(ctx, "ENABLE"); err != nil {
		return err
	}
	for _, k := range keys {
		if err := tx.Exec("ALTER TABLE " + k.Table + " ADD CONSTRAINT " + quotedName(k.Name) + " " + k.Definition).Error; err != nil {
			return query.Translate(err)
		}
	}
	return l.sequencesPostgres(ctx)
}

// triggersPostgres turns the triggers of all tables off or on.
func (l *Loader) triggersPostgres(ctx context.Context, verb string) error {
	for table := range l.tables {
		if err := l.store.db.Write(ctx).Exec("ALTER TABLE " + quotedName(table) + " " + verb + " TRIGGER USER").Error; err != nil {
			return query.Translate(err)
		}
	}
	return nil
}

// sequencesPostgres makes the next rows get IDs that no row ever had. Tables whose IDs are not numbers have no sequence.
func (l *Loader) sequencesPostgres(ctx context.Context) error {
	for table, columns := range l.tables {
		if !slices.Contains(columns, DumpColumn{"id", DumpInteger}) {
			continue
		}
		err := l.store.db.Write(ctx).Exec("SELECT setval(pg_get_serial_sequence(?, 'id')::regclass, greatest(max(id), ?)) FROM "+
			quotedName(table)+" HAVING greatest(max(id), ?) > 0", table, l.lastID[table], l.lastID[table]).Error
		if err != nil {
			return query.Translate(err)
		}
	}
	return nil
}
