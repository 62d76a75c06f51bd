package syntax

import (
	"slices"
	"strings"
)

type kind uint8

const (
	null kind = iota
	boolean
	integer
	decimal
	text
	list
	dict
	tagged // !reference [items…]
)

// value is a node of a CI file after aliases and merge keys were followed. Values are shared and never changed, so that a
// few lines of aliases stay a few values, however long they would be written out; weight is that length.
type value struct {
	kind    kind
	text    string // of a scalar, as it was written
	items   []*value
	entries []entry
	index   map[string]int // of entries, when there are many
	at      mark
	weight  int
	depth   int
}

type entry struct {
	key   string
	at    mark
	value *value
}

const (
	maxWeight = 8 << 20 // of a whole configuration written out, in bytes or so
	maxDepth  = 100
	indexFrom = 8 // entries; below that a loop is quicker
)

func newScalar(k kind, s string, at mark) *value {
	return &value{kind: k, text: s, at: at, weight: 8 + len(s), depth: 1}
}

func newList(items []*value, at mark) *value {
	v := &value{kind: list, items: items, at: at, weight: 8, depth: 1}
	for _, item := range items {
		v.hold(item)
	}
	return v
}

func newDict(entries []entry, at mark) *value {
	v := &value{kind: dict, entries: entries, at: at, weight: 8, depth: 1}
	if len(entries) >= indexFrom {
		v.index = make(map[string]int, len(entries))
	}
	for i, e := range entries {
		v.weight += len(e.key)
		v.hold(e.value)
		if v.index != nil {
			v.index[e.key] = i
		}
	}
	return v
}

func (v *value) hold(inner *value) {
	v.weight = min(v.weight+inner.weight, 2*maxWeight) // never overflows, however deep the aliases
	v.depth = max(v.depth, inner.depth+1)
}

// find is the place of a key among the entries, -1 if it is not there.
func (v *value) find(key string) int {
	if v == nil {
		return -1
	}
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range v.entries {
		if v.entries[i].key == key {
			return i
		}
	}
	return -1
}

// get is what a dictionary has under a key, nil for nothing and for null.
func (v *value) get(key string) *value {
	if i := v.find(key); i >= 0 && v.entries[i].value.kind != null {
		return v.entries[i].value
	}
	return nil
}

// without is the dictionary with these keys left out.
func (v *value) without(keys ...string) *value {
	kept := make([]entry, 0, len(v.entries))
	for _, e := range v.entries {
		if !slices.Contains(keys, e.key) {
			kept = append(kept, e)
		}
	}
	return newDict(kept, v.at)
}

func (v *value) isScalar() bool { return v.kind >= boolean && v.kind <= text }

// short is the value for a message: what a person wrote, cut.
func (v *value) short() string {
	switch v.kind {
	case list, tagged:
		parts := make([]string, 0, len(v.items))
		for _, item := range v.items {
			if len(parts) == 10 {
				parts = append(parts, "…")
				break
			}
			parts = append(parts, item.short())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case dict:
		return "{…}"
	}
	return clip(v.text)
}

// clip cuts a caller's text for a message.
func clip(s string) string {
	const longest = 100
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}
