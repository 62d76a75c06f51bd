package auditstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"svc/store/model"
)

// file is a file to which events are appended, one line of JSON each. It is opened for every batch, so that programs that
// rotate logs can rename it at any time.
type file struct{ name string }

func (f file) open() (*os.File, error) {
	out, err := os.OpenFile(f.name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the file of audit events: %w", err)
	}
	return out, nil
}

// check reports whether the file can be written to.
func (f file) check() error {
	out, err := f.open()
	if err != nil {
		return err
	}
	return out.Close()
}

// deliver appends events and waits until they are on the disk.
func (f file) deliver(_ context.Context, events []model.AuditEvent) (int, error) {
	var lines bytes.Buffer
	for _, e := range events {
		line, err := encode(e)
		if err != nil {
			return 0, err
		}
		lines.Write(line)
		lines.WriteByte('\n')
	}
	out, err := f.open()
	if err != nil {
		return 0, err
	}
	err = f.completeLastLine(out)
	if err == nil {
		_, err = out.Write(lines.Bytes())
	}
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return 0, fmt.Errorf("write audit events: %w", err)
	}
	return len(events), nil
}

// completeLastLine ends the last line if a full disk or a kill has cut it off, so that the next event has its own line. The
// event that was cut off is written again.
func (f file) completeLastLine(out *os.File) error {
	info, err := out.Stat()
	if err != nil || info.Size() == 0 || !info.Mode().IsRegular() {
		return err
	}
	last := make([]byte, 1)
	if _, err := out.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = out.WriteString("\n")
	return err
}
