package operations

import (
	"fmt"
	"slices"
	"strings"

	"svc/openapi/ordered"
)

// Field is one input of a form.
type Field struct {
	In, Name  string // In is path, query, header or body
	Kind      Kind
	Required  bool
	Comma     bool // several values are sent as one text with commas, not as name[]=a&name[]=b
	About     Prose
	Type      string // for people
	Value     string // what the input has at first
	Hint      string // an example, shown in an empty input
	Options   []string
	Min, Max  string
	MaxLength string
}

// Kind is the kind of an input.
type Kind string

// Kinds of inputs.
const (
	Text    Kind = "text"
	Number  Kind = "number"
	Date    Kind = "date"
	Boolean Kind = "boolean"
	Choice  Kind = "choice"  // one of the options
	Choices Kind = "choices" // any of the options
	Lines   Kind = "lines"   // a list, one value a line
	Pairs   Kind = "pairs"   // an object with any members, one name=value a line
	File    Kind = "file"
)

// ID names an input on its page.
func (f Field) ID() string { return f.In + "." + f.Name }

// parameter returns the inputs of a parameter: one, or one for each member of an object.
func (x *Index) parameter(param *ordered.Object, values map[string]string) ([]Field, error) {
	schema, err := x.schema(param, "schema")
	if err != nil {
		return nil, err
	}
	in, name := param.Text("in"), param.Text("name")
	if properties := schema.Object("properties"); properties != nil {
		fields, err := x.members(in, schema)
		for i := range fields {
			fields[i].Name = name + "[" + fields[i].Name + "]"
			fields[i].Required = fields[i].Required && isTrue(param, "required")
		}
		return fields, err
	}
	f, err := x.field(in, name, schema)
	if err != nil {
		return nil, fmt.Errorf("the parameter %s: %w", name, err)
	}
	f.Required = isTrue(param, "required")
	if about := param.Text("description"); about != "" {
		f.About = line(about)
	}
	if example := plain(param.Get("example")); example != "" {
		f.Hint = example
	}
	if f.Required {
		f.Value = f.Hint
		if called := values[f.ID()]; called != "" {
			f.Value = called
		}
	}
	return []Field{f}, nil
}

// members returns the inputs of the members of an object.
func (x *Index) members(in string, schema *ordered.Object) ([]Field, error) {
	var fields []Field
	properties := schema.Object("properties")
	if properties == nil {
		return nil, nil
	}
	for _, name := range properties.Names {
		member, err := x.schema(properties, name)
		if err != nil {
			return nil, err
		}
		f, err := x.field(in, name, member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.Required = slices.Contains(schema.List("required"), any(name))
		fields = append(fields, f)
	}
	return fields, nil
}

// field returns the input for a value of a schema.
func (x *Index) field(in, name string, schema *ordered.Object) (Field, error) {
	f := Field{
		In: in, Name: name, Kind: kindOf(schema), Type: typeName(schema), About: line(schema.Text("description")),
		Comma: isTrue(schema, "x-comma-separated"), Options: texts(schema.List("enum")), Hint: plain(schema.Get("example")),
		Min: plain(schema.Get("minimum")), Max: plain(schema.Get("maximum")), MaxLength: plain(schema.Get("maxLength")),
	}
	if schema.Text("type") != "array" {
		return f, nil
	}
	items, err := x.schema(schema, "items")
	if err != nil {
		return f, err
	}
	f.Type = "list of " + typeName(items)
	f.Options = texts(items.List("enum"))
	switch {
	case len(f.Options) > 0:
		f.Kind = Choices
	case f.Comma:
		f.Kind = Text
		f.Type += ", separated by commas"
		f.Hint = strings.Join(texts(schema.List("example")), ",")
	default:
		f.Kind = Lines
		f.Type += ", one a line"
		f.Hint = strings.Join(texts(schema.List("example")), "\n")
	}
	return f, nil
}

func kindOf(schema *ordered.Object) Kind {
	switch {
	case len(schema.List("enum")) > 0:
		return Choice
	case schema.Text("format") == "binary":
		return File
	case schema.Text("format") == "date":
		return Date
	}
	switch schema.Text("type") {
	case "integer", "number":
		return Number
	case "boolean":
		return Boolean
	case "object":
		return Pairs
	}
	return Text
}

// typeName names a type for people.
func typeName(schema *ordered.Object) string {
	name, format := schema.Text("type"), schema.Text("format")
	switch {
	case name == "" && (schema.List("oneOf") != nil || schema.List("anyOf") != nil):
		var names []string
		for _, part := range slices.Concat(schema.List("oneOf"), schema.List("anyOf")) {
			if one := typeName(asObject(part)); !slices.Contains(names, one) {
				names = append(names, one)
			}
		}
		return strings.Join(names, " or ")
	case name == "":
		return "any value"
	case format == "binary":
		return "file"
	case name == "string" && format != "":
		return format
	}
	return name
}
