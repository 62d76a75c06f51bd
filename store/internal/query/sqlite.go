package query

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"time"

	"gorm.io/gorm"
	"modernc.org/sqlite"
)

// These limit the number of connections that read. Each keeps up to 2 MiB of compiled statements.
const leastReaders, mostReaders = 4, 8

// readersFor returns how many connections read on a machine with the given number of cores: more than cores, so that a
// slow list does not delay a token check.
func readersFor(cores int) int { return min(max(2*cores, leastReaders), mostReaders) }

// sqliteSize sets how much memory an open SQLite database may use.
type sqliteSize struct {
	readers    int
	mapped     mapping
	cache      int // KiB of pages for each connection
	statements int // bytes of compiled statements for each connection
}

// mapping says how readers map the file into memory instead of copying pages from it. In a large file, most pages are not in
// the small cache of a connection, so mapping saves a call for each. In a small one it costs more than it saves, because
// SQLite maps anew after every write.
type mapping struct {
	from int64 // smaller files are not mapped
	most int64 // bytes; 0 means never
}

var (
	usualSize = sqliteSize{
		readers: readersFor(runtime.GOMAXPROCS(0)), mapped: mapping{from: 64 << 20, most: 1 << 30}, cache: 8192, statements: 2 << 20,
	}
	smallSize = sqliteSize{readers: 2, cache: 512, statements: 256 << 10}
)

// readerLife is the time after which a connection that reads is replaced, so that it is mapped once the file has grown.
const readerLife = time.Hour

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
		o.SQLitePath, connector{begin: "BEGIN IMMEDIATE", most: size.statements},
		"_pragma", "journal_mode(WAL)", "_pragma", "synchronous("+sync+")", "_pragma", cache,
	)
	if err != nil {
		return err
	}
	reader, err := db.openSQLitePool(
		o.SQLitePath, connector{begin: "BEGIN", most: size.statements, mapped: size.mapped},
		"_pragma", "query_only(1)", "_pragma", cache,
	)
	if err != nil {
		return err
	}
	sqlDB(writer).SetMaxOpenConns(1)
	sqlDB(writer).SetMaxIdleConns(1)
	sqlDB(reader).SetMaxOpenConns(size.readers)
	sqlDB(reader).SetMaxIdleConns(size.readers)
	sqlDB(reader).SetConnMaxLifetime(readerLife)
	db.reader, db.writer = reader, writer
	return nil
}

// openSQLitePool opens one pool, with the settings of its connector.
func (db *DB) openSQLitePool(path string, c connector, options ...string) (*gorm.DB, error) {
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
	c.Connector, c.path, c.kept = connections, path, &db.compiled
	pool := sql.OpenDB(c)
	opened, err := gorm.Open(sqliteDialect{pool}, config())
	if err != nil {
		return nil, fmt.Errorf("open SQLite at %s: %w", path, err)
	}
	return opened, nil
}
