package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/store/internal/query"
)

// Loader writes the rows of a backup into a database whose tables are empty.
type Loader struct {
	store  *base
	tables map[string][]DumpColumn // of this database
	lastID map[string]int64
}

// Load runs f, which inserts the rows of a backup, in one transaction: if anything fails, the database stays empty. Keys
// that lead from one table to another are checked at the end. f runs once.
func (b *base) Load(ctx context.Context, dumped []DumpTable, f func(ctx context.Context, l *Loader) error) error {
	begun := false
	return b.Tx(Background(ctx), func(ctx context.Context) error {
		if begun {
			return errors.New("the database has interrupted the transaction; start again with an empty database")
		}
		begun = true
		l := &Loader{store: b, tables: map[string][]DumpColumn{}, lastID: map[string]int64{}}
		tables, err := b.DumpTables(ctx)
		if err != nil {
			return err
		}
		for _, t := range tables {
			l.tables[t.Name] = t.Columns
		}
		if err := l.check(dumped); err != nil {
			return err
		}
		load := l.loadSQLite
		if b.Postgres() {
			load = l.loadPostgres
		}
		return load(ctx, func(ctx context.Context) error { return f(ctx, l) })
	})
}

// check returns an error unless this database has all tables and columns of a backup.
func (l *Loader) check(dumped []DumpTable) error {
	for _, t := range dumped {
		mine, ok := l.tables[t.Name]
		if !ok {
			return fmt.Errorf("the database has no table %s", t.Name)
		}
		for _, c := range t.Columns {
			if !slices.Contains(mine, c) {
				return fmt.Errorf("the database has no column %s.%s of kind %s", t.Name, c.Name, c.Kind)
			}
		}
		l.lastID[t.Name] = t.LastID
	}
	return nil
}

// maxArguments is the number of values in one statement that both databases accept.
const maxArguments = 30_000

// Insert inserts rows of a table as DumpRows returned them, or as a JSON decoder with UseNumber read them.
func (l *Loader) Insert(ctx context.Context, t DumpTable, rows [][]any) error {
	for part := range slices.Chunk(rows, max(1, maxArguments/len(t.Columns))) {
		if err := l.insert(ctx, t, part); err != nil {
			return fmt.Errorf("write %s: %w", t.Name, query.Translate(err))
		}
	}
	return nil
}

func (l *Loader) insert(ctx context.Context, t DumpTable, rows [][]any) error {
	places := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		places[i] = "?"
		if t.Name == queueTable.Name {
			places[i] = l.store.queueExpression(c.Name).write
		}
	}
	place := "( " + strings.Join(places, ", ") + ")" // GORM would make an empty value directly after a parenthesis null
	arguments := make([]any, 0, len(rows)*len(t.Columns))
	for _, row := range rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("a row has %d values instead of %d", len(row), len(t.Columns))
		}
		for i, c := range t.Columns {
			value, err := l.value(t, c, row[i])
			if err != nil {
				return fmt.Errorf("column %s: %w", c.Name, err)
			}
			arguments = append(arguments, value)
		}
	}
	statement := "INSERT INTO " + quotedName(t.Name) + " (" + quotedNames(t.Columns) + ") VALUES " +
		strings.Repeat(place+", ", len(rows)-1) + place
	return l.store.db.Write(ctx).Exec(statement, arguments...).Error
}

// queueTime is the form in which SQLite's job queue stores times.
const queueTime = "2006-01-02 15:04:05.999"

// value turns a value of a backup into what a driver takes.
func (l *Loader) value(t DumpTable, c DumpColumn, value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	text, isText := value.(string)
	switch c.Kind {
	case DumpInteger, DumpNumber:
		switch number := value.(type) {
		case int64, float64, float32: // straight from DumpRows
			return number, nil
		case json.Number:
			if c.Kind == DumpInteger {
				return number.Int64()
			}
			return number.Float64()
		}
	case DumpBoolean:
		if yes, ok := value.(bool); ok {
			return yes, nil
		}
	case DumpText:
		if isText {
			return l.text(text), nil
		}
		if raw, ok := value.(map[string]any); ok {
			return l.rawText(raw)
		}
	case DumpBytes:
		if isText {
			return base64.StdEncoding.DecodeString(text)
		}
	case DumpTime:
		at, err := time.Parse(time.RFC3339Nano, text)
		if err == nil && t.Name == queueTable.Name && !l.store.Postgres() {
			return at.UTC().Round(time.Millisecond).Format(queueTime), nil
		}
		return at, err
	case DumpDate:
		return time.Parse(time.DateOnly, text)
	}
	return nil, fmt.Errorf("%v is not a value of the kind %s", value, c.Kind)
}

// text returns a text that the database can hold. PostgreSQL has no zero bytes in texts and only valid UTF-8.
func (l *Loader) text(text string) string {
	if !l.store.Postgres() || utf8.ValidString(text) && !strings.Contains(text, "\x00") {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// rawText returns a text that JSON cannot hold.
func (l *Loader) rawText(value map[string]any) (string, error) {
	encoded, ok := value[rawText].(string)
	if !ok {
		return "", errors.New("an object is not a text")
	}
	bytes, err := base64.StdEncoding.DecodeString(encoded)
	return l.text(string(bytes)), err
}
