package fold

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// reservedMembers is the largest number of members for which the top level reserves space; a longer list of pairs usually
// contains lists.
const reservedMembers = 32

// Nest builds the nested value that names with brackets describe: a, a[], a[k], list[][key], where a repeated key
// starts the next element, and list[0][key], which becomes an array ordered by index if the schema has one. Leaves are
// texts. A name with malformed brackets is kept as it is; no schema declares such a name.
func Nest(pairs []Pair, schema *openapi3.Schema, limits Limits) (map[string]any, error) {
	limits = limits.filled()
	root := make(map[string]any, min(len(pairs), reservedMembers))
	n := nester{schema: schema, depth: limits.Depth, left: limits.Values}
	for i := range pairs {
		if i == limits.Values {
			return nil, &Error{Reason: tooMany}
		}
		if reason := n.put(root, &pairs[i]); reason == tooMany {
			return nil, &Error{Reason: reason}
		} else if reason != "" {
			return nil, refuse(pairs[i].Name, reason)
		}
	}
	if n.nested {
		for name, v := range root {
			if _, leaf := v.(string); !leaf {
				root[name] = settle(v, memberOf(schema, name))
			}
		}
	}
	return root, nil
}

// nester puts pairs into a tree of strings, map[string]any and *list.
type nester struct {
	schema *openapi3.Schema
	depth  int
	left   int  // members and elements that may still be created
	nested bool // the top level contains more than texts
}

// list is an array under construction. It is used as a pointer, so that it can grow inside its parent.
type list struct {
	elements []any
	plain    bool // created by repeating a name without brackets
}

// place is a position for a value: a member of a map or an element of a list.
type place struct {
	members map[string]any
	key     string
	list    *list
	index   int
}

func (p place) get() any {
	if p.list != nil {
		return p.list.elements[p.index]
	}
	return p.members[p.key]
}

func (p place) set(v any) {
	if p.list != nil {
		p.list.elements[p.index] = v
		return
	}
	p.members[p.key] = v
}

// put returns why the pair cannot be placed, "" if it was placed.
func (n *nester) put(root map[string]any, pair *Pair) string {
	// Multipart fields do not go through ParseQuery.
	if !storable(pair.Name) || !storable(pair.Value) {
		return isInvalid
	}
	base, rest := splitName(pair.Name)
	if base == "" {
		return ""
	}
	if 1+strings.Count(rest, "[") > n.depth {
		return isTooDeep
	}
	p := place{members: root, key: base}
	for rest != "" {
		n.nested = true
		var step, reason string
		step, rest = cutStep(rest)
		if step == "" {
			p, reason = n.element(p, rest)
		} else {
			p, reason = n.member(p, step)
		}
		if reason != "" {
			return reason
		}
	}
	return n.leaf(p, pair)
}

// splitName splits "a[b][]" into "a" and "[b][]". A name that does not have this form has no second part.
func splitName(name string) (base, rest string) {
	open := strings.IndexByte(name, '[')
	if open <= 0 || strings.IndexByte(name[:open], ']') >= 0 {
		return name, ""
	}
	inside := false
	for i := open; i < len(name); i++ {
		switch c := name[i]; {
		case c == '[' || c == ']':
			if inside == (c == '[') {
				return name, ""
			}
			inside = !inside
		case !inside:
			return name, ""
		}
	}
	if inside {
		return name, ""
	}
	return name[:open], name[open:]
}

// cutStep removes the first step of "[b][c]".
func cutStep(path string) (step, rest string) {
	end := strings.IndexByte(path, ']')
	return path[1:end], path[end+1:]
}

// fill puts a new value at an empty place; false if the limit is reached.
func (n *nester) fill(p place, v any) bool {
	if n.left == 0 {
		return false
	}
	n.left--
	p.set(v)
	return true
}

func (n *nester) member(p place, key string) (place, string) {
	members, ok := p.get().(map[string]any)
	if !ok {
		if p.get() != nil {
			return p, isInvalid
		}
		members = make(map[string]any)
		if !n.fill(p, members) {
			return p, tooMany
		}
	}
	return place{members: members, key: key}, ""
}

// element finds the list element for the rest of a name. Like Rails, it uses the last element as long as that does not
// contain the rest yet, otherwise a new one.
func (n *nester) element(p place, rest string) (place, string) {
	l, ok := p.get().(*list)
	if !ok {
		if p.get() != nil {
			return p, isInvalid
		}
		l = &list{}
		if !n.fill(p, l) {
			return p, tooMany
		}
	}
	if l.plain {
		return p, isInvalid
	}
	if last := len(l.elements) - 1; last >= 0 && open(l.elements[last], rest) {
		return place{list: l, index: last}, ""
	}
	l.elements = append(l.elements, nil)
	return place{list: l, index: len(l.elements) - 1}, ""
}

// open reports whether an element can still hold the rest of a name.
func open(element any, rest string) bool {
	if rest == "" {
		return false
	}
	if _, ok := element.(*list); ok {
		return strings.HasPrefix(rest, "[]")
	}
	v, ok := element.(map[string]any)
	if !ok || strings.HasPrefix(rest, "[]") {
		return false
	}
	if strings.Contains(rest, "[]") {
		return true
	}
	for rest != "" {
		var step string
		step, rest = cutStep(rest)
		inner, found := v[step]
		if !found {
			return true
		}
		if v, ok = inner.(map[string]any); !ok {
			// Either the same name again, or another shape, which the caller of open refuses.
			return rest != ""
		}
	}
	return false
}

func (n *nester) leaf(p place, pair *Pair) string {
	switch old := p.get().(type) {
	case nil:
		if !n.fill(p, pair.Value) {
			return tooMany
		}
		return ""
	case string:
		if arrayOf(n.schemaOf(pair.Name)) == nil {
			p.set(pair.Value)
			return ""
		}
		n.nested = true
		p.set(&list{elements: []any{old, pair.Value}, plain: true})
		return ""
	case *list:
		if old.plain {
			old.elements = append(old.elements, pair.Value)
			return ""
		}
	}
	return isInvalid
}

// schemaOf follows a name through the schema. Only a repeated name needs it, so put does not keep track of the schema.
func (n *nester) schemaOf(name string) *openapi3.Schema {
	base, rest := splitName(name)
	s := memberOf(n.schema, base)
	for rest != "" {
		var step string
		step, rest = cutStep(rest)
		if e := elementOf(s); e != nil && (step == "" || isIndex(step)) {
			s = e
		} else {
			s = memberOf(s, step)
		}
	}
	return s
}
