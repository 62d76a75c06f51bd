package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/labstack/echo/v4"
)

// serveLists adds a route for each list of the file. Each reads the token with its user, reads the rows in one statement, and
// encodes the answer.
func serveLists(e *echo.Echo, q *queries, file string) error {
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
		rows, err := q.pools[0].Prepare(fmt.Sprintf("SELECT * FROM %s LIMIT %d", all[i].rows, s.Rows))
		if err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		e.GET(fmt.Sprintf("/lists/%d", i), func(c echo.Context) error {
			digest := sha256.Sum256([]byte(c.Request().Header.Get("PRIVATE-TOKEN")))
			if _, _, err := q.token(c.Request().Context(), digest[:]); err != nil {
				return err
			}
			if err := readRows(c.Request().Context(), rows); err != nil {
				return err
			}
			return c.JSON(http.StatusOK, answer)
		})
	}
	return nil
}

// readRows reads all columns of all rows.
func readRows(ctx context.Context, statement *sql.Stmt) error {
	found, err := statement.QueryContext(ctx)
	if err != nil {
		return err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(columns))
	for i := range values {
		values[i] = new(any)
	}
	for found.Next() {
		if err := found.Scan(values...); err != nil {
			return err
		}
	}
	return found.Err()
}
