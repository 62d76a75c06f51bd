package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// checked is a record that can check its own fields.
type checked interface{ check() error }

// readLines passes the records of a file to use, in batches.
func readLines[T checked](r *reader, use func([]T) error) error {
	in := bufio.NewReaderSize(r.tar, 64<<10)
	var batch []T
	var long []byte
	for {
		line, err := readLine(in, &long)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var record T
		if json.Unmarshal(line, &record) != nil {
			return bad("a line of %s is not a record", r.name)
		}
		if err := record.check(); err != nil {
			return err
		}
		if err := r.count(); err != nil {
			return err
		}
		if batch = append(batch, record); len(batch) == batchSize {
			if err := use(batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return use(batch)
}

// readLine returns the next line, which is valid until the next call, or io.EOF after the last line.
func readLine(in *bufio.Reader, long *[]byte) ([]byte, error) {
	*long = (*long)[:0]
	for {
		piece, err := in.ReadSlice('\n')
		switch {
		case err == nil && len(*long) == 0:
			return piece, nil
		case len(*long)+len(piece) > maxLine:
			return nil, bad("a line is longer than %d bytes", maxLine)
		}
		*long = append(*long, piece...)
		switch {
		case err == nil:
			return *long, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(*long) > 0:
			return nil, bad("the last line has no newline at its end")
		default:
			return nil, err
		}
	}
}

// readIDs reads the ids of the groups in the archive.
func readIDs(from io.Reader) ([]int64, error) {
	const limit = maxGroups * 20 // digits and the newline
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	if len(data) > limit || len(lines) > maxGroups {
		return nil, bad("the archive has more than %d groups", maxGroups)
	}
	ids, seen := make([]int64, 0, len(lines)), map[int64]bool{}
	for _, line := range lines {
		id, err := strconv.ParseInt(string(line), 10, 64)
		if err != nil || id < 1 || seen[id] || strconv.FormatInt(id, 10) != string(line) {
			return nil, bad("%s is not a list of groups", groupsFile)
		}
		seen[id] = true
		ids = append(ids, id)
	}
	return ids, nil
}
