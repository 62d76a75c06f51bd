package view

import (
	"fmt"
	"slices"
	"strings"

	"svc/openapi/ordered"
)

var methods = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "patch": true}

// unneeded has the parameters that every operation of a kind takes and that clients set for all their requests, as a
// header: acting as another user, and conditions.
var unneeded = map[any]bool{
	"#/components/parameters/Sudo":              true,
	"#/components/parameters/IfUnmodifiedSince": true,
}

// lean removes what makes generated clients large without telling them more. It keeps every operation, every other
// parameter, every member and every successful answer.
func lean(root *ordered.Object) {
	dropProtocols(root)
	mergeForms(root.Object("components").Object("schemas"))
	components := root.Object("components")
	components.Object("responses").Set("Error", ordered.New(
		"description", "The request was refused or failed; with status 429, the body can be plain text.",
		"content", ordered.New("application/json", ordered.New("schema", ordered.New("$ref", "#/components/schemas/Error"))),
	))
	paths := root.Object("paths")
	for _, path := range paths.Names {
		item := paths.Object(path)
		for _, method := range item.Names {
			if methods[method] {
				leanOperation(item.Object(method))
				nameUnions(components.Object("schemas"), item.Object(method))
			}
		}
	}
	components.Object("securitySchemes").Drop("session")
	leanSchemas(root)
	shorten(root)
	prune(root)
}

func leanOperation(op *ordered.Object) {
	op.Drop("description") // the summary is its first sentence, and generators repeat it for every form of a call
	if content := op.Object("requestBody").Object("content"); content != nil && content.Get("application/json") != nil {
		content.Keep(func(name string, _ any) bool { return name == "application/json" })
	}
	filter(op, "parameters", func(p *ordered.Object) bool { return !unneeded[p.Get("$ref")] })
	filter(op, "security", func(s *ordered.Object) bool { return s.Get("session") == nil })
	responses := op.Object("responses")
	responses.Keep(func(status string, _ any) bool {
		return status < "300" && status != "206" || status == "302" || status == "303"
	})
	for _, status := range responses.Names {
		if r := responses.Object(status); r != nil {
			r.Drop("headers")
		}
	}
	responses.Set("default", ordered.New("$ref", "#/components/responses/Error"))
}

// filter keeps the objects of a list that the function wants; an empty list is dropped.
func filter(o *ordered.Object, name string, wanted func(o *ordered.Object) bool) {
	list := o.List(name)
	kept := []any{}
	for _, value := range list {
		if member, ok := value.(*ordered.Object); ok && wanted(member) {
			kept = append(kept, value)
		}
	}
	switch {
	case len(kept) > 0:
		o.Set(name, kept)
	case list != nil:
		o.Drop(name)
	}
}

// nameUnions gives answers that have one of several schemas a name, such as CreateGroupMemberResult: generators make no
// usable type of a union without one.
func nameUnions(schemas, op *ordered.Object) {
	id := op.Text("operationId")
	responses := op.Object("responses")
	for _, status := range responses.Names {
		content := responses.Object(status).Object("content")
		if content == nil {
			continue
		}
		for _, mediaType := range content.Names {
			media := content.Object(mediaType)
			schema := media.Object("schema")
			if schema == nil || schema.List("anyOf") == nil && schema.List("oneOf") == nil {
				continue
			}
			name := strings.ToUpper(id[:1]) + id[1:] + "Result"
			schemas.Set(name, schema)
			media.Set("schema", ordered.New("$ref", "#/components/schemas/"+name))
		}
	}
}

// leanSchemas drops extensions, examples and defaults (openapi-typescript would require members with a default), and
// names the values of enumerations that are numbers. A union with parts that have no name, such as a number or a path,
// is any in Go: oapi-codegen would number the parts. Other generators write such a union in place and ignore x-go-type.
func leanSchemas(root *ordered.Object) {
	ordered.Walk(root, func(o *ordered.Object) {
		o.Keep(func(name string, _ any) bool { return !strings.HasPrefix(name, "x-") })
	})
	schemas(root, func(s *ordered.Object) {
		s.Drop("example")
		s.Drop("default")
		if names := enumNames(s.List("enum")); names != nil {
			s.Set("x-enum-varnames", names)
		}
		for _, part := range slices.Concat(s.List("anyOf"), s.List("oneOf")) {
			if o, ok := part.(*ordered.Object); ok && o.Get("$ref") == nil {
				s.Set("x-go-type", "any")
			}
		}
	})
}

// roles has the names of the numbers of roles.
var roles = map[string]string{
	"0": "None", "5": "Minimal", "10": "Guest", "20": "Reporter", "30": "Developer", "40": "Maintainer", "50": "Owner",
}

// enumNames returns the names of the values of an enumeration if some of them begin with a digit, which no name of a
// constant does: the roles, and values such as 30_minutes, which becomes Minutes30.
func enumNames(values []any) []any {
	names, needed := []any{}, false
	for _, value := range values {
		text := fmt.Sprint(value)
		number := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
		words := strings.Split(strings.TrimPrefix(text[len(number):], "_"), "_")
		for i, word := range words {
			if word != "" {
				words[i] = strings.ToUpper(word[:1]) + word[1:]
			}
		}
		name := strings.Join(words, "") + number
		if role := roles[text]; role != "" {
			name = role
		}
		names, needed = append(names, name), needed || number != ""
	}
	if !needed {
		return nil
	}
	return names
}

// shorten cuts descriptions to their first sentence and drops examples of parameters.
func shorten(root *ordered.Object) {
	ordered.Walk(root, func(o *ordered.Object) {
		if text, ok := o.Get("description").(string); ok {
			o.Set("description", firstSentence(text))
		}
		if _, ok := o.Get("in").(string); ok {
			o.Drop("example")
		}
	})
}

// firstSentence returns a text up to the end of its first sentence. A full stop inside code or parentheses ends none.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	code, depth := false, 0
	for i, c := range text {
		switch c {
		case '`':
			code = !code
		case '(':
			depth++
		case ')':
			depth--
		case '.', '!', '?':
			rest := text[i+1:]
			if !code && depth <= 0 && len(rest) > 1 && rest[0] == ' ' && startsSentence(rest[1]) {
				return text[:i+1]
			}
		}
	}
	return text
}

func startsSentence(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("`\"*([", c) >= 0
}

// prune drops components that nothing refers to.
func prune(root *ordered.Object) {
	components := root.Object("components")
	used := map[string]bool{}
	var follow func(value any)
	follow = func(value any) {
		ordered.Walk(value, func(o *ordered.Object) {
			target, _ := o.Get("$ref").(string)
			kind, name, ok := strings.Cut(strings.TrimPrefix(target, "#/components/"), "/")
			if !ok || used[target] {
				return
			}
			used[target] = true
			follow(components.Object(kind).Get(name))
		})
	}
	follow(root.Get("paths"))
	pruneCredentials(root)
	for _, kind := range components.Names {
		if kind == "securitySchemes" {
			continue
		}
		components.Object(kind).Keep(func(name string, _ any) bool { return used["#/components/"+kind+"/"+name] })
	}
	components.Keep(func(_ string, value any) bool {
		kind, _ := value.(*ordered.Object)
		return kind != nil && len(kind.Names) > 0
	})
}
