package encode

import (
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// Eight bytes at once: a one, and the highest bit, in each of them.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// appendText appends a text, quoted. Like encoding/json, it escapes what is special in HTML and JavaScript too, and replaces
// bytes that are not UTF-8.
func appendText(to []byte, s string) []byte {
	to = append(to, '"')
	start := 0
	for i := skipPlain(s, 0); i < len(s); i = skipPlain(s, i) {
		if s[i] < utf8.RuneSelf {
			to = appendEscape(append(to, s[start:i]...), s[i])
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			to = append(append(to, s[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			to = append(append(append(to, s[start:i]...), `\u202`...), hex[r&0xF])
			start = i + size
		}
		i += size
	}
	return append(append(to, s[start:]...), '"')
}

// skipPlain returns the place, from i on, of the first byte that is not plain ASCII.
func skipPlain(s string, i int) int {
	for len(s)-i >= 8 && arePlain(word(s[i:])) {
		i += 8
	}
	for i < len(s) && isPlain(s[i]) {
		i++
	}
	return i
}

// isPlain reports whether a byte is ASCII that needs no escape.
func isPlain(c byte) bool {
	return c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
}

// word returns the first eight bytes of a text as a number. The compiler makes one instruction of it.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// arePlain is isPlain for eight bytes. Each sum sets the highest bit of a byte, unless the byte is one of those that it looks for.
func arePlain(w uint64) bool {
	visible := w + 0x60*ones                         // not below 0x20
	quotes := (w | 0x04*ones ^ '&'*ones) + 0x7F*ones // " and & differ in one bit
	angles := (w | 0x02*ones ^ '>'*ones) + 0x7F*ones // < and > too
	slashes := (w ^ '\\'*ones) + 0x7F*ones
	return visible&quotes&angles&slashes&^w&tops == tops
}

// appendEscape appends the escape of an ASCII character.
func appendEscape(to []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(to, '\\', c)
	case '\b':
		return append(to, '\\', 'b')
	case '\f':
		return append(to, '\\', 'f')
	case '\n':
		return append(to, '\\', 'n')
	case '\r':
		return append(to, '\\', 'r')
	case '\t':
		return append(to, '\\', 't')
	default:
		return append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
	}
}

// floatPlan writes numbers like JavaScript: with an exponent only if they are very small or very large.
func floatPlan(t reflect.Type) plan {
	bits := t.Bits()
	return func(to []byte, v reflect.Value, _ int) ([]byte, error) {
		f := v.Float()
		size := math.Abs(f)
		switch {
		case math.IsInf(f, 0) || math.IsNaN(f):
			return appendOther(to, v, 0) // which returns the error
		case size == 0:
		case bits == 64 && (size < 1e-6 || size >= 1e21), bits == 32 && (float32(size) < 1e-6 || float32(size) >= 1e21):
			to = strconv.AppendFloat(to, f, 'e', -1, bits)
			if n := len(to); to[n-4] == 'e' && to[n-3] == '-' && to[n-2] == '0' { // e-07 is written as e-7
				to = append(to[:n-2], to[n-1])
			}
			return to, nil
		}
		return strconv.AppendFloat(to, f, 'f', -1, bits), nil
	}
}
