package fold

import (
	"encoding/json"
	"strconv"
	"strings"
)

// sharedSize is the size up to which all strings of a document are slices of one copy of the document. A longer document is
// not shared, so that one short string that outlives the request does not keep it in memory.
const sharedSize = 16 << 10

// JSON decodes one JSON document strictly. A repeated key, a NUL, text that is not UTF-8, a lone surrogate, an exceeded
// limit or malformed text is an *Error. Numbers become json.Number.
func JSON(data []byte, limits Limits) (any, error) {
	limits = limits.filled()
	d := decoder{data: data, depth: limits.Depth, left: limits.Values}
	if len(data) <= sharedSize {
		d.text = string(data)
	}
	v, ok := d.value()
	if ok {
		d.space()
		ok = d.pos == len(d.data) || d.malformed()
	}
	if !ok {
		return nil, d.failure()
	}
	return v, nil
}

// decoder reads a document in one pass. Its methods return false after they have set reason.
type decoder struct {
	data    []byte
	text    string // data, if it is short enough to be shared
	pos     int
	depth   int // levels that may still be opened
	left    int // members and elements that may still come
	scratch []byte

	reason string
	placed bool     // the failure concerns one value, not the document
	trail  []string // the path to that value, innermost first
}

func (d *decoder) malformed() bool {
	d.reason = bodyFormat
	return false
}

func (d *decoder) invalid() bool {
	d.reason, d.placed = isInvalid, true
	return false
}

// at records on the way out where the failure was, so that a successful decoding does not pay for it.
func (d *decoder) at(step string) bool {
	if d.placed {
		d.trail = append(d.trail, step)
	}
	return false
}

func (d *decoder) failure() *Error {
	if !d.placed {
		return &Error{Reason: d.reason}
	}
	var name strings.Builder
	for i := len(d.trail) - 1; i >= 0 && name.Len() <= longestName; i-- {
		if name.Len() == 0 {
			name.WriteString(d.trail[i])
			continue
		}
		name.WriteString("[" + d.trail[i] + "]")
	}
	return refuse(name.String(), d.reason)
}

func (d *decoder) space() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\n', '\r', '\t':
			d.pos++
		default:
			return
		}
	}
}

// next skips space and returns the byte that follows; 0 at the end, because no token begins with a NUL.
func (d *decoder) next() byte {
	d.space()
	if d.pos == len(d.data) {
		return 0
	}
	return d.data[d.pos]
}

func (d *decoder) value() (any, bool) {
	switch d.next() {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		return d.boxed()
	case 't':
		return true, d.literal("true")
	case 'f':
		return false, d.literal("false")
	case 'n':
		return nil, d.literal("null")
	}
	return d.number()
}

func (d *decoder) boxed() (any, bool) {
	s, ok := d.string()
	if !ok {
		return nil, false
	}
	return s, true
}

func (d *decoder) literal(word string) bool {
	rest := d.data[d.pos:]
	if len(rest) < len(word) || string(rest[:len(word)]) != word {
		return d.malformed()
	}
	d.pos += len(word)
	return true
}

func (d *decoder) number() (any, bool) {
	end := numberEnd(d.data[d.pos:])
	if end == 0 {
		return nil, d.malformed()
	}
	if end > longestNumber {
		return nil, d.invalid()
	}
	start := d.pos
	d.pos += end
	return json.Number(d.slice(start, d.pos)), true
}

func (d *decoder) slice(from, to int) string {
	if d.text != "" {
		return d.text[from:to]
	}
	return string(d.data[from:to])
}

// open enters an object or array. To leave it, the caller increments depth again.
func (d *decoder) open() bool {
	if d.depth == 0 {
		d.reason = bodyTooDeep
		return false
	}
	d.depth--
	d.pos++
	return true
}

func (d *decoder) count() bool {
	if d.left == 0 {
		d.reason = tooMany
		return false
	}
	d.left--
	return true
}

func (d *decoder) object() (any, bool) {
	if !d.open() {
		return nil, false
	}
	members := make(map[string]any)
	for more := d.next() != '}'; more; {
		if !d.count() || !d.member(members) {
			return nil, false
		}
		switch d.next() {
		case ',':
			d.pos++
		case '}':
			more = false
		default:
			return nil, d.malformed()
		}
	}
	d.depth++
	d.pos++
	return members, true
}

func (d *decoder) member(members map[string]any) bool {
	if d.next() != '"' {
		return d.malformed()
	}
	key, ok := d.string()
	if !ok {
		return false
	}
	if d.next() != ':' {
		return d.malformed()
	}
	d.pos++
	v, ok := d.value()
	if !ok {
		return d.at(key)
	}
	// Comparing sizes finds a repeated key without a second lookup.
	before := len(members)
	members[key] = v
	if len(members) == before {
		d.reason, d.placed = isRepeated, true
		return d.at(key)
	}
	return true
}

func (d *decoder) array() (any, bool) {
	if !d.open() {
		return nil, false
	}
	elements := []any{}
	for more := d.next() != ']'; more; {
		if !d.count() {
			return nil, false
		}
		v, ok := d.value()
		if !ok {
			return nil, d.at(strconv.Itoa(len(elements)))
		}
		elements = append(elements, v)
		switch d.next() {
		case ',':
			d.pos++
		case ']':
			more = false
		default:
			return nil, d.malformed()
		}
	}
	d.depth++
	d.pos++
	return elements, true
}
