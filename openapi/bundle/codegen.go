package main

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// codegen turns the published document into the view that Go is generated from. It has JSON bodies only, because
// middleware turns every other form into JSON; no error responses, because one function writes them all; members in the
// order of the document; and separate types for absent, null and value where the schema allows all three.
func codegen(doc *yaml.Node) {
	dropProtocols(doc)
	readAsLast(doc)
	dropDeprecated(doc)
	operations(doc, func(_, _ string, _, op *yaml.Node) {
		if content := get(get(op, "requestBody"), "content"); content != nil && get(content, "application/json") != nil {
			drop(content, func(media string, _ *yaml.Node) bool { return media == "application/json" })
		}
		dropSudo(op)
		drop(get(op, "responses"), func(status string, r *yaml.Node) bool {
			return strings.HasPrefix(status, "2") || get(r, "$ref") == nil
		})
	})
	operations(doc, func(_, _ string, _, op *yaml.Node) { dropErrorCode(get(op, "responses")) })
	components := get(doc, "components")
	drop(components, func(kind string, _ *yaml.Node) bool { return kind != "responses" })
	schemas := get(components, "schemas")
	for i := 1; i < len(schemas.Content); i += 2 {
		shape(schemas.Content[i])
	}
}

// dropErrorCode removes the header with the code of an error: one function writes it.
func dropErrorCode(responses *yaml.Node) {
	for i := 1; i < len(responses.Content); i += 2 {
		headers := get(responses.Content[i], "headers")
		if headers == nil || get(headers, errorCode) == nil {
			continue
		}
		drop(headers, func(name string, _ *yaml.Node) bool { return name != errorCode })
		if len(headers.Content) == 0 {
			drop(responses.Content[i], func(key string, _ *yaml.Node) bool { return key != "headers" })
		}
	}
}

// dropSudo removes the sudo parameter: the acting user is known before the operation is called.
func dropSudo(op *yaml.Node) {
	params := get(op, "parameters")
	if params == nil {
		return
	}
	params.Content = slices.DeleteFunc(params.Content, func(p *yaml.Node) bool {
		target := get(p, "$ref")
		return target != nil && strings.HasSuffix(target.Value, "/Sudo")
	})
	if len(params.Content) == 0 {
		drop(op, func(key string, _ *yaml.Node) bool { return key != "parameters" })
	}
}

func shape(schema *yaml.Node) {
	props := get(schema, "properties")
	if props != nil {
		required := map[string]bool{}
		if r := get(schema, "required"); r != nil {
			for _, name := range r.Content {
				required[name.Value] = true
			}
		}
		for i := 0; i+1 < len(props.Content); i += 2 {
			p := props.Content[i+1]
			shape(p)
			if n := get(p, "nullable"); n != nil && n.Value == "true" && !required[props.Content[i].Value] {
				set(p, "x-go-type", text("wire.Optional["+goType(p)+"]"))
				set(p, "x-go-type-import", value(map[string]string{"path": "svc/openapi/wire"}))
				set(p, "x-go-type-skip-optional-pointer", value(true))
				set(p, "x-omitzero", value(true))
			}
			set(p, "x-order", value(i/2+1))
		}
	}
	if items := get(schema, "items"); items != nil {
		shape(items)
	}
	if all := get(schema, "allOf"); all != nil {
		for _, part := range all.Content {
			shape(part)
		}
	}
}

// goType returns the Go type of a nullable member.
func goType(p *yaml.Node) string {
	target := get(p, "$ref")
	if all := get(p, "allOf"); target == nil && all != nil && len(all.Content) == 1 {
		target = get(all.Content[0], "$ref")
	}
	if target != nil {
		return target.Value[strings.LastIndex(target.Value, "/")+1:]
	}
	kind, format := "", ""
	if n := get(p, "type"); n != nil {
		kind = n.Value
	}
	if n := get(p, "format"); n != nil {
		format = n.Value
	}
	switch {
	case kind == "array":
		return "[]" + goType(get(p, "items"))
	case format == "date-time":
		return "wire.Time"
	case format == "date":
		return "wire.Date"
	case format == "binary":
		return "[]byte"
	case kind == "integer":
		return "int64"
	case kind == "number":
		return "float64"
	case kind == "boolean":
		return "bool"
	case kind == "string":
		return "string"
	}
	return "any"
}
