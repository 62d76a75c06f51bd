package fold

import (
	"strings"
	"unicode/utf8"
)

// Pair is one name with one value. A list of pairs keeps the order in which list[][key] is repeated.
type Pair struct{ Name, Value string }

// ParseQuery splits a raw query or form body into pairs and decodes %XX and '+'. A bad escape, a NUL or text that is
// not UTF-8 is an *Error.
func ParseQuery(raw string, limits Limits) ([]Pair, error) {
	if raw == "" {
		return nil, nil
	}
	limits = limits.filled()
	pairs := make([]Pair, 0, min(strings.Count(raw, "&")+1, limits.Values))
	var u unescaper
	for raw != "" {
		u.size = len(raw)
		var piece string
		piece, raw, _ = strings.Cut(raw, "&")
		if piece == "" {
			continue
		}
		if len(pairs) == limits.Values {
			return nil, &Error{Reason: tooMany}
		}
		name, value, _ := strings.Cut(piece, "=")
		name, ok := u.decode(name)
		if !ok {
			return nil, refuse("", isInvalid)
		}
		value, ok = u.decode(value)
		if !ok {
			return nil, refuse(name, isInvalid)
		}
		pairs = append(pairs, Pair{Name: name, Value: value})
	}
	return pairs, nil
}

// unescaper decodes into one buffer that is large enough for the rest of the query, so that it is allocated at most
// once.
type unescaper struct {
	size int // length of the text that is still to be decoded
	buf  strings.Builder
}

func (u *unescaper) decode(s string) (string, bool) {
	first := strings.IndexByte(s, '%')
	if plus := strings.IndexByte(s, '+'); plus >= 0 && (first < 0 || plus < first) {
		first = plus
	}
	if first < 0 {
		return s, storable(s)
	}
	if u.buf.Cap() == 0 {
		u.buf.Grow(u.size)
	}
	start := u.buf.Len()
	u.buf.WriteString(s[:first])
	for i := first; i < len(s); i++ {
		switch c := s[i]; c {
		case '+':
			u.buf.WriteByte(' ')
		case '%':
			if i+2 >= len(s) {
				return "", false
			}
			high, low := unhex(s[i+1]), unhex(s[i+2])
			if high < 0 || low < 0 {
				return "", false
			}
			u.buf.WriteByte(byte(high<<4 | low))
			i += 2
		default:
			u.buf.WriteByte(c)
		}
	}
	s = u.buf.String()[start:]
	return s, storable(s)
}

// storable reports whether a database can store the text.
func storable(s string) bool {
	return strings.IndexByte(s, 0) < 0 && utf8.ValidString(s)
}
