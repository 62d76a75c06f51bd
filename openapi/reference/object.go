package reference

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"svc/openapi/ordered"
)

// object returns the section of an object.
func (w *writer) object(page, name string) []byte {
	var b bytes.Buffer
	schema := w.schema(name)
	fmt.Fprintf(&b, "\n### %s\n", name)
	if about := strings.TrimSpace(schema.Text("description")); about != "" {
		b.WriteString("\n")
		paragraph(&b, about)
	}
	w.members(&b, page, schema)
	return b.Bytes()
}

// isObject reports whether a schema has members that the reference lists.
func (w *writer) isObject(schema *ordered.Object) bool {
	is, known := w.isObjectKnown[schema]
	if !known {
		names, _, _ := w.membersOf(schema)
		is = len(names) > 0
		w.isObjectKnown[schema] = is
	}
	return is
}

// membersOf returns the names and schemas of the members of an object, and those that are required. The parts of an
// allOf count as one object.
func (w *writer) membersOf(schema *ordered.Object) ([]string, map[string]any, map[string]bool) {
	if name, ok := reference(schema); ok {
		schema = w.schema(name)
	}
	if schema == nil {
		return nil, nil, nil
	}
	var names []string
	members, required := map[string]any{}, map[string]bool{}
	for _, part := range schema.List("allOf") {
		p, _ := part.(*ordered.Object)
		inner, schemas, needed := w.membersOf(p)
		for _, name := range inner {
			if members[name] == nil {
				names = append(names, name)
			}
			members[name] = schemas[name]
			required[name] = required[name] || needed[name]
		}
	}
	properties := schema.Object("properties")
	if properties != nil {
		for _, name := range properties.Names {
			if members[name] == nil {
				names = append(names, name)
			}
			members[name] = properties.Get(name)
		}
	}
	for _, name := range schema.List("required") {
		required[fmt.Sprint(name)] = true
	}
	return names, members, required
}

// members writes the table of the members of an object.
func (w *writer) members(b *bytes.Buffer, page string, schema *ordered.Object) {
	names, members, required := w.membersOf(schema)
	if len(names) == 0 {
		return
	}
	b.WriteString("\n| Member | Type | About |\n|---|---|---|\n")
	for _, name := range names {
		member, _ := members[name].(*ordered.Object)
		label := "`" + name + "`"
		if required[name] {
			label += " (required)"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", label, w.typeOf(page, member), cell(w.about(member)+deprecation(member)))
	}
}

// about returns what the document says about a member: its own words, or those of the schema that it refers to.
func (w *writer) about(member *ordered.Object) string {
	if own := member.Text("description"); own != "" {
		return own
	}
	if name, ok := reference(member); ok {
		return w.schema(name).Text("description")
	}
	return ""
}

// typeOf names the type of a schema for a page, so that links to the page itself are short.
func (w *writer) typeOf(page string, value any) string {
	schema, ok := value.(*ordered.Object)
	if !ok || schema == nil {
		return "anything"
	}
	if name, ok := reference(schema); ok {
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
	if !w.isObject(schema) {
		return w.typeOf(page, schema)
	}
	target := ""
	if home := w.objectPage[name]; home != page {
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
			joint := " or "
			if composition == "allOf" {
				joint = " with "
			}
			return strings.Join(slices.Compact(names), joint)
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
	switch kind := schema.Text("type"); kind {
	case "array":
		return "list of " + w.typeOf(page, schema.Get("items"))
	case "":
		return "anything"
	case "string":
		if format := schema.Text("format"); format != "" {
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
