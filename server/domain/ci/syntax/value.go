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

// value is a node of a CI file, with aliases and merge keys resolved. Values are shared and never changed, so a few
// lines of aliases stay a few values, however long they would be if expanded. Weight is the expanded length.
type value struct {
	kind    kind
	text    string // of a scalar, as written
	items   []*value
	entries []entry
	index   map[string]int // index of entries by key, if there are many
	at      position
	weight  int
	depth   int
}

type entry struct {
	key   string
	at    position
	value *value
}

const (
	maxWeight = 8 << 20 // limit for the expanded configuration, roughly in bytes
	maxDepth  = 100
	indexFrom = 8 // with fewer entries, a loop is faster
)

func newScalar(k kind, s string, at position) *value {
	return &value{kind: k, text: s, at: at, weight: 8 + len(s), depth: 1}
}

func newList(items []*value, at position) *value {
	v := &value{kind: list, items: items, at: at, weight: 8, depth: 1}
	for _, item := range items {
		v.hold(item)
	}
	return v
}

func newDict(entries []entry, at position) *value {
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

// find returns the index of a key among the entries, or -1.
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

// get returns the value of a key. It returns nil if the key is missing or its value is null.
func (v *value) get(key string) *value {
	if i := v.find(key); i >= 0 && v.entries[i].value.kind != null {
		return v.entries[i].value
	}
	return nil
}

// without returns the dictionary without the given keys.
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

// short returns the value as written, shortened for a message.
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

// clip shortens a user's text for a message.
func clip(s string) string {
	const longest = 100
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}
