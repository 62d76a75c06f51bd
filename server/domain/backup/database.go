package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"svc/store"

	"github.com/klauspost/compress/zstd"
)

const (
	databasePrefix = "database/"
	rowsSuffix     = ".jsonl.zst"
	// partSize is how many bytes of rows are in one entry, before compression.
	partSize = 4 << 20
	// rowsAtOnce is how many rows are inserted together.
	rowsAtOnce = 500
	// rowsWaiting is how many entries are in memory until the database takes them.
	rowsWaiting = 64
	// rowsLimit is how many bytes an entry may have, which are more than partSize if a row is that large.
	rowsLimit = 64 << 20
)

// writeDatabase writes the rows of all tables, each as a line with a JSON array.
func (c *creation) writeDatabase(ctx context.Context, tables []store.DumpTable) error {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer packer.Close()
	for i, t := range tables {
		c.progress("tables", i, len(tables), c.out.Bytes)
		part := rowsPart{table: t.Name, out: c.out, packer: packer}
		lines := json.NewEncoder(&part.lines)
		lines.SetEscapeHTML(false)
		err := c.from.Store.DumpRows(ctx, t, func(row []any) error {
			c.out.Rows++
			if err := lines.Encode(row); err != nil {
				return err
			}
			return part.flush(partSize)
		})
		if err := errors.Join(err, part.flush(1)); err != nil {
			return err
		}
	}
	c.progress("tables", len(tables), len(tables), c.out.Bytes)
	return nil
}

// rowsPart collects the rows of one table that make up one entry.
type rowsPart struct {
	table  string
	number int
	lines  bytes.Buffer
	out    *archiveWriter
	packer *zstd.Encoder
}

// flush writes the collected rows if they have at least the given size.
func (p *rowsPart) flush(least int) error {
	if p.lines.Len() < least {
		return nil
	}
	p.number++
	name := fmt.Sprintf("%s%s/%06d%s", databasePrefix, p.table, p.number, rowsSuffix)
	err := p.out.addBytes(name, p.packer.EncodeAll(p.lines.Bytes(), nil))
	p.lines.Reset()
	return err
}

// rowsEntry is an entry with rows of one table.
type rowsEntry struct {
	name    string
	content []byte
}

// readRows reads the rows of one entry and passes them on.
func (r *restoration) readRows(ctx context.Context, name string, size int64, from io.Reader) error {
	if size > rowsLimit {
		return fmt.Errorf("the backup is damaged: %s is too large", name)
	}
	content, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	select {
	case r.rows <- rowsEntry{name, content}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// insertRows inserts the rows of one entry.
func (r *restoration) insertRows(ctx context.Context, entry rowsEntry) error {
	table, _, _ := strings.Cut(strings.TrimPrefix(entry.name, databasePrefix), "/")
	t, ok := r.tables[table]
	if !ok {
		return fmt.Errorf("the backup is damaged: %s is not a table of its list", table)
	}
	unpacked, err := zstd.NewReader(bytes.NewReader(entry.content), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(rowsLimit))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	lines := json.NewDecoder(unpacked)
	lines.UseNumber()
	var rows [][]any
	for {
		var row []any
		err := lines.Decode(&row)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err == nil {
			rows = append(rows, row)
		}
		if len(rows) == rowsAtOnce || err != nil && len(rows) > 0 {
			if err := r.loader.Insert(ctx, t, rows); err != nil {
				return err
			}
			r.Rows += int64(len(rows))
			rows = rows[:0]
		}
		if err != nil {
			return nil
		}
	}
}
