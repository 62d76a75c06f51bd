package operations

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"svc/openapi/examples"
	"svc/openapi/ordered"
)

// Body is the body of a request.
type Body struct {
	Kind     BodyKind
	Media    string
	Required bool
	Text     string  // of a JSON or raw body, as it is at first
	Fields   []Field // of a form
	Files    []Field // that can be sent with the members of a JSON body, as a form of several parts
	Members  []Member
}

// BodyKind is the way in which a body is written.
type BodyKind string

// Kinds of bodies.
const (
	JSON BodyKind = "json"
	Form BodyKind = "form" // fields, which may be files
	Raw  BodyKind = "raw"  // any text or file
)

// Member is a member of a JSON body.
type Member struct {
	Name, Type string
	Required   bool
	About      Prose
}

const (
	jsonMedia  = "application/json"
	formMedia  = "application/x-www-form-urlencoded"
	partsMedia = "multipart/form-data"
)

// body returns the body of an operation, or nil if it has none.
func (x *Index) body(op *ordered.Object, call examples.Example) (*Body, error) {
	part := op.Object("requestBody")
	if part == nil {
		return nil, nil
	}
	part, err := x.follow(part)
	if err != nil {
		return nil, err
	}
	content := part.Object("content")
	if content == nil || len(content.Names) == 0 {
		return nil, nil
	}
	b := &Body{Required: isTrue(part, "required")}
	for _, b.Media = range []string{jsonMedia, partsMedia, formMedia, content.Names[0]} {
		if content.Object(b.Media) != nil {
			break
		}
	}
	media := content.Object(b.Media)
	schema, err := x.schema(media, "schema")
	if err != nil {
		return nil, err
	}
	fields, err := x.members("body", schema)
	if err == nil && b.Media == jsonMedia {
		err = x.markFiles(fields, content.Object(partsMedia))
	}
	if err != nil {
		return nil, err
	}
	switch {
	case b.Media != jsonMedia && b.Media != formMedia && b.Media != partsMedia:
		b.Kind, b.Text = Raw, call.RequestText
		return b, nil
	case b.Media == jsonMedia && !onlyFiles(fields):
		return b, b.setJSON(x, media, schema, fields, call)
	}
	b.Kind, b.Fields = Form, fields
	if b.Media == jsonMedia { // JSON cannot carry the files
		b.Media = partsMedia
	}
	return b, b.fill(call)
}

// markFiles turns the members of a JSON body, where a file is Base64, into files if they are files in a form of several
// parts.
func (x *Index) markFiles(fields []Field, parts *ordered.Object) error {
	if parts == nil {
		return nil
	}
	schema, err := x.schema(parts, "schema")
	if err != nil {
		return err
	}
	others, err := x.members("body", schema)
	if err != nil {
		return err
	}
	for _, other := range others {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == other.Name })
		if other.Kind == File && i >= 0 {
			fields[i] = other
		}
	}
	return nil
}

func onlyFiles(fields []Field) bool {
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f Field) bool { return f.Kind != File })
}

// setJSON makes a JSON body with an example.
func (b *Body) setJSON(x *Index, media, schema *ordered.Object, fields []Field, call examples.Example) error {
	b.Kind = JSON
	for _, f := range fields {
		if f.Kind == File {
			b.Files = append(b.Files, f)
			continue
		}
		b.Members = append(b.Members, Member{Name: f.Name, Type: memberType(f), Required: f.Required, About: f.About})
	}
	example, err := x.example(media, schema, call)
	if err != nil {
		return err
	}
	b.Text, err = indent(example)
	return err
}

// memberType names the type of a member of a JSON body, where lists are JSON, too.
func memberType(f Field) string {
	name := f.Type
	if f.Kind == Lines || f.Comma {
		name, _, _ = strings.Cut(name, ", ")
	}
	if len(f.Options) > 0 {
		name = strings.Join(f.Options, ", ")
	}
	return name
}

// example returns the body of a true call, that of the document, or one with the required members.
func (x *Index) example(media, schema *ordered.Object, call examples.Example) (json.RawMessage, error) {
	if len(call.Request) > 0 {
		return call.Request, nil
	}
	for _, part := range []*ordered.Object{media, schema} {
		if value, ok := part.Lookup("example"); ok {
			return ordered.Marshal(value)
		}
	}
	value, err := x.sample(schema, 0)
	if err != nil {
		return nil, err
	}
	return ordered.Marshal(value)
}

// sample returns a value of a schema: its example, its default, or the simplest one, with the required members only.
func (x *Index) sample(schema *ordered.Object, depth int) (any, error) {
	for _, name := range []string{"example", "default"} {
		if value, ok := schema.Lookup(name); ok {
			return value, nil
		}
	}
	if values := schema.List("enum"); len(values) > 0 {
		return values[0], nil
	}
	switch schema.Text("type") {
	case "integer", "number":
		return json.Number("1"), nil
	case "boolean":
		return true, nil
	case "array":
		return x.sampleList(schema, depth)
	case "string":
		return sampleText(schema), nil
	}
	o, properties := ordered.New(), schema.Object("properties")
	if properties == nil || depth > 5 {
		return o, nil
	}
	for _, name := range texts(schema.List("required")) {
		member, err := x.schema(properties, name)
		if err != nil {
			return nil, err
		}
		if member.Text("format") == "binary" {
			continue
		}
		value, err := x.sample(member, depth+1)
		if err != nil {
			return nil, err
		}
		o.Set(name, value)
	}
	return o, nil
}

func (x *Index) sampleList(schema *ordered.Object, depth int) (any, error) {
	items, err := x.schema(schema, "items")
	if err != nil || depth > 5 {
		return []any{}, err
	}
	item, err := x.sample(items, depth+1)
	return []any{item}, err
}

func sampleText(schema *ordered.Object) string {
	switch schema.Text("format") {
	case "date":
		return "2026-12-31"
	case "date-time":
		return "2026-12-31T12:00:00Z"
	}
	return ""
}

// fill puts the values of a call into the fields of a form; without one, examples into the required fields.
func (b *Body) fill(call examples.Example) error {
	var sent *ordered.Object
	if len(call.Request) > 0 {
		o, err := ordered.ParseObject(call.Request)
		if err != nil {
			return fmt.Errorf("the example of the body: %w", err)
		}
		sent = o
	}
	for i, f := range b.Fields {
		switch {
		case f.Kind == File:
		case sent != nil:
			b.Fields[i].Value = plain(sent.Get(f.Name))
		case f.Required:
			b.Fields[i].Value = f.Hint
		}
	}
	return nil
}
