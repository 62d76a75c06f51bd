package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"svc/openapi/ordered"
)

// object writes the members of a schema.
func (w *writer) object(b *bytes.Buffer, page, name string) {
	schema := w.schema(name)
	fmt.Fprintf(b, "\n### %s\n", name)
	if about := strings.TrimSpace(text(schema, "description")); about != "" {
		fmt.Fprintf(b, "\n%s\n", about)
	}
	w.members(b, page, schema)
}

// members writes the table of the members of an object.
func (w *writer) members(b *bytes.Buffer, page string, schema *ordered.Object) {
	properties := schema.Object("properties")
	if properties == nil {
		return
	}
	required := schema.List("required")
	b.WriteString("\n| Member | Type | About |\n|---|---|---|\n")
	for _, name := range properties.Names {
		member := properties.Object(name)
		label := "`" + name + "`"
		if slices.Contains(required, any(name)) {
			label += " (required)"
		}
		about := text(member, "description")
		if ref, ok := strings.CutPrefix(text(member, "$ref"), "#/components/schemas/"); ok {
			about = text(w.schema(ref), "description")
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", label, w.typeOf(page, member), cell(about))
	}
}

// typeOf names the type of a schema for a page, so that links to the page itself are short.
func (w *writer) typeOf(page string, value any) string {
	schema, ok := value.(*ordered.Object)
	if !ok {
		return "anything"
	}
	if name, ok := strings.CutPrefix(text(schema, "$ref"), "#/components/schemas/"); ok {
		return w.named(page, name)
	}
	name := w.plainType(page, schema)
	if limits := limitsOf(schema); limits != "" {
		name += ", " + limits
	}
	if schema.Get("nullable") == true {
		name += ", or null"
	}
	return name
}

// named returns the type of a schema with a name: a link to an object, or what it is.
func (w *writer) named(page, name string) string {
	schema := w.schema(name)
	if schema.Object("properties") == nil {
		return w.typeOf(page, schema)
	}
	target := ""
	if home := w.objects[w.home[name]]; home != page {
		target = home + ".md"
	}
	return fmt.Sprintf("[%s](%s#%s)", name, target, anchor(name))
}

func (w *writer) plainType(page string, schema *ordered.Object) string {
	for _, composition := range []string{"oneOf", "anyOf", "allOf"} {
		if parts := schema.List(composition); parts != nil {
			var names []string
			for _, part := range parts {
				names = append(names, w.typeOf(page, part))
			}
			return strings.Join(names, map[bool]string{true: " with ", false: " or "}[composition == "allOf"])
		}
	}
	if values := schema.List("enum"); values != nil {
		var names []string
		for _, v := range values {
			if v != nil {
				names = append(names, fmt.Sprintf("`%v`", v))
			}
		}
		return strings.Join(names, ", ")
	}
	switch kind := text(schema, "type"); kind {
	case "array":
		return "list of " + w.typeOf(page, schema.Get("items"))
	case "":
		return "anything"
	case "string":
		if format := text(schema, "format"); format != "" {
			return format
		}
		return "string"
	default:
		return kind
	}
}

// limitsOf returns the rules of a schema that a caller must keep.
func limitsOf(schema *ordered.Object) string {
	var limits []string
	for _, rule := range [][2]string{
		{"minimum", "at least %v"},
		{"maximum", "at most %v"},
		{"minLength", "at least %v characters"},
		{"maxLength", "at most %v characters"},
		{"maxItems", "at most %v"},
		{"default", "`%v` by default"},
	} {
		if value := schema.Get(rule[0]); value != nil && fmt.Sprint(rule[0], value) != "minLength1" {
			limits = append(limits, fmt.Sprintf(rule[1], value))
		}
	}
	return strings.Join(limits, ", ")
}
