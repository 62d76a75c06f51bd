package store

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"

	"gorm.io/gorm"
	_ "modernc.org/sqlite" // registers the driver
)

// sqliteReaders is more than the machine has cores, so that a slow list does not hold up a token check.
const sqliteReaders = 8

// sqliteMapped is how much of the file readers see through the system's own memory of it, instead of copying pages: with many
// rows most pages are not among the few that a connection keeps.
const sqliteMapped = 1 << 30

func (b *base) openSQLite(o Options) error {
	sync := "NORMAL"
	if o.SQLiteFull {
		sync = "FULL"
	}
	// SQLite would make a file that others can read.
	file, err := os.OpenFile(o.SQLitePath, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open SQLite: %w", err)
	}
	file.Close()
	// Opened first: the writer turns the write-ahead log on.
	writer, err := openSQLite(o.SQLitePath, false, "_txlock", "immediate", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous("+sync+")")
	if err != nil {
		return err
	}
	reader, err := openSQLite(o.SQLitePath, true, "_pragma", "query_only(1)", "_pragma", fmt.Sprintf("mmap_size(%d)", sqliteMapped))
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

// openSQLite opens one pool. GORM must not keep prepared statements for the one connection that writes: who prepares
// one outside a transaction waits for the connection and holds what the transaction on it needs for its next statement.
// On PostgreSQL it keeps none for the same reason; the driver does.
func openSQLite(path string, keepPrepared bool, options ...string) (*gorm.DB, error) {
	// Times are texts: they compare as times only when all are written in one zone.
	q := url.Values{"_time_format": {"sqlite"}, "_timezone": {"UTC"}}
	for _, pragma := range []string{"busy_timeout(5000)", "foreign_keys(1)", "cache_size(-8192)", "temp_store(MEMORY)"} {
		q.Add("_pragma", pragma)
	}
	for i := 0; i+1 < len(options); i += 2 {
		q.Add(options[i], options[i+1])
	}
	dsn := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
	pool, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("open SQLite at %s: %w", path, err)
	}
	settings := config()
	settings.PrepareStmt, settings.PrepareStmtMaxSize = keepPrepared, 1000
	db, err := gorm.Open(sqliteDialect{pool}, settings)
	if err != nil {
		return nil, fmt.Errorf("open SQLite at %s: %w", path, err)
	}
	return db, nil
}
