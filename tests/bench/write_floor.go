package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"
)

// farNumber is higher than the numbers that svc gives.
const farNumber = 100_000_000

// serveWrites adds a route for each write of the file. Each reads the token with its user, reads the body, writes the rows, and
// encodes the answer.
func serveWrites(e *echo.Echo, q *queries, spell func(string) string, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var served []answeredWrite
	if err := json.Unmarshal(text, &served); err != nil {
		return err
	}
	all := writes()
	if len(all) != len(served) {
		return fmt.Errorf("%s has %d writes, not %d", file, len(served), len(all))
	}
	on, err := newFloorWriter(q.pools[1], spell)
	if err != nil {
		return err
	}
	for i, s := range served {
		w := all[i]
		answer, err := w.decode(s.Answer)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Request, err)
		}
		row, err := newFloorRow(on, spell, w, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Request, err)
		}
		e.POST(fmt.Sprintf("/writes/%d", i), func(c echo.Context) error {
			digest := sha256.Sum256([]byte(c.Request().Header.Get("PRIVATE-TOKEN")))
			if _, _, err := q.token(c.Request().Context(), digest[:]); err != nil {
				return err
			}
			body, err := io.ReadAll(c.Request().Body)
			if err != nil {
				return err
			}
			if _, err := w.read(body); err != nil {
				return err
			}
			if err := row.write(c.Request().Context()); err != nil {
				return err
			}
			return c.JSON(http.StatusOK, answer)
		})
	}
	return nil
}

// floorWriter writes to the database. On SQLite it has one connection, and a transaction has no more than its statements.
type floorWriter struct {
	floorDatabase
	sync.Mutex
	begin, commit *sql.Stmt // nil on PostgreSQL
}

type floorDatabase interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
}

func newFloorWriter(pool *sql.DB, spell func(string) string) (*floorWriter, error) {
	if spell("?") != "?" {
		return &floorWriter{floorDatabase: pool}, nil
	}
	conn, err := pool.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	w := &floorWriter{floorDatabase: conn}
	if w.begin, err = w.prepare("BEGIN IMMEDIATE"); err == nil {
		w.commit, err = w.prepare("COMMIT")
	}
	return w, err
}

func (w *floorWriter) prepare(text string) (*sql.Stmt, error) {
	return w.PrepareContext(context.Background(), text)
}

// floorRow is the statement that writes a row, and what it writes: the samples in turn. On PostgreSQL the statement also adds
// the rows of other tables. On SQLite, which has no such statement, others in the same transaction do.
type floorRow struct {
	on        *floorWriter
	statement *sql.Stmt
	samples   [][]any
	fresh     []int // the values that must differ
	number    atomic.Int64
	others    []*sql.Stmt
	values    [][]any // of the rows of other tables
}

// newFloorRow reads the rows that svc has written and prepares statements that copy or change them.
func newFloorRow(on *floorWriter, spell func(string) string, w write, s answeredWrite) (*floorRow, error) {
	row := &floorRow{on: on}
	text, err := row.readSamples(spell, w, s.Rows)
	if err != nil {
		return nil, err
	}
	var first []string
	for table, id := range s.Beside {
		columns, sample, err := on.readSample(spell, table, id)
		if err != nil {
			return nil, err
		}
		columns, sample = withoutID(columns, sample)
		added := insertion(table, columns)
		row.values = append(row.values, sample)
		if on.begin == nil {
			first = append(first, table+"_added AS ("+added+")")
			continue
		}
		other, err := on.prepare(added)
		if err != nil {
			return nil, err
		}
		row.others = append(row.others, other)
	}
	if len(first) > 0 {
		text = "WITH " + strings.Join(first, ", ") + " " + text
	}
	row.statement, err = on.prepare(spell(text))
	return row, err
}

// write writes the next row, and those of other tables.
func (r *floorRow) write(ctx context.Context) error {
	var id int64
	values := r.next()
	if r.on.begin == nil {
		values = append(slices.Concat(r.values...), values...)
		return r.statement.QueryRowContext(ctx, values...).Scan(&id)
	}
	r.on.Lock()
	defer r.on.Unlock()
	if len(r.others) == 0 {
		return r.statement.QueryRow(values...).Scan(&id)
	}
	if _, err := r.on.begin.Exec(); err != nil {
		return err
	}
	if err := r.statement.QueryRow(values...).Scan(&id); err != nil {
		return err
	}
	for i, other := range r.others {
		if _, err := other.Exec(r.values[i]...); err != nil {
			return err
		}
	}
	_, err := r.on.commit.Exec()
	return err
}

func withoutID(columns []string, values []any) ([]string, []any) {
	own := slices.Index(columns, "id")
	return slices.Delete(columns, own, own+1), slices.Delete(values, own, own+1)
}

func insertion(table string, columns []string) string {
	places := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + places + ")"
}
