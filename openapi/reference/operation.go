package reference

import (
	"bytes"
	"fmt"
	"strings"

	"svc/openapi/ordered"
)

// operation returns the section of an operation: what it does, who may call it, its input, a command and its answers.
func (w *writer) operation(page string, o operation) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n## %s\n\n`%s %s`", o.id, o.method, o.path)
	if w.Try != nil {
		fmt.Fprintf(&b, " · [Try it](%s)", w.Try(o.id))
	}
	b.WriteString("\n\n")
	summary := "**" + o.op.Text("summary") + "**"
	if o.op.Get("deprecated") == true {
		summary = "**Deprecated.** " + summary
	}
	paragraph(&b, summary+" "+strings.TrimSpace(o.op.Text("description")))
	b.WriteString("\n")
	w.access(&b, o)
	w.parameters(&b, page, o)
	w.body(&b, page, o)
	w.answers(&b, page, o)
	return b.Bytes()
}

// parameters writes the table of parameters.
func (w *writer) parameters(b *bytes.Buffer, page string, o operation) {
	var rows []string
	for _, param := range w.parametersOf(o) {
		name := "`" + param.Text("name") + "`"
		if param.Get("required") == true {
			name += " (required)"
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n", name, param.Text("in"), w.typeOf(page, param.Get("schema")),
			cell(param.Text("description")+deprecation(param))))
	}
	if len(rows) > 0 {
		b.WriteString("\n| Parameter | In | Type | About |\n|---|---|---|---|\n" + strings.Join(rows, ""))
	}
}

// body writes the table of the members of a body.
func (w *writer) body(b *bytes.Buffer, page string, o operation) {
	media, content := bodyOf(o.op)
	if content == nil {
		return
	}
	schema := content.Object("schema")
	prose := fmt.Sprintf("The body is `%s`", media)
	if media == "application/json" {
		prose += ", or the same members as a form"
	}
	b.WriteString("\n")
	if !w.isObject(schema) {
		paragraph(b, prose+": "+w.typeOf(page, schema)+".")
		return
	}
	paragraph(b, prose+".")
	if name, ok := reference(schema); ok {
		schema = w.schema(name)
	}
	w.members(b, page, schema)
}

// answers writes a command, the answer of success, and the statuses of failures.
func (w *writer) answers(b *bytes.Buffer, page string, o operation) {
	example, found := w.example(o)
	b.WriteString("\n```sh\n" + w.command(o, example) + "\n```\n")
	responses := o.op.Object("responses")
	for _, status := range successes(o.op) {
		response := responses.Object(status)
		prose := fmt.Sprintf("Answer: `%s` %s", status, strings.TrimSpace(response.Text("description")))
		if media, content := firstContent(response); media == "application/json" {
			prose += " Body: " + w.typeOf(page, content.Get("schema")) + "."
		} else if media != "" {
			prose += " Body: `" + media + "`."
		}
		b.WriteString("\n")
		paragraph(b, prose)
		if found && status == fmt.Sprint(example.Status) {
			b.WriteString(answerOf(example))
		}
	}
	var failures []string
	for _, status := range responses.Names {
		if status >= "400" && status != "default" {
			failures = append(failures, "`"+status+"`")
		}
	}
	if len(failures) > 0 {
		b.WriteString("\n")
		paragraph(b, "[Errors](../errors.md): "+strings.Join(failures, " "))
	}
}

// deprecation returns the mark of a parameter or member that is deprecated.
func deprecation(o *ordered.Object) string {
	if o != nil && o.Get("deprecated") == true {
		return " **Deprecated.**"
	}
	return ""
}
