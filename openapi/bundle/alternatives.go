package main

import (
	"maps"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A parameter or member that takes an ID or a name is published as a number or a text, and one that takes one value or
// several as a value or a list, so that clients can pass both. The service reads the last of these alternatives:
// middleware turns a number in a body into a text and one value into a list, and a URL contains only texts.

// readAsLast lets the Go code get such values as the last alternative.
func readAsLast(n *yaml.Node) {
	if last := lastAlternative(get(n, "anyOf")); last != nil && get(n, "x-go-type") == nil {
		drop(n, func(key string, _ *yaml.Node) bool { return key != "anyOf" })
		for i := 0; i+1 < len(last.Content); i += 2 {
			set(n, last.Content[i].Value, last.Content[i+1])
		}
	}
	for _, child := range n.Content {
		readAsLast(child)
	}
}

func lastAlternative(alternatives *yaml.Node) *yaml.Node {
	if alternatives == nil {
		return nil
	}
	var types []string
	for _, alternative := range alternatives.Content {
		kind := get(alternative, "type")
		if kind == nil {
			return nil
		}
		types = append(types, kind.Value)
	}
	if !isReadAsLast(types) {
		return nil
	}
	return alternatives.Content[len(types)-1]
}

// lastOf is readAsLast for one schema of the view by which requests are validated.
func lastOf(schema map[string]any) map[string]any {
	alternatives, _ := schema["anyOf"].([]any)
	var types []string
	for _, alternative := range alternatives {
		part, _ := alternative.(map[string]any)
		kind, _ := part["type"].(string)
		types = append(types, kind)
	}
	if !isReadAsLast(types) {
		return schema
	}
	out := maps.Clone(schema)
	delete(out, "anyOf")
	maps.Copy(out, alternatives[len(types)-1].(map[string]any))
	return out
}

// isReadAsLast reports whether alternatives with these types are a number or a text, or one of them or a list.
func isReadAsLast(types []string) bool {
	switch strings.Join(types, " ") {
	case "integer string", "integer string array", "string array":
		return true
	}
	return false
}
