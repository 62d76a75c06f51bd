package main

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// protocol is the extension of operations that belong to another protocol, such as git. Readers find them in the
// published document as they are written: no handlers are generated for them, and their requests are not validated.
const protocol = "x-protocol"

// isProtocol reports whether the operations of a path belong to another protocol.
func isProtocol(item map[string]any) bool {
	for _, part := range item {
		if op, ok := part.(map[string]any); ok && op[protocol] != nil {
			return true
		}
	}
	return false
}

// dropProtocols removes the operations of other protocols, and the schemas that only they use.
func dropProtocols(doc *yaml.Node) {
	found := map[*yaml.Node]bool{}
	operations(doc, func(_, _ string, item, op *yaml.Node) {
		if get(op, protocol) != nil {
			found[item] = true
		}
	})
	drop(get(doc, "paths"), func(_ string, item *yaml.Node) bool { return !found[item] })
	components := get(doc, "components")
	used := map[string]bool{}
	references(components, get(doc, "paths"), used)
	if schemas := get(components, "schemas"); schemas != nil {
		drop(schemas, func(name string, _ *yaml.Node) bool { return used["#/components/schemas/"+name] })
	}
}

// references collects the references below a node, and below their targets.
func references(components, n *yaml.Node, used map[string]bool) {
	if target := get(n, "$ref"); target != nil && !used[target.Value] {
		used[target.Value] = true
		kind, name, _ := strings.Cut(strings.TrimPrefix(target.Value, "#/components/"), "/")
		references(components, get(get(components, kind), name), used)
	}
	if n == nil {
		return
	}
	for _, child := range n.Content {
		references(components, child, used)
	}
}
