package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"svc/openapi/ordered"
)

// operation writes one operation: what it does, who may call it, its input and its answers.
func (w *writer) operation(b *bytes.Buffer, area string, o operation) {
	fmt.Fprintf(b, "\n## %s\n\n`%s %s`\n\n**%s**", text(o.op, "operationId"), strings.ToUpper(o.method), o.path, text(o.op, "summary"))
	if about := strings.TrimSpace(text(o.op, "description")); about != "" {
		fmt.Fprintf(b, " %s", about)
	}
	b.WriteString("\n\n")
	w.access(b, o)
	w.parameters(b, area, o)
	w.body(b, area, o.op)
	w.answers(b, area, o.op)
}

// access writes who may call an operation.
func (w *writer) access(b *bytes.Buffer, o operation) {
	op := o.op
	fmt.Fprintf(b, "- Ability: [`%s`](../abilities.md)\n", text(op, "x-ability"))
	var credentials []string
	for _, alternative := range op.List("security") {
		kinds, _ := alternative.(*ordered.Object)
		if len(kinds.Names) == 0 {
			credentials = append(credentials, "nothing: anonymous callers are allowed")
			continue
		}
		switch kinds.Names[0] {
		case "oauth":
			var scopes []string
			for _, scope := range kinds.List("oauth") {
				scopes = append(scopes, fmt.Sprintf("`%v`", scope))
			}
			switch {
			case len(scopes) == 0:
				scopes = []string{"any scope"}
			case o.method == "get" && slices.Contains(scopes, "`api`"):
				scopes = append(scopes, "`read_api`")
			}
			credentials = append(credentials, "a token with "+strings.Join(scopes, " or "))
		case "jobToken":
			credentials = append(credentials, "the token of a job")
		case "runnerToken":
			credentials = append(credentials, "the token of a runner")
		}
	}
	if len(credentials) > 0 {
		fmt.Fprintf(b, "- Needs: %s\n", strings.Join(credentials, "; or "))
	}
	for _, extension := range [][2]string{{"x-tier", "Tier"}, {"x-limit", "Rate limit"}} {
		if value := op.Get(extension[0]); value != nil {
			fmt.Fprintf(b, "- %s: %v\n", extension[1], shown(value))
		}
	}
	if size := op.Get("x-max-body"); size != nil {
		fmt.Fprintf(b, "- Largest body: %v bytes\n", size)
	}
	if op.Get("deprecated") == true {
		b.WriteString("- Deprecated\n")
	}
}

// shown writes the value of an extension.
func shown(value any) string {
	if list, ok := value.([]any); ok {
		var parts []string
		for _, v := range list {
			parts = append(parts, fmt.Sprint(v))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(value)
}

// parameters writes the table of parameters.
func (w *writer) parameters(b *bytes.Buffer, area string, o operation) {
	var rows []string
	for _, param := range w.parametersOf(o) {
		name := "`" + text(param, "name") + "`"
		if param.Get("required") == true {
			name += " (required)"
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n", name, text(param, "in"), w.typeOf(area, param.Get("schema")),
			cell(text(param, "description"))))
	}
	if len(rows) > 0 {
		b.WriteString("\n| Parameter | In | Type | About |\n|---|---|---|---|\n" + strings.Join(rows, ""))
	}
}

// parametersOf returns the parameters of an operation. Every operation with a token accepts sudo, so it is left out.
func (w *writer) parametersOf(o operation) []*ordered.Object {
	var all []*ordered.Object
	for _, p := range slices.Concat(o.item.List("parameters"), o.op.List("parameters")) {
		param, _ := p.(*ordered.Object)
		name, shared := strings.CutPrefix(text(param, "$ref"), "#/components/parameters/")
		if shared {
			param = w.root.Object("components").Object("parameters").Object(name)
		}
		if name != "Sudo" {
			all = append(all, param)
		}
	}
	return all
}

// body writes the table of the members of a body.
func (w *writer) body(b *bytes.Buffer, area string, op *ordered.Object) {
	content := op.Object("requestBody").Object("content")
	if content == nil {
		return
	}
	media := content.Names[0]
	schema := content.Object(media).Object("schema")
	if name, ok := strings.CutPrefix(text(schema, "$ref"), "#/components/schemas/"); ok {
		schema = w.schema(name)
	}
	fmt.Fprintf(b, "\nThe body is `%s`", media)
	if media == "application/json" {
		b.WriteString(", or the same members as a form")
	}
	b.WriteString(".\n")
	w.members(b, area, schema)
}

// answers writes the answer of success, and the statuses of failures.
func (w *writer) answers(b *bytes.Buffer, area string, op *ordered.Object) {
	responses := op.Object("responses")
	for _, status := range successes(op) {
		response := responses.Object(status)
		fmt.Fprintf(b, "\nAnswer: `%s` %s", status, strings.TrimSpace(text(response, "description")))
		if content := response.Object("content"); content != nil {
			media := content.Names[0]
			if schema := content.Object(media).Get("schema"); media == "application/json" {
				fmt.Fprintf(b, " Body: %s.", w.typeOf(area, schema))
			} else {
				fmt.Fprintf(b, " Body: `%s`.", media)
			}
		}
		b.WriteString("\n")
	}
	var failures []string
	for _, status := range responses.Names {
		if status >= "400" && status != "default" {
			failures = append(failures, "`"+status+"`")
		}
	}
	if len(failures) > 0 {
		fmt.Fprintf(b, "\n[Errors](../errors.md): %s\n", strings.Join(failures, " "))
	}
}

// successes returns the statuses of success: 2xx, or a redirect if there is no other.
func successes(op *ordered.Object) []string {
	var good []string
	for _, status := range op.Object("responses").Names {
		if strings.HasPrefix(status, "2") {
			good = append(good, status)
		}
	}
	if len(good) == 0 && op.Object("responses").Object("302") != nil {
		good = []string{"302"}
	}
	return good
}
