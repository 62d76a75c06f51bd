package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
)

// farNumber is higher than the numbers that svc gives.
const farNumber = 100_000_000

// serveWrites adds a route for each write of the file. Each reads the token with its user, reads the body, writes one row in
// one statement, and encodes the answer.
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
	for i, s := range served {
		w := all[i]
		answer, err := w.decode(s.Answer)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Request, err)
		}
		row, err := newFloorRow(q.pools[1], spell, w, s.Row)
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
			var id int64
			if err := row.statement.QueryRowContext(c.Request().Context(), row.values()...).Scan(&id); err != nil {
				return err
			}
			return c.JSON(http.StatusOK, answer)
		})
	}
	return nil
}

// floorRow is the statement that writes a row, and what it writes.
type floorRow struct {
	statement *sql.Stmt
	sample    []any
	fresh     []int // the values that must differ
	number    atomic.Int64
}

// newFloorRow reads the row that svc has written and prepares a statement that copies or changes it.
func newFloorRow(pool *sql.DB, spell func(string) string, w write, id int64) (*floorRow, error) {
	found, err := pool.Query(spell("SELECT * FROM "+w.table+" WHERE id = ?"), id)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return nil, err
	}
	all := make([]any, len(columns))
	for i := range all {
		all[i] = new(any)
	}
	if !found.Next() {
		return nil, fmt.Errorf("%s has no row %d: %w", w.table, id, found.Err())
	}
	if err := found.Scan(all...); err != nil {
		return nil, err
	}
	found.Close() // the writer has one connection
	sample := map[string]any{}
	for i, column := range columns {
		sample[column] = *all[i].(*any) //nolint:forcetypeassert // made above
	}
	row := &floorRow{}
	text := ""
	if w.change != "" {
		text = "UPDATE " + w.table + " SET " + w.change + " = ?, updated_at = ? WHERE id = ? RETURNING id"
		row.sample, row.fresh = []any{sample[w.change], time.Now().UTC(), id}, []int{0}
	} else {
		names := []string{}
		for _, column := range columns {
			if column == "id" {
				continue
			}
			for _, fresh := range w.fresh {
				if fresh == column {
					row.fresh = append(row.fresh, len(names))
				}
			}
			names, row.sample = append(names, column), append(row.sample, sample[column])
		}
		places := strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ")
		text = "INSERT INTO " + w.table + " (" + strings.Join(names, ", ") + ") VALUES (" + places + ") RETURNING id"
	}
	row.statement, err = pool.Prepare(spell(text))
	return row, err
}

// values returns what the next row holds.
func (r *floorRow) values() []any {
	n := farNumber + r.number.Add(1)
	values := append([]any(nil), r.sample...)
	for _, i := range r.fresh {
		switch old := values[i].(type) {
		case int64:
			values[i] = n
		case string:
			values[i] = fmt.Sprintf("%s %d", old, n)
		case []byte:
			digest := sha256.Sum256(fmt.Append(nil, n))
			values[i] = digest[:]
		}
	}
	return values
}
