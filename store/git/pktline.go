package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxPacket is the longest line of git's protocol, including its length.
const maxPacket = 65520

// errFlush is returned for a line that ends a list.
var errFlush = errors.New("flush")

// RequestError is returned for a request that does not follow git's protocol, or that ends too early.
type RequestError struct{ Why string }

func (e *RequestError) Error() string { return e.Why }

var (
	// errPacket is returned for a line that git's protocol does not allow.
	errPacket error = &RequestError{"malformed packet line"}
	// errCutOff is returned for a request that ends too early.
	errCutOff error = &RequestError{"the request is incomplete"}
	// errLong is returned for a line that is longer than any valid one.
	errLong error = &RequestError{"a line of the request is too long"}
)

// cutOff turns the end of the input inside a request into errCutOff.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCutOff
	}
	return err
}

// readPacket reads one line: four hexadecimal digits with the length, themselves included, then the bytes.
func readPacket(r *bufio.Reader) ([]byte, error) { return readPacketOf(r, maxPacket) }

// readPacketOf does the same as readPacket for lines of at most the given number of bytes.
func readPacketOf(r *bufio.Reader, most int) ([]byte, error) {
	var head [4]byte
	if n, err := io.ReadFull(r, head[:]); err != nil {
		if n > 0 || !errors.Is(err, io.EOF) {
			err = cutOff(err)
		}
		return nil, err
	}
	length := 0
	for _, c := range head {
		switch {
		case c >= '0' && c <= '9':
			length = length<<4 | int(c-'0')
		case c >= 'a' && c <= 'f':
			length = length<<4 | int(c-'a'+10)
		case c >= 'A' && c <= 'F':
			length = length<<4 | int(c-'A'+10)
		default:
			return nil, errPacket
		}
	}
	switch {
	case length == 0:
		return nil, errFlush
	case length < 4 || length > maxPacket:
		return nil, errPacket
	case length-4 > most:
		return nil, errLong
	}
	data := make([]byte, length-4)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, cutOff(err)
	}
	return data, nil
}

// writePacket writes one line.
func writePacket(w io.Writer, data []byte) error {
	if len(data) > maxPacket-4 {
		return errPacket
	}
	_, err := fmt.Fprintf(w, "%04x%s", len(data)+4, data)
	return err
}

// writeFlush ends a list.
func writeFlush(w io.Writer) error {
	_, err := io.WriteString(w, "0000")
	return err
}

// band writes one stream of a connection that carries several, in pieces.
type band struct {
	to     io.Writer
	number byte
}

// dataBand is the number of the stream with the data, textBand that of the stream with messages for people.
const (
	dataBand = 1
	textBand = 2
)

// Write sends all bytes.
func (b band) Write(data []byte) (int, error) {
	sent := 0
	for len(data) > 0 {
		piece := data[:min(len(data), maxPacket-5)]
		if err := writePacket(b.to, append([]byte{b.number}, piece...)); err != nil {
			return sent, err
		}
		sent += len(piece)
		data = data[len(piece):]
	}
	return sent, nil
}
