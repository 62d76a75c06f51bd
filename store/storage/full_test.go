package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
	"testing"
)

// postgres is an error of PostgreSQL with the given code.
type postgres string

func (postgres) Error() string      { return "PostgreSQL says no" }
func (p postgres) SQLState() string { return string(p) }

func TestFullKnowsEveryWayToSayIt(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&fs.PathError{Op: "write", Path: "f", Err: syscall.ENOSPC},
		fmt.Errorf("append: %w", &fs.PathError{Op: "write", Path: "f", Err: syscall.EDQUOT}),
		errors.Join(io.ErrShortWrite, syscall.EFBIG),
		errors.New("fatal: write error: No space left on device"),
		errors.New("database or disk is full (13)"),
		fmt.Errorf("record a push: %w", postgres("53100")),
	} {
		if !Full(err) {
			t.Errorf("%v is not full", err)
		}
	}
	for _, err := range []error{nil, io.EOF, syscall.EIO, postgres("53300"), errors.New("disk I/O error (10)")} {
		if Full(err) {
			t.Errorf("%v is full", err)
		}
	}
}
