package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"svc/tests/cputime"
)

// filledDatabase is a database that SQL statements fill. svc and the floor share it.
type filledDatabase struct {
	dataCopy
	kind string
	data *data
	sql  *sql.DB
}

// newFilledDatabase creates a database and lets svc create the tables and the administrator.
func newFilledDatabase(ctx context.Context, o options, kind, folder, name string) (*filledDatabase, error) {
	c := &filledDatabase{kind: kind, data: &data{}}
	c.folder = filepath.Join(folder, name)
	driver, address := "sqlite", "file:"+c.sqlitePath()+
		"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_pragma=cache_size(-262144)&_pragma=temp_store(MEMORY)&"+
		"_pragma=analysis_limit(1000)"
	if kind == postgres {
		var err error
		if c.url, err = c.data.create(ctx, name, ""); err != nil {
			return nil, err
		}
		driver, address = "pgx", c.url
	}
	p, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return nil, errors.Join(err, c.remove())
	}
	p.stop()
	if c.sql, err = sql.Open(driver, address); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

func (c *filledDatabase) remove() error {
	if c.sql == nil {
		return c.data.remove()
	}
	return errors.Join(c.sql.Close(), c.data.remove())
}

// analyse makes SQLite collect statistics once the tables are full. With statistics of empty tables, SQLite would scan
// them completely. The analysis limit leaves sqlite_stat4 out; with that table, SQLite seems to recompile statements
// for their bound values. svc itself never analyses.
func (c *filledDatabase) analyse(ctx context.Context) error {
	if c.kind != sqlite {
		return nil
	}
	return c.run(ctx, []string{"ANALYZE"})
}

// numberRows returns a table expression with the numbers from … to in the column n.
func (c *filledDatabase) numberRows(from, to int) string {
	if c.kind == postgres {
		return fmt.Sprintf("generate_series(%d, %d) AS s (n)", from, to)
	}
	return fmt.Sprintf("(WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s)", from, to)
}

// withoutIndexes drops trigram indexes before the statements and creates them again afterwards. Building them at once
// takes a tenth of the time.
func (c *filledDatabase) withoutIndexes(ctx context.Context, statements []string, indexes ...string) ([]string, error) {
	for _, name := range indexes {
		var made string
		if err := c.sql.QueryRowContext(ctx, "SELECT pg_get_indexdef($1::regclass)", name).Scan(&made); err != nil {
			return nil, err
		}
		statements = append(append([]string{"DROP INDEX " + name}, statements...), made)
	}
	return statements, nil
}

func (c *filledDatabase) run(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := c.sql.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%.100s: %w", statement, err)
		}
	}
	return nil
}

// bytesLiteral returns an SQL literal of the database's kind.
func (c *filledDatabase) bytesLiteral(value []byte) string {
	if c.kind == postgres {
		return fmt.Sprintf(`'\x%x'`, value)
	}
	return fmt.Sprintf("x'%x'", value)
}

// backends returns the PostgreSQL processes that work for this database, with the CPU time that each has used.
func (c *filledDatabase) backends(ctx context.Context) (map[int]int64, error) {
	used := map[int]int64{}
	if c.kind != postgres {
		return used, nil
	}
	rows, err := c.sql.QueryContext(ctx, "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			return nil, err
		}
		if t, err := cputime.Of(pid); err == nil { // a process that has just ended did no work for us
			used[pid] = int64(t)
		}
	}
	return used, rows.Err()
}

// measure includes the CPU time of the database's own processes, because a search could hide its cost there.
func (c *filledDatabase) measure(ctx context.Context, p *process, raw [][]byte, duration time.Duration) (measured, error) {
	m, database, err := c.measureApart(ctx, p, raw, atOnce, duration)
	m.cpu += database
	return m, err
}

// measureApart also returns the CPU time for a request of the database's own processes.
func (c *filledDatabase) measureApart(
	ctx context.Context, p *process, raw [][]byte, callers int, duration time.Duration,
) (m measured, database time.Duration, err error) {
	before, err := c.backends(ctx)
	if err != nil {
		return m, 0, err
	}
	if m, err = measure(ctx, p, raw, callers, duration); err != nil {
		return m, 0, err
	}
	after, err := c.backends(ctx)
	if err != nil {
		return m, 0, err
	}
	for pid, used := range after {
		database += time.Duration(used-before[pid]) / time.Duration(m.requests)
	}
	return m, database, nil
}
