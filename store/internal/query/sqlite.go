package query

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"

	"gorm.io/gorm"
	_ "modernc.org/sqlite" // registers the driver
)

// sqliteReaders is more than the number of cores of the machine, so that a slow list does not delay a token check.
const sqliteReaders = 8

// sqliteMapped is the number of bytes of the file that readers map into memory instead of copying pages. With many
// rows, most pages are not in the small cache of a connection.
const sqliteMapped = 1 << 30

// sqliteSize sets how much memory an open SQLite database may use.
type sqliteSize struct {
	readers, mapped int
	cache           int // KiB for each connection
}

var (
	usualSize = sqliteSize{readers: sqliteReaders, mapped: sqliteMapped, cache: 8192}
	smallSize = sqliteSize{readers: 2, cache: 512}
)

func (db *DB) openSQLite(o Options) error {
	sync, size := "NORMAL", usualSize
	if o.SQLiteFull {
		sync = "FULL"
	}
	if o.SmallCache {
		size = smallSize
	}
	cache := fmt.Sprintf("cache_size(-%d)", size.cache)
	// SQLite itself would create a file that other users can read.
	file, err := os.OpenFile(o.SQLitePath, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open SQLite: %w", err)
	}
	file.Close()
	// The writer is opened first, because it turns on the write-ahead log.
	writer, err := openSQLite(
		o.SQLitePath, false, "_txlock", "immediate", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous("+sync+")",
		"_pragma", cache,
	)
	if err != nil {
		return err
	}
	reader, err := openSQLite(
		o.SQLitePath, true, "_pragma", "query_only(1)", "_pragma", fmt.Sprintf("mmap_size(%d)", size.mapped), "_pragma", cache,
	)
	if err != nil {
		return err
	}
	sqlDB(writer).SetMaxOpenConns(1)
	sqlDB(writer).SetMaxIdleConns(1)
	sqlDB(reader).SetMaxOpenConns(size.readers)
	sqlDB(reader).SetMaxIdleConns(size.readers)
	db.reader, db.writer = reader, writer
	return nil
}

// openSQLite opens one pool. GORM must not cache prepared statements for the single writing connection. A caller that
// prepares a statement outside a transaction would wait for the connection, while it holds a lock that the transaction
// on that connection needs for its next statement. On PostgreSQL, GORM caches none for the same reason; the driver
// does.
func openSQLite(path string, keepPrepared bool, options ...string) (*gorm.DB, error) {
	// Times are stored as texts. They compare correctly only if all are written in the same zone.
	q := url.Values{"_time_format": {"sqlite"}, "_timezone": {"UTC"}}
	for _, pragma := range []string{"busy_timeout(5000)", "foreign_keys(1)", "temp_store(MEMORY)"} {
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
