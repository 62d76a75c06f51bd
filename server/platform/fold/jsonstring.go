package fold

import (
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string whose opening quote is next. A string without escapes is a slice of the document.
func (d *decoder) string() (string, bool) {
	start := d.pos + 1
	var seen byte
	for i := start; i < len(d.data); i++ {
		c := d.data[i]
		switch {
		case c == '"':
			if seen >= utf8.RuneSelf && !utf8.Valid(d.data[start:i]) {
				return "", d.invalid()
			}
			d.pos = i + 1
			return d.slice(start, i), true
		case c == '\\':
			d.pos = i
			return d.escaped(start)
		case c < ' ':
			return "", d.malformed()
		}
		seen |= c
	}
	return "", d.malformed()
}

// escaped continues at the first backslash of a string that began at start.
func (d *decoder) escaped(start int) (string, bool) {
	d.scratch = append(d.scratch[:0], d.data[start:d.pos]...)
	for run := d.pos; d.pos < len(d.data); {
		switch c := d.data[d.pos]; {
		case c == '"':
			d.scratch = append(d.scratch, d.data[run:d.pos]...)
			d.pos++
			// An escape always yields whole characters, so checking the result checks the raw parts too.
			if !utf8.Valid(d.scratch) {
				return "", d.invalid()
			}
			return string(d.scratch), true
		case c == '\\':
			d.scratch = append(d.scratch, d.data[run:d.pos]...)
			if !d.escape() {
				return "", false
			}
			run = d.pos
		case c < ' ':
			return "", d.malformed()
		default:
			d.pos++
		}
	}
	return "", d.malformed()
}

// simple maps the letter of a short escape to its character; 0 means that there is no such escape.
var simple = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

func (d *decoder) escape() bool {
	if d.pos+1 >= len(d.data) {
		return d.malformed()
	}
	letter := d.data[d.pos+1]
	if c := simple[letter]; c != 0 {
		d.scratch = append(d.scratch, c)
		d.pos += 2
		return true
	}
	r := d.unit()
	if r < 0 {
		return d.malformed()
	}
	d.pos += 6
	if utf16.IsSurrogate(r) {
		// No pair encodes U+FFFD itself, so here it only means half a pair.
		if r = utf16.DecodeRune(r, d.unit()); r == utf8.RuneError {
			return d.invalid()
		}
		d.pos += 6
	}
	// PostgreSQL cannot store a NUL.
	if r == 0 {
		return d.invalid()
	}
	d.scratch = utf8.AppendRune(d.scratch, r)
	return true
}

// unit reads \uXXXX at the position; -1 if there is none.
func (d *decoder) unit() rune {
	if d.pos+6 > len(d.data) || d.data[d.pos] != '\\' || d.data[d.pos+1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range d.data[d.pos+2 : d.pos+6] {
		digit := unhex(c)
		if digit < 0 {
			return -1
		}
		r = r<<4 | rune(digit)
	}
	return r
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
