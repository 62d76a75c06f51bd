package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// serveLists adds a route for each list of the file. Each reads the token with its user, reads the shown columns of the rows in
// one statement, and encodes the answer.
func serveLists(e *echo.Echo, q *queries, spell func(string) string, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var served answeredLists
	if err := json.Unmarshal(text, &served); err != nil {
		return err
	}
	row, ok := listSets()[served.Row]
	if !ok {
		return fmt.Errorf("%s is of row %q, which has no lists", file, served.Row)
	}
	all := row()
	if len(all) != len(served.Lists) {
		return fmt.Errorf("%s has %d lists, not %d", file, len(served.Lists), len(all))
	}
	for i, s := range served.Lists {
		answer, err := all[i].decode(s.Answer)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		rows, err := prepareRows(q.pools[0], spell, all[i].rows, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		e.GET(fmt.Sprintf("/lists/%d", i), func(c echo.Context) error {
			digest := sha256.Sum256([]byte(c.Request().Header.Get("PRIVATE-TOKEN")))
			if _, _, err := q.token(c.Request().Context(), digest[:]); err != nil {
				return err
			}
			if err := rows.read(c.Request().Context()); err != nil {
				return err
			}
			return c.JSON(http.StatusOK, answer)
		})
	}
	return nil
}

// listStatement is the statement of a list, and the columns that it reads.
type listStatement struct {
	*sql.Stmt
	columns []column
}

// prepareRows makes the statement of a list, which reads the columns that the answer shows.
func prepareRows(db *sql.DB, spell func(string) string, from string, s answeredList) (l listStatement, err error) {
	ctx := context.Background()
	if l.columns, err = shownColumns(ctx, db, from, s.Answer); err != nil {
		return l, err
	}
	var names []string
	for _, c := range l.columns {
		if c.time {
			c.name = "+" + c.name
		}
		names = append(names, c.name)
	}
	text := fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), from, s.Rows)
	l.Stmt, err = db.PrepareContext(ctx, spell(text))
	return l, err
}

// read reads the rows into the same values again and again. It reads times from their texts, as a server must that shows them.
func (l listStatement) read(ctx context.Context) error {
	found, err := l.QueryContext(ctx)
	if err != nil {
		return err
	}
	defer found.Close()
	values, times, into := make([]any, len(l.columns)), make([]*time.Time, len(l.columns)), make([]any, len(l.columns))
	for i, c := range l.columns {
		if into[i] = &values[i]; c.time {
			into[i] = atPtr(&times[i])
		}
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return err
		}
	}
	return found.Err()
}
