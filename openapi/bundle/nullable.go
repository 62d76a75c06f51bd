package main

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// typeNullables gives every nullable schema a type, because OpenAPI 3.0 defines nullable only beside one. A schema that
// only refers to another one gets the type of that one; of several alternatives, each becomes nullable.
func typeNullables(components, n *yaml.Node) {
	if nullable := get(n, "nullable"); nullable != nil && nullable.Value == "true" && get(n, "type") == nil {
		typeNullable(components, n)
	}
	for _, child := range n.Content {
		typeNullables(components, child)
	}
}

func typeNullable(components, n *yaml.Node) {
	if all := get(n, "allOf"); all != nil && len(all.Content) == 1 {
		target := get(all.Content[0], "$ref")
		if target == nil {
			return
		}
		name := strings.TrimPrefix(target.Value, "#/components/schemas/")
		if kind := get(get(get(components, "schemas"), name), "type"); kind != nil {
			set(n, "type", clone(kind))
		}
		return
	}
	alternatives := get(n, "anyOf")
	if alternatives == nil {
		return
	}
	for _, alternative := range alternatives.Content {
		if get(alternative, "type") != nil {
			set(alternative, "nullable", value(true))
		}
	}
	drop(n, func(key string, _ *yaml.Node) bool { return key != "nullable" })
}
