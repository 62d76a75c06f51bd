package blob

import "io"

// LimitReader returns a reader that fails with the error tooLarge once it has read more than the given number of bytes.
func LimitReader(from io.Reader, most int64, tooLarge error) io.Reader {
	return &limitReader{from: from, left: most, tooLarge: tooLarge}
}

type limitReader struct {
	from     io.Reader
	left     int64
	tooLarge error
}

// Read implements io.Reader.
func (l *limitReader) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, l.tooLarge
	}
	return n, err
}
