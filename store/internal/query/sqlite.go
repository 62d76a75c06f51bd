package query

import (
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"svc/store/internal/sqlite"

	"gorm.io/gorm"
)

// These limit the number of connections that read. Each keeps up to 2 MiB of compiled statements.
const leastReaders, mostReaders = 4, 8

// readersFor returns how many connections read on a machine with the given number of cores: more than cores, so that a
// slow list does not delay a token check.
func readersFor(cores int) int { return min(max(2*cores, leastReaders), mostReaders) }

// sqliteSize sets how much memory an open SQLite database may use.
type sqliteSize struct {
	readers    int
	mapped     sqlite.Mapping
	cache      int // KiB of pages for each connection
	statements int // bytes of compiled statements for each connection
}

var (
	usualSize = sqliteSize{
		readers: readersFor(runtime.GOMAXPROCS(0)), mapped: sqlite.Mapping{From: 64 << 20, Most: 1 << 30}, cache: 8192, statements: 2 << 20,
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
	// SQLite itself would create a file that other users can read.
	file, err := os.OpenFile(o.SQLitePath, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open SQLite: %w", err)
	}
	file.Close()
	connector := sqlite.Connector{
		Path: o.SQLitePath, Most: size.statements, Kept: &db.compiled,
		Pragmas: []string{"busy_timeout(5000)", "foreign_keys(1)", "temp_store(MEMORY)", fmt.Sprintf("cache_size(-%d)", size.cache)},
	}
	// The writer is opened first, because it turns on the write-ahead log.
	writer, err := openSQLitePool(connector, "BEGIN IMMEDIATE", "journal_mode(WAL)", "synchronous("+sync+")")
	if err != nil {
		return err
	}
	connector.Mapped = size.mapped
	reader, err := openSQLitePool(connector, "BEGIN", "query_only(1)")
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

// openSQLitePool opens one pool, whose transactions begin with the given statement.
func openSQLitePool(c sqlite.Connector, begin string, pragmas ...string) (*gorm.DB, error) {
	c.Begin, c.Pragmas = begin, slices.Concat(c.Pragmas, pragmas)
	pool := sql.OpenDB(c)
	// GORM connects here.
	opened, err := gorm.Open(sqliteDialect{sqlitePool{pool}}, config())
	if err != nil {
		return nil, err
	}
	return opened, nil
}
