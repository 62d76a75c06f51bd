package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
)

const (
	fewPeople     = 10_000
	manyPeople    = 100_000
	millionPeople = 1_000_000
	personToken   = "bench-person-0123456789abcdef" // of an ordinary user
	personID      = 77                              // who carries it
	fillAtOnce    = 100_000
)

// crowd is a database with many users. svc and floor only read it, so they share it.
type crowd struct {
	dataCopy
	kind  string
	users int
	data  *data
	sql   *sql.DB
}

// newCrowd lets svc make its tables and the administrator, and fills in the users past it.
func newCrowd(ctx context.Context, o options, kind, folder string, users int) (*crowd, error) {
	c := &crowd{kind: kind, users: users, data: &data{}}
	c.folder = filepath.Join(folder, fmt.Sprint(users))
	driver, address := "sqlite", "file:"+c.sqlitePath()+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_pragma=cache_size(-262144)&_pragma=temp_store(MEMORY)&_pragma=analysis_limit(1000)"
	if kind == postgres {
		var err error
		if c.url, err = c.data.create(ctx, fmt.Sprintf("users_%d", users), ""); err != nil {
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
	if err := c.fill(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("fill in %d users: %w", users, err), c.remove())
	}
	if o.rows["projects"] {
		if err := c.fillProjects(ctx, o.svc); err != nil {
			return nil, errors.Join(fmt.Errorf("fill in %d projects: %w", users, err), c.remove())
		}
	}
	if kind == sqlite { // not before: tables that were empty then would be read as a whole
		// With its limit it leaves sqlite_stat4 out, for which bound values seem to have statements compiled anew; svc itself never analyses.
		if err := c.run(ctx, []string{"ANALYZE"}); err != nil {
			return nil, errors.Join(err, c.remove())
		}
	}
	return c, nil
}

func (c *crowd) remove() error {
	if c.sql == nil {
		return c.data.remove()
	}
	return errors.Join(c.sql.Close(), c.data.remove())
}

// Names have some 1,200 forms; every username has the same beginning, and one name in a thousand a rare part. Letters of
// the first names are cut from one text, which both databases can.
const (
	personName = "substr('Anna AndreBobbyCarlaDora Eric FrankGretaHannaIvan JuliaKarl Lisa MariaNina OskarPaulaRosa SamueTilda', 1 + n % 20 * 5, 5) || ' ' || " +
		"substr('SchmidtMeierJanssenFischerWeberMullerBeckerHoffmannKochRichterKleinWolf', 1 + (n * 13) % 60, 7) || CASE WHEN n % 1000 = 0 THEN ' Quixote' ELSE '' END"
	insertPeople = "INSERT INTO users (username, name, email, confirmed_at, created_at, updated_at) SELECT 'user.' || n, " + personName +
		", 'user.' || n || '@example.com', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05' FROM "
)

// fill adds the users by statements of many rows, and then a token of an ordinary one.
func (c *crowd) fill(ctx context.Context) error {
	var statements []string
	for from := 1; from <= c.users; from += fillAtOnce {
		statements = append(statements, insertPeople+c.numbers(from, min(from+fillAtOnce-1, c.users)))
	}
	digest := sha256.Sum256([]byte(personToken))
	statements = append(statements, insertToken(personID, c.bytes(digest[:])))
	if c.kind == postgres {
		var err error
		if statements, err = c.withoutIndexes(ctx, statements, "user_search_part"); err != nil {
			return err
		}
		statements = append(statements, "VACUUM (ANALYZE) users", "VACUUM (ANALYZE) user_search")
	}
	return c.run(ctx, statements)
}

// numbers are rows with the numbers n.
func (c *crowd) numbers(from, to int) string {
	if c.kind == postgres {
		return fmt.Sprintf("generate_series(%d, %d) AS s (n)", from, to)
	}
	return fmt.Sprintf("(WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s)", from, to)
}

func insertToken(user int, digest string) string {
	return fmt.Sprintf("INSERT INTO personal_access_tokens (user_id, name, digest, scopes, created_at, updated_at) "+
		"VALUES (%d, 'bench', %s, 'api', '2026-01-02 03:04:05', '2026-01-02 03:04:05')", user, digest)
}

// withoutIndexes drops indexes of trigrams before statements and makes them anew behind: at once that takes a tenth of
// the time.
func (c *crowd) withoutIndexes(ctx context.Context, statements []string, indexes ...string) ([]string, error) {
	for _, name := range indexes {
		var made string
		if err := c.sql.QueryRowContext(ctx, "SELECT pg_get_indexdef($1::regclass)", name).Scan(&made); err != nil {
			return nil, err
		}
		statements = append(append([]string{"DROP INDEX " + name}, statements...), made)
	}
	return statements, nil
}

func (c *crowd) run(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := c.sql.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%.100s: %w", statement, err)
		}
	}
	return nil
}

// bytes spells bytes as the database does.
func (c *crowd) bytes(value []byte) string {
	if c.kind == postgres {
		return fmt.Sprintf(`'\x%x'`, value)
	}
	return fmt.Sprintf("x'%x'", value)
}

// backends are PostgreSQL's processes that work for this database, with the CPU time that each has used.
func (c *crowd) backends(ctx context.Context) (map[int]int64, error) {
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
		if t, err := cpuTime(pid); err == nil { // one that has just ended has done nothing for us
			used[pid] = int64(t)
		}
	}
	return used, rows.Err()
}
