package view

import (
	"slices"
	"strings"

	"svc/openapi/ordered"
)

// dropProtocols removes the operations of other protocols: their programs do not use generated clients.
func dropProtocols(root *ordered.Object) {
	used := map[string]bool{}
	paths := root.Object("paths")
	paths.Keep(func(path string, _ any) bool {
		kept := false
		item := paths.Object(path)
		for _, method := range item.Names {
			if op := item.Object(method); methods[method] && op.Get("x-protocol") == nil {
				kept = true
				for _, tag := range op.List("tags") {
					used[tag.(string)] = true
				}
			}
		}
		return kept
	})
	if tags := root.List("tags"); tags != nil {
		root.Set("tags", slices.DeleteFunc(slices.Clone(tags), func(tag any) bool {
			name := tag.(*ordered.Object).Text("name")
			return !used[name]
		}))
	}
}

// pruneCredentials drops the security schemes that no operation lists.
func pruneCredentials(root *ordered.Object) {
	used := map[string]bool{}
	ordered.Walk(root.Get("paths"), func(o *ordered.Object) {
		for _, alternative := range o.List("security") {
			if credentials, ok := alternative.(*ordered.Object); ok {
				for _, scheme := range credentials.Names {
					used[scheme] = true
				}
			}
		}
	})
	root.Object("components").Object("securitySchemes").Keep(func(name string, _ any) bool { return used[name] })
}

// mergeForms turns an object that has several forms, the first of which has the members of all others, into one object:
// in many languages a union needs code in every client. Members that a form does not have are not required.
func mergeForms(schemas *ordered.Object) {
	for _, name := range schemas.Names {
		schema := schemas.Object(name)
		forms := formsOf(schemas, schema)
		if forms == nil {
			continue
		}
		required := slices.Clone(forms[0].List("required"))
		for _, form := range forms[1:] {
			required = slices.DeleteFunc(required, func(member any) bool { return !slices.Contains(form.List("required"), member) })
		}
		schema.Drop("anyOf")
		schema.Set("type", "object")
		schema.Set("required", required)
		schema.Set("properties", forms[0].Object("properties"))
	}
}

// formsOf returns the forms of an object. It returns nil if the schema is something else, or if the first form does not
// have all members.
func formsOf(schemas, schema *ordered.Object) []*ordered.Object {
	var forms []*ordered.Object
	for _, alternative := range schema.List("anyOf") {
		part, _ := alternative.(*ordered.Object)
		target, _ := part.Get("$ref").(string)
		form := schemas.Object(strings.TrimPrefix(target, "#/components/schemas/"))
		if form.Object("properties") == nil {
			return nil
		}
		forms = append(forms, form)
	}
	for _, form := range forms {
		for _, member := range form.Object("properties").Names {
			if forms[0].Object("properties").Get(member) == nil {
				return nil
			}
		}
	}
	return forms
}
