package store

import (
	"fmt"
	"net/url"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
)

// sqliteReaders is more than the machine has cores, so that a slow list does not hold up a token check.
const sqliteReaders = 8

func (b *base) openSQLite(o Options) error {
	sync := "NORMAL"
	if o.SQLiteFull {
		sync = "FULL"
	}
	// Opened first: the writer makes the file and turns the write-ahead log on.
	writer, err := openSQLite(o.SQLitePath, "_txlock", "immediate", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous("+sync+")")
	if err != nil {
		return err
	}
	reader, err := openSQLite(o.SQLitePath, "_pragma", "query_only(1)")
	if err != nil {
		return err
	}
	sqlDB(writer).SetMaxOpenConns(1)
	sqlDB(writer).SetMaxIdleConns(1)
	sqlDB(reader).SetMaxOpenConns(sqliteReaders)
	sqlDB(reader).SetMaxIdleConns(sqliteReaders)
	b.reader, b.writer = reader, writer
	return nil
}

func openSQLite(path string, options ...string) (*gorm.DB, error) {
	q := url.Values{"_time_format": {"sqlite"}}
	for _, pragma := range []string{"busy_timeout(5000)", "foreign_keys(1)", "cache_size(-8192)", "temp_store(MEMORY)"} {
		q.Add("_pragma", pragma)
	}
	for i := 0; i+1 < len(options); i += 2 {
		q.Add(options[i], options[i+1])
	}
	dsn := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
	db, err := gorm.Open(sqlite.Open(dsn), config())
	if err != nil {
		return nil, fmt.Errorf("open SQLite at %s: %w", path, err)
	}
	return db, nil
}
