package syntax

import (
	"slices"
	"strings"
)

// maxReferences is the largest depth of nested references.
const maxReferences = 10

// resolveReferences replaces each !reference [job, key…] with the value that it names.
func (p *problems) resolveReferences(root *value) *value {
	r := referrer{problems: p, root: root, plain: map[*value]bool{}, done: map[*value]*value{}}
	resolved := r.resolve(root)
	if resolved.weight > maxWeight || resolved.depth > maxDepth {
		p.fail(root.at, "The parsed YAML is too big")
	}
	return resolved
}

type referrer struct {
	*problems
	root  *value
	chain []string        // the chain of references that led here, as text
	plain map[*value]bool // values without references; values are shared, so this avoids walking them again
	done  map[*value]*value
	spent int // weight of the values that were inserted so far
}

func (r *referrer) resolve(v *value) *value {
	switch {
	case r.spent > maxWeight || v.isScalar() || v.kind == null || r.plain[v]:
		return v
	case v.kind == tagged:
		return r.follow(v)
	}
	if done, ok := r.done[v]; ok {
		return done
	}
	if !r.holdsReference(v) {
		return v
	}
	resolved := r.rebuild(v)
	r.done[v] = resolved
	return resolved
}

// rebuild returns a list or dictionary with its references resolved.
func (r *referrer) rebuild(v *value) *value {
	if v.kind == list {
		items := make([]*value, len(v.items))
		for i, item := range v.items {
			items[i] = r.resolve(item)
		}
		return newList(items, v.at)
	}
	entries := make([]entry, len(v.entries))
	for i, e := range v.entries {
		e.value = r.resolve(e.value)
		entries[i] = e
	}
	return newDict(entries, v.at)
}

func (r *referrer) holdsReference(v *value) bool {
	if r.plain[v] {
		return false
	}
	if v.kind == tagged {
		return true
	}
	for _, item := range v.items {
		if r.holdsReference(item) {
			return true
		}
	}
	for _, e := range v.entries {
		if r.holdsReference(e.value) {
			return true
		}
	}
	if v.kind >= list {
		r.plain[v] = true
	}
	return false
}

func (r *referrer) follow(v *value) *value {
	nothing := newScalar(null, "", v.at)
	written := "!reference " + quoted(v)
	switch {
	case slices.Contains(r.chain, written):
		r.fail(v.at, "%s is part of a circular chain", written)
		return nothing
	case len(r.chain) >= maxReferences:
		r.fail(v.at, "%s is nested too deeply; %d levels are allowed", written, maxReferences)
		return nothing
	}
	r.chain = append(r.chain, written)
	defer func() { r.chain = r.chain[:len(r.chain)-1] }()
	target := r.target(v)
	if target == nil {
		r.fail(v.at, "%s could not be found", written)
		return nothing
	}
	resolved := r.resolve(target)
	if r.spent += resolved.weight; r.spent > maxWeight {
		r.fail(v.at, "The parsed YAML is too big")
	}
	return resolved
}

// target follows the path of a reference, also through other references. It returns nil if there is no such value.
func (r *referrer) target(v *value) *value {
	target := r.root
	for _, step := range v.items {
		if target.kind == tagged {
			target = r.follow(target)
		}
		if target = target.get(step.text); target == nil || !step.isScalar() {
			return nil
		}
	}
	if target == r.root {
		return nil
	}
	return target
}

// quoted writes the path of a reference for messages.
func quoted(v *value) string {
	steps := make([]string, len(v.items))
	for i, step := range v.items {
		steps[i] = `"` + step.short() + `"`
	}
	return "[" + strings.Join(steps, ", ") + "]"
}
