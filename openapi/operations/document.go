package operations

import (
	"encoding/json"
	"fmt"
	"strings"

	"svc/openapi/ordered"
)

// document has the shared parts of a document, as text.
type document struct {
	components map[string]map[string]json.RawMessage
}

// follow returns the part that a reference names; another part is returned as it is.
func (d document) follow(part *ordered.Object) (*ordered.Object, error) {
	for range 10 { // longer chains would be a circle
		ref := part.Text("$ref")
		if ref == "" {
			return part, nil
		}
		kind, name, ok := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
		raw, known := d.components[kind][name]
		if !ok || !known {
			return nil, fmt.Errorf("the document has no %s", ref)
		}
		var err error
		if part, err = ordered.ParseObject(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", ref, err)
		}
	}
	return nil, fmt.Errorf("%s refers to itself", part.Text("$ref"))
}

// schema returns the schema below a part, with references followed. Its own description replaces that of the shared
// schema. A schema that only wraps another one by allOf counts as that one.
func (d document) schema(part *ordered.Object, member string) (*ordered.Object, error) {
	child := part.Object(member)
	if child == nil {
		return ordered.New(), nil
	}
	found, err := d.follow(child)
	if err != nil {
		return nil, err
	}
	if parts := found.List("allOf"); len(parts) == 1 && found.Object("properties") == nil {
		inner, err := d.follow(asObject(parts[0]))
		if err != nil {
			return nil, err
		}
		merged := ordered.New()
		for _, source := range []*ordered.Object{inner, found} {
			for _, name := range source.Names {
				if name != "allOf" {
					merged.Set(name, source.Get(name))
				}
			}
		}
		return merged, nil
	}
	return found, nil
}

func asObject(value any) *ordered.Object {
	o, ok := value.(*ordered.Object)
	if !ok {
		return ordered.New()
	}
	return o
}

func isTrue(o *ordered.Object, name string) bool { return o != nil && o.Get(name) == true }

// plain writes a value as a person types it into a field: texts without quotes, everything else as JSON.
func plain(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case json.Number:
		return value.String()
	}
	data, err := ordered.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// texts returns a list of values as texts; null is left out.
func texts(list []any) []string {
	var all []string
	for _, value := range list {
		if value != nil {
			all = append(all, plain(value))
		}
	}
	return all
}
