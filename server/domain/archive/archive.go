// Package archive writes and reads the archives of exports: tar files compressed with gzip that contain records as lines
// of JSON. Readers do not trust an archive: its size, its compression, its files and its lines have limits.
//
//	archive.go  limits and errors
//	writer.go   writes an archive
//	reader.go   reads an archive, within limits
//	lines.go    reads the records of one file
//	check.go    checks of fields
//	progress.go reports of workers
package archive

import (
	"errors"
	"fmt"

	"svc/server/platform/apierr"
)

// ErrTooLarge means that an archive has more bytes than allowed.
var ErrTooLarge = errors.New("the archive is too large")

// BadArchiveError means that an archive cannot be imported. Its text is shown to the user who sent the archive.
type BadArchiveError struct{ Text string }

func (e *BadArchiveError) Error() string { return e.Text }

// Bad returns a *BadArchiveError.
func Bad(format string, args ...any) error { return &BadArchiveError{fmt.Sprintf(format, args...)} }

// Explain turns the error of an archive that was refused into an API error. Other errors stay as they are.
func Explain(err error) error {
	var refused *BadArchiveError
	switch {
	case errors.As(err, &refused):
		return apierr.Refused("The file cannot be imported: " + refused.Text)
	case errors.Is(err, ErrTooLarge):
		return apierr.TooLarge()
	}
	return err
}

// Limits are the limits for reading an archive.
type Limits struct {
	Bytes   int64 // unpacked
	Ratio   int64 // unpacked bytes per packed byte
	Free    int64 // unpacked bytes for which the ratio does not count
	Records int64
	Line    int // bytes of a line
}
