package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// The largest batch of records, and of bytes of their lines.
const (
	batchSize  = 500
	batchBytes = 16 << 20
)

// Checked is a record that can check its own fields.
type Checked interface{ Check() error }

// Object reads a file with one JSON object.
func Object[T Checked](r *Reader) (T, error) {
	var record T
	data, err := io.ReadAll(io.LimitReader(r, int64(r.limits.Line)))
	if err != nil {
		return record, err
	}
	if json.Unmarshal(data, &record) != nil {
		return record, Bad("%s is not a record", r.Name)
	}
	if err := record.Check(); err != nil {
		return record, err
	}
	return record, r.Count()
}

// Lines passes the records of the current file to use, in batches.
func Lines[T Checked](r *Reader, use func([]T) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var batch []T
	var long []byte
	bytes := 0
	for {
		line, err := readLine(in, &long, r.limits.Line)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var record T
		if json.Unmarshal(line, &record) != nil {
			return Bad("a line of %s is not a record", r.Name)
		}
		if err := record.Check(); err != nil {
			return err
		}
		if err := r.Count(); err != nil {
			return err
		}
		bytes += len(line)
		if batch = append(batch, record); len(batch) == batchSize || bytes > batchBytes {
			if err := use(batch); err != nil {
				return err
			}
			batch, bytes = batch[:0], 0
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return use(batch)
}

// readLine returns the next line, which is valid until the next call, or io.EOF after the last line.
func readLine(in *bufio.Reader, long *[]byte, most int) ([]byte, error) {
	*long = (*long)[:0]
	for {
		piece, err := in.ReadSlice('\n')
		switch {
		case err == nil && len(*long) == 0:
			return piece, nil
		case len(*long)+len(piece) > most:
			return nil, Bad("a line is longer than %d bytes", most)
		}
		*long = append(*long, piece...)
		switch {
		case err == nil:
			return *long, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(*long) > 0:
			return nil, Bad("the last line has no newline at its end")
		default:
			return nil, err
		}
	}
}
