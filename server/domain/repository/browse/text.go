package browse

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encodings of files.
const (
	UTF8   = "UTF-8"
	UTF16  = "UTF-16"
	Latin1 = "ISO 8859-1"
)

// Text returns the text of a file and its encoding; ok is false for a file that is not text. A file that is neither UTF-8 nor
// UTF-16 and has no zero bytes is read as Latin 1, in which every byte is a character.
func Text(data []byte) (text, encoding string, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], binary.LittleEndian), UTF16, true
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], binary.BigEndian), UTF16, true
	case bytes.IndexByte(data, 0) >= 0:
		return "", "", false
	case utf8.Valid(data):
		return strings.TrimPrefix(string(data), "\ufeff"), UTF8, true
	case controls(data) > len(data)/20:
		return "", "", false
	}
	var b strings.Builder
	b.Grow(len(data) + len(data)/8)
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String(), Latin1, true
}

func fromUTF16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// controls counts the bytes that texts in no common encoding have.
func controls(data []byte) int {
	n := 0
	for _, c := range data {
		if c < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", rune(c)) {
			n++
		}
	}
	return n
}
