package main

import (
	"maps"

	"go.yaml.in/yaml/v4"
)

// A parameter or member that takes an ID or a name is published as a number or a text, so that clients can pass both.
// The service reads it as a text: middleware turns a number in a body into a text, and a URL contains only texts.

// numbersAsText lets the Go code get such values as texts.
func numbersAsText(n *yaml.Node) {
	if asText := textAlternative(get(n, "anyOf")); asText != nil && get(n, "x-go-type") == nil {
		drop(n, func(key string, _ *yaml.Node) bool { return key != "anyOf" })
		for i := 0; i+1 < len(asText.Content); i += 2 {
			set(n, asText.Content[i].Value, asText.Content[i+1])
		}
	}
	for _, child := range n.Content {
		numbersAsText(child)
	}
}

// textAlternative returns the second of two alternatives, if these are a number and a text.
func textAlternative(alternatives *yaml.Node) *yaml.Node {
	if alternatives == nil || len(alternatives.Content) != 2 {
		return nil
	}
	first, second := get(alternatives.Content[0], "type"), get(alternatives.Content[1], "type")
	if first == nil || second == nil || first.Value != "integer" || second.Value != "string" {
		return nil
	}
	return alternatives.Content[1]
}

// numberAsText is numbersAsText for one schema of the view by which requests are validated.
func numberAsText(schema map[string]any) map[string]any {
	alternatives, _ := schema["anyOf"].([]any)
	if len(alternatives) != 2 {
		return schema
	}
	number, _ := alternatives[0].(map[string]any)
	asText, _ := alternatives[1].(map[string]any)
	if number["type"] != "integer" || asText["type"] != "string" {
		return schema
	}
	out := maps.Clone(schema)
	delete(out, "anyOf")
	maps.Copy(out, asText)
	return out
}
