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

// readRows inserts the rows of one entry.
func (r *restoration) readRows(ctx context.Context, name string, from io.Reader) error {
	table, _, _ := strings.Cut(strings.TrimPrefix(name, databasePrefix), "/")
	t, ok := r.tables[table]
	if !ok {
		return fmt.Errorf("the backup is damaged: %s is not a table of its list", table)
	}
	unpacked, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
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
			return fmt.Errorf("read %s: %w", name, err)
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
			break
		}
	}
	_, err = io.Copy(io.Discard, from)
	return err
}
