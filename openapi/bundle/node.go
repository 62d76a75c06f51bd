package main

import (
	"fmt"
	"sort"

	"go.yaml.in/yaml/v4"
)

func get(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

func set(m *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content[i+1] = value
			return
		}
	}
	m.Content = append(m.Content, text(key), value)
}

func drop(m *yaml.Node, keep func(key string, value *yaml.Node) bool) {
	kept := m.Content[:0]
	for i := 0; i+1 < len(m.Content); i += 2 {
		if keep(m.Content[i].Value, m.Content[i+1]) {
			kept = append(kept, m.Content[i], m.Content[i+1])
		}
	}
	m.Content = kept
}

func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func list(values ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: values}
}

func ref(target string) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	set(m, "$ref", text(target))
	return m
}

// value turns a Go value of a plain kind into a node.
func value(v any) *yaml.Node {
	n := &yaml.Node{}
	if err := n.Encode(v); err != nil {
		panic(err) // it is only called with literals
	}
	n.Style = yaml.FlowStyle
	return n
}

func clone(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = clone(child)
	}
	return &c
}

func sortMapping(m *yaml.Node) {
	type pair struct{ k, v *yaml.Node }
	pairs := make([]pair, 0, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		pairs = append(pairs, pair{m.Content[i], m.Content[i+1]})
	}
	sort.Slice(pairs, func(a, b int) bool { return pairs[a].k.Value < pairs[b].k.Value })
	for i, p := range pairs {
		m.Content[2*i], m.Content[2*i+1] = p.k, p.v
	}
}

func noDuplicates(m *yaml.Node, path string) error {
	seen := map[string]int{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		k := m.Content[i]
		if line, ok := seen[k.Value]; ok {
			return fmt.Errorf("%s:%d: %s is already on line %d", path, k.Line, k.Value, line)
		}
		seen[k.Value] = k.Line
	}
	return nil
}

// operations calls f for every operation of the document.
func operations(doc *yaml.Node, f func(path, method string, item, op *yaml.Node)) {
	paths := get(doc, "paths")
	for i := 0; i+1 < len(paths.Content); i += 2 {
		item := paths.Content[i+1]
		for k := 0; k+1 < len(item.Content); k += 2 {
			switch method := item.Content[k].Value; method {
			case "get", "put", "post", "delete", "patch", "head", "options":
				f(paths.Content[i].Value, method, item, item.Content[k+1])
			}
		}
	}
}
