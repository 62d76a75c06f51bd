package query

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"

	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// sqliteReaders is more than the number of cores of the machine, so that a slow list does not delay a token check.
const sqliteReaders = 8

// sqliteMapped is the number of bytes of the file that readers map into memory instead of copying pages. With many
// rows, most pages are not in the small cache of a connection.
const sqliteMapped = 1 << 30

// sqliteSize sets how much memory an open SQLite database may use.
type sqliteSize struct {
	readers, mapped int
	cache           int // KiB of pages for each connection
	statements      int // bytes of compiled statements for each connection
}

var (
	usualSize = sqliteSize{readers: sqliteReaders, mapped: sqliteMapped, cache: 8192, statements: 2 << 20}
	smallSize = sqliteSize{readers: 2, cache: 512, statements: 256 << 10}
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
	writer, err := db.openSQLitePool(
		o.SQLitePath, size, "BEGIN IMMEDIATE", "_pragma", "journal_mode(WAL)", "_pragma", "synchronous("+sync+")",
		"_pragma", cache,
	)
	if err != nil {
		return err
	}
	reader, err := db.openSQLitePool(
		o.SQLitePath, size, "BEGIN", "_pragma", "query_only(1)", "_pragma", fmt.Sprintf("mmap_size(%d)", size.mapped), "_pragma", cache,
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

// openSQLitePool opens one pool. begin is the statement that begins a transaction.
func (db *DB) openSQLitePool(path string, size sqliteSize, begin string, options ...string) (*gorm.DB, error) {
	// Times are stored as texts. They compare correctly only if all are written in the same zone.
	q := url.Values{"_time_format": {"sqlite"}, "_timezone": {"UTC"}}
	for _, pragma := range []string{"busy_timeout(5000)", "foreign_keys(1)", "temp_store(MEMORY)"} {
		q.Add("_pragma", pragma)
	}
	for i := 0; i+1 < len(options); i += 2 {
		q.Add(options[i], options[i+1])
	}
	dsn := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
	connections, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open SQLite at %s: %w", path, err)
	}
	pool := sql.OpenDB(connector{connections, begin, size.statements, &db.compiled})
	opened, err := gorm.Open(sqliteDialect{pool}, config())
	if err != nil {
		return nil, fmt.Errorf("open SQLite at %s: %w", path, err)
	}
	return opened, nil
}
