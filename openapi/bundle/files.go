package main

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

const schemaPrefix = "#/components/schemas/"

// splitFiles describes bodies with files as each form sends them: base64 (format byte) in JSON and form-encoded bodies,
// files (format binary) in multipart bodies, which get a schema of their own.
func splitFiles(doc *yaml.Node) {
	schemas := get(get(doc, "components"), "schemas")
	split := map[string]bool{}
	operations(doc, func(_, _ string, _, op *yaml.Node) {
		content := get(get(op, "requestBody"), "content")
		asJSON := get(get(content, "application/json"), "schema")
		parts := get(content, "multipart/form-data")
		if asJSON == nil || parts == nil || get(asJSON, "$ref") == nil {
			return
		}
		name := strings.TrimPrefix(get(asJSON, "$ref").Value, schemaPrefix)
		if !split[name] && !hasFiles(get(schemas, name)) {
			return
		}
		if !split[name] {
			split[name] = true
			set(schemas, name+"Multipart", multipart(get(schemas, name)))
		}
		set(parts, "schema", ref(schemaPrefix+name+"Multipart"))
	})
	for name := range split {
		members(get(schemas, name), func(member *yaml.Node) {
			if isBinary(member) {
				set(member, "format", text("byte"))
			}
		})
	}
	if len(split) > 0 {
		sortMapping(schemas)
	}
}

// multipart returns a schema for multipart bodies: its files are binary.
func multipart(schema *yaml.Node) *yaml.Node {
	form := clone(schema)
	members(form, func(member *yaml.Node) {
		if get(member, fileInMultipart) != nil {
			set(member, "format", text("binary"))
		}
	})
	return form
}

func hasFiles(schema *yaml.Node) (has bool) {
	members(schema, func(member *yaml.Node) {
		has = has || isBinary(member) || get(member, fileInMultipart) != nil
	})
	return has
}

func isBinary(member *yaml.Node) bool {
	format := get(member, "format")
	return format != nil && format.Value == "binary"
}

// members calls a function for the schema of every member of an object.
func members(schema *yaml.Node, f func(member *yaml.Node)) {
	properties := get(schema, "properties")
	if properties == nil {
		return
	}
	for i := 1; i < len(properties.Content); i += 2 {
		f(properties.Content[i])
	}
}
