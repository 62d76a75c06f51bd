package syntax

import (
	"slices"
	"strings"
)

// maxExtends is the largest number of levels of extends below a job.
const maxExtends = 11

// extend merges every job with the jobs that it extends.
func (p *problems) extend(root *value) *value {
	x := extender{problems: p, root: root, done: map[string]extended{}}
	entries := make([]entry, len(root.entries))
	for i, e := range root.entries {
		e.value = x.resolve(e.key).value
		entries[i] = e
	}
	whole := newDict(entries, root.at)
	if whole.weight > maxWeight {
		p.fail(root.at, "The parsed YAML is too big")
	}
	return whole
}

type extender struct {
	*problems
	root  *value
	done  map[string]extended
	chain []string
}

// extended is a job merged with the jobs that it extends, and the number of levels below it.
type extended struct {
	value  *value
	levels int
}

// resolve returns a job merged over the jobs that it extends. Among those, later ones override earlier ones.
func (x *extender) resolve(name string) extended {
	e := x.root.entries[x.root.find(name)]
	if e.value.kind != dict || e.value.find("extends") < 0 {
		return extended{e.value, 0}
	}
	if done, ok := x.done[name]; ok {
		return done
	}
	if slices.Contains(x.chain, name) {
		x.fail(e.at, "%s: circular dependency detected in `extends`", clip(name))
		return extended{e.value, 0}
	}
	if len(x.chain) > maxExtends {
		x.fail(e.at, "%s: nesting too deep in `extends`", clip(name))
		return extended{e.value, 0}
	}
	x.chain = append(x.chain, name)
	var below *value
	levels := 0
	for _, base := range x.bases(name, e.value) {
		resolved := x.resolve(base)
		below = merge(below, resolved.value)
		if levels = max(levels, resolved.levels+1); below.weight > maxWeight {
			break
		}
	}
	x.chain = x.chain[:len(x.chain)-1]
	if levels > maxExtends {
		x.fail(e.at, "%s: nesting too deep in `extends`", clip(name))
	}
	if below != nil && below.kind == dict {
		below = below.without("extends")
	}
	result := extended{merge(below, e.value.without("extends")), levels}
	x.done[name] = result
	return result
}

// bases returns the names in extends that exist.
func (x *extender) bases(name string, job *value) []string {
	v := job.entries[job.find("extends")].value
	var bases, unknown []string
	items := []*value{v}
	if v.kind == list {
		items = v.items
	}
	for _, item := range items {
		switch {
		case item.kind == null && v.kind != list:
		case !item.isScalar():
			x.fail(v.at, "jobs:%s:extends config should be an array of strings or a string", clip(name))
			return nil
		case x.root.find(item.text) < 0:
			unknown = append(unknown, clip(item.text))
		case x.root.entries[x.root.find(item.text)].value.kind != dict:
			x.fail(item.at, "%s: invalid base hashes in `extends` (%s)", clip(name), clip(item.text))
		default:
			bases = append(bases, item.text)
		}
	}
	if unknown != nil {
		x.fail(v.at, "%s: unknown keys in `extends` (%s)", clip(name), strings.Join(unknown, ", "))
	}
	return bases
}
