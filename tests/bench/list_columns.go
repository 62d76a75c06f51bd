package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sampleRows is how many rows are compared with an answer to find out which columns it shows.
const sampleRows = 100

// timeTypes are the types of columns that hold times.
var timeTypes = []string{"DATE", "DATETIME", "TIMESTAMP", "TIMESTAMPTZ"}

// column is a column that the floor reads, with the name of its table in the statement.
type column struct {
	name string
	time bool
}

// shownText is what an answer shows: its text, and the names of all members.
type shownText struct {
	text  string
	names []string
}

func newShownText(answer []byte) (s shownText, err error) {
	var found any
	if err := json.Unmarshal(answer, &found); err != nil {
		return s, err
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, one := range value {
				walk(one)
			}
		case map[string]any:
			for name, one := range value {
				s.names = append(s.names, name)
				walk(one)
			}
		case string:
			s.text += "\n" + value
		}
	}
	walk(found)
	s.text += "\n"
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
	return s, nil
}

// named says whether a member has the name of a column, perhaps without _at or _id, or is made of it, like avatar_url of avatar
// push_events of events and created_by_user_id of user_id.
func (s shownText) named(column string) bool {
	short := strings.TrimSuffix(strings.TrimSuffix(column, "_at"), "_id")
	return slices.ContainsFunc(s.names, func(name string) bool {
		return name == column || name == short || name == short+"_url" ||
			strings.HasSuffix(name, "_"+short) || strings.HasSuffix(name, "_"+column)
	})
}

// holds says whether a value from the database is shown. A text may be part of another one, such as the path of a project in a
// URL, but not of a word.
func (s shownText) holds(value any) bool {
	switch value := value.(type) {
	case time.Time:
		date := value.UTC().Format(time.DateOnly)
		return strings.Contains(s.text, value.UTC().Format("\n2006-01-02T15:04:05.000Z\n")) || strings.Contains(s.text, "\n"+date+"\n")
	case string:
		if value == "" || !strings.Contains(s.text, value) {
			return false
		}
		return regexp.MustCompile(`\W` + regexp.QuoteMeta(value) + `\W`).MatchString(s.text)
	}
	return false
}

// shows says whether the answer shows a column of which the sample has these values. Times are shown as they are, so that one of
// a joined table is not taken for one of the same name. Everything else may be shown in another form, under its name.
func (s shownText) shows(c column, values []any) bool {
	if slices.ContainsFunc(values, s.holds) {
		return true
	}
	empty := !slices.ContainsFunc(values, func(value any) bool { return value != nil })
	return (!c.time || empty) && s.named(c.name)
}

// fromNames finds the names of the tables in the text after FROM.
var fromNames = regexp.MustCompile(`^(\w+)|(\w+) ON `)

// shownColumns returns the columns of joined tables that an answer shows. It compares the answer with the rows that have the
// IDs of its elements, and with the first rows, because the ID of an element may be that of another table.
func shownColumns(ctx context.Context, db *sql.DB, from string, answer []byte) ([]column, error) {
	shown, err := newShownText(answer)
	if err != nil {
		return nil, err
	}
	var all []column
	first := ""
	for _, names := range fromNames.FindAllStringSubmatch(from, -1) {
		table := names[1] + names[2]
		if first == "" {
			first = table
		}
		columns, values, err := readSample(ctx, db, table, from)
		if err != nil {
			return nil, err
		}
		_, more, err := readSample(ctx, db, table, from+" WHERE "+first+".id IN ("+elementIDs(answer)+")")
		if err != nil {
			return nil, err
		}
		for i, c := range columns {
			if shown.shows(c, append(values[i], more[i]...)) {
				all = append(all, column{table + "." + c.name, c.time})
			}
		}
	}
	return all, nil
}

// elementIDs returns the numbers that are IDs of the elements of an answer, separated by commas.
func elementIDs(answer []byte) string {
	var elements []struct{ ID json.RawMessage }
	_ = json.Unmarshal(answer, &elements) // newShownText has read it
	ids := []string{"NULL"}               // there may be none
	for _, e := range elements {
		if _, err := strconv.ParseInt(string(e.ID), 10, 64); err == nil {
			ids = append(ids, string(e.ID))
		}
	}
	return strings.Join(ids, ", ")
}

// readSample returns the columns of a table in joined rows, and values of each.
func readSample(ctx context.Context, db *sql.DB, table, from string) (columns []column, values [][]any, err error) {
	found, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s.* FROM %s LIMIT %d", table, from, sampleRows))
	if err != nil {
		return nil, nil, err
	}
	defer found.Close()
	types, err := found.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	row, into := make([]any, len(types)), make([]any, len(types))
	for i, t := range types {
		isTime := slices.Contains(timeTypes, t.DatabaseTypeName())
		columns, into[i] = append(columns, column{t.Name(), isTime}), &row[i]
	}
	values = make([][]any, len(types))
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return nil, nil, err
		}
		for i, value := range row {
			values[i] = append(values[i], value)
		}
	}
	return columns, values, found.Err()
}
