package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
)

// readSamples reads the rows that svc has written and returns the statement that copies or changes them.
func (r *floorRow) readSamples(spell func(string) string, w write, ids []int64) (text string, err error) {
	var now any = time.Now().UTC()
	if r.on.begin != nil {
		now = time.Now().UTC().Format("2006-01-02 15:04:05.999999-07:00")
	}
	for _, id := range ids {
		columns, sample, err := r.on.readSample(spell, w.table, id)
		if err != nil {
			return "", err
		}
		if w.change != "" {
			text, r.fresh = "UPDATE "+w.table+" SET "+w.change+" = ?, updated_at = ? WHERE id = ? RETURNING id", []int{0}
			r.samples = append(r.samples, []any{sample[slices.Index(columns, w.change)], now, id})
			continue
		}
		columns, sample = withoutID(columns, sample)
		r.samples, r.fresh = append(r.samples, sample), nil
		for _, fresh := range w.fresh {
			r.fresh = append(r.fresh, slices.Index(columns, fresh))
		}
		text = insertion(w.table, columns) + " RETURNING id"
	}
	return text, nil
}

// readSample returns the columns of a row and their values. Those of SQLite are as stored, with times as text, so that no write
// formats them again.
func (w *floorWriter) readSample(spell func(string) string, table string, id int64) (columns []string, values []any, err error) {
	if columns, err = w.columns(table); err != nil {
		return nil, nil, err
	}
	text := "SELECT +" + strings.Join(columns, ", +") + " FROM " + table + " WHERE id = ?"
	found, err := w.QueryContext(context.Background(), spell(text), id)
	if err != nil {
		return nil, nil, err
	}
	defer found.Close() // before the next statement, because the writer has one connection
	if !found.Next() {
		return nil, nil, fmt.Errorf("%s has no row %d: %w", table, id, found.Err())
	}
	values = make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	return columns, values, found.Scan(into...)
}

// columns returns the names of the columns of a table.
func (w *floorWriter) columns(table string) ([]string, error) {
	found, err := w.QueryContext(context.Background(), "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer found.Close()
	return found.Columns()
}

// next returns what the next row holds.
func (r *floorRow) next() []any {
	count := r.number.Add(1)
	n := farNumber + count
	values := slices.Clone(r.samples[count%int64(len(r.samples))])
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
