package main

import (
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

const (
	deprecatedSince = "x-deprecated-since" // the day, beside deprecated: true
	sunset          = "x-sunset"           // the day on which a deprecated operation ends, if it is known
)

// checkDeprecated refuses deprecated parts without a day, and days without a deprecated part.
func checkDeprecated(doc *yaml.Node) error {
	var failed error
	eachPart(doc, func(part *yaml.Node) {
		since, end := get(part, deprecatedSince), get(part, sunset)
		for _, day := range []*yaml.Node{since, end} {
			if day == nil || failed != nil {
				continue
			}
			if _, err := time.Parse(time.DateOnly, day.Value); err != nil {
				failed = fmt.Errorf("line %d: %q is not a day", day.Line, day.Value)
			}
		}
		if failed == nil && isDeprecated(part) != (since != nil) {
			failed = fmt.Errorf("line %d: deprecated: true and %s belong together", part.Line, deprecatedSince)
		}
		if failed == nil && end != nil && since == nil {
			failed = fmt.Errorf("line %d: %s belongs to deprecated: true", end.Line, sunset)
		}
	})
	return failed
}

func isDeprecated(part *yaml.Node) bool {
	mark := get(part, "deprecated")
	return mark != nil && mark.Value == "true"
}

// addDeprecationHeaders adds the headers of deprecated operations, parameters and members to the successful responses of
// a document. The document is only published: the generated code does not know these headers, since middleware sets them.
func (j *joiner) addDeprecationHeaders(doc *yaml.Node) error {
	var failed error
	operations(doc, func(_, _ string, item, op *yaml.Node) {
		var names []string
		switch {
		case isDeprecated(op) && get(op, sunset) != nil:
			names = []string{"Deprecation", "Sunset", "Link"}
		case isDeprecated(op), hasDeprecatedInput(doc, item, op):
			names = []string{"Deprecation", "Link"}
		default:
			return
		}
		responses := get(op, "responses")
		for i := 0; i+1 < len(responses.Content); i += 2 {
			response := responses.Content[i+1]
			if !strings.HasPrefix(responses.Content[i].Value, "2") || get(response, "$ref") != nil {
				continue
			}
			if err := j.addHeaders(response, names); err != nil {
				failed = err
			}
		}
	})
	return failed
}

// addHeaders adds headers to a response that does not have them yet.
func (j *joiner) addHeaders(response *yaml.Node, names []string) error {
	headers := headersOf(response)
	for _, name := range names {
		if get(headers, name) != nil {
			continue
		}
		part := name
		if name == "Link" {
			part = "DeprecationLink"
		}
		target, err := j.component(j.root, "headers.yaml#/"+part)
		if err != nil {
			return err
		}
		set(headers, name, ref(target))
	}
	return nil
}

// hasDeprecatedInput reports whether a parameter, or a member of the body, is deprecated.
func hasDeprecatedInput(doc, item, op *yaml.Node) (has bool) {
	components := get(doc, "components")
	for _, list := range []*yaml.Node{get(item, "parameters"), get(op, "parameters")} {
		if list == nil {
			continue
		}
		for _, p := range list.Content {
			if target := get(p, "$ref"); target != nil {
				p = get(get(components, "parameters"), target.Value[strings.LastIndex(target.Value, "/")+1:])
			}
			has = has || isDeprecated(p)
		}
	}
	body := get(get(get(get(op, "requestBody"), "content"), "application/json"), "schema")
	if target := get(body, "$ref"); target != nil {
		body = get(get(components, "schemas"), strings.TrimPrefix(target.Value, schemaPrefix))
	}
	members(body, func(member *yaml.Node) { has = has || isDeprecated(member) })
	return has
}
