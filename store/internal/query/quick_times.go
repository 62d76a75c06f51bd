package query

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// quickColumns holds what QuickTimes made of columns. There are as many as lists in the code.
var quickColumns sync.Map

// QuickTimes makes times quick to read from SQLite, by the plus sign that selection explains. fields are pointers to the fields
// for the columns. They become destinations that read a time from its text.
func (db *DB) QuickTimes(columns string, fields []any) (string, []any) {
	if db.postgres {
		return columns, fields
	}
	for i, field := range fields {
		switch field := field.(type) {
		case *time.Time:
			fields[i] = textTime{field}
		case **time.Time:
			fields[i] = textTimePtr{field}
		}
	}
	if known, ok := quickColumns.Load(columns); ok {
		text, _ := known.(string)
		return text, fields
	}
	parts := topLevel(columns)
	for i := range min(len(parts), len(fields)) {
		switch fields[i].(type) {
		case textTime, textTimePtr:
			if plainColumn.MatchString(parts[i]) {
				parts[i] = "+" + parts[i]
			}
		}
	}
	text := strings.Join(parts, ", ")
	quickColumns.Store(columns, text)
	return text, fields
}

// textTime reads a time, or its text.
type textTime struct{ into *time.Time }

// Scan implements sql.Scanner.
func (t textTime) Scan(value any) (err error) {
	switch value := value.(type) {
	case time.Time:
		*t.into = value
	case string:
		*t.into, err = parseTime(value)
	default:
		err = fmt.Errorf("a %T is not a time", value)
	}
	return err
}

// textTimePtr is like textTime, for a time that may be NULL.
type textTimePtr struct{ into **time.Time }

// Scan implements sql.Scanner.
func (t textTimePtr) Scan(value any) error {
	if value == nil {
		*t.into = nil
		return nil
	}
	made := new(time.Time)
	*t.into = made
	return textTime{made}.Scan(value)
}
