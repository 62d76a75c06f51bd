package reference

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"svc/openapi/examples"
	"svc/openapi/ordered"
)

// example returns a call of an operation, and whether a test has made it. If none has, it is put together from the
// examples of the document.
func (w *writer) example(o operation) (examples.Example, bool) {
	if e, ok := examples.Of(o.id); ok {
		return e, true
	}
	path := o.base + o.path
	query := url.Values{}
	for _, p := range w.parametersOf(o) {
		value := p.Get("example")
		if value == nil {
			value = p.Object("schema").Get("example")
		}
		if p.Get("required") != true || value == nil {
			continue
		}
		switch name := p.Text("name"); p.Text("in") {
		case "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(value)))
		case "query":
			query.Set(name, fmt.Sprint(value))
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	e := examples.Example{Method: o.method, Path: path}
	media, content := bodyOf(o.op)
	if content == nil {
		return e, false
	}
	if media != "application/json" {
		e.ContentType = media
	}
	if value := w.exampleOf(content); value != nil {
		if data, err := ordered.Marshal(value); err == nil {
			e.Request = data
		}
	}
	return e, false
}

// exampleOf returns the example of a body in the document.
func (w *writer) exampleOf(content *ordered.Object) any {
	if value := content.Get("example"); value != nil {
		return value
	}
	schema := content.Object("schema")
	if name, ok := reference(schema); ok {
		schema = w.schema(name)
	}
	if schema == nil {
		return nil
	}
	return schema.Get("example")
}

// command returns the curl command of a call.
func (w *writer) command(o operation, e examples.Example) string {
	options := []string{"curl"}
	if e.Method != "GET" {
		options[0] += " --request " + e.Method
	}
	if strings.ContainsAny(e.Path, "[]{}") {
		options[0] += " --globoff"
	}
	if option := credential(o); option != "" {
		options = append(options, option)
	}
	options = append(options, dataOf(e)...)
	options = append(options, quoted(w.BaseURL+e.Path))
	if line := strings.Join(options, " "); len(line) <= columns {
		return line
	}
	return strings.Join(options, " \\\n  ")
}

// credential returns the option with which a caller says who they are; none if everyone may call the operation.
func credential(o operation) string {
	var kinds []string
	for _, alternative := range o.op.List("security") {
		kind, _ := alternative.(*ordered.Object)
		kinds = append(kinds, kind.Names...)
	}
	switch {
	case slices.Contains(kinds, "accessToken"):
		return `--header "PRIVATE-TOKEN: $TOKEN"`
	case slices.Contains(kinds, "jobToken"):
		return `--header "JOB-TOKEN: $CI_JOB_TOKEN"`
	case slices.Contains(kinds, "alertKey"):
		return `--header "Authorization: Bearer $KEY"`
	case slices.Contains(kinds, "basic"):
		return `--user "git:$TOKEN"`
	}
	return ""
}

// dataOf returns the options of curl for the body of a call.
func dataOf(e examples.Example) []string {
	switch {
	case e.RequestText != "":
		return []string{"--header " + quoted("Content-Type: "+e.ContentType), "--data-binary " + quoted(e.RequestText)}
	case len(e.Request) == 0:
		return nil
	case e.ContentType == "" || strings.HasSuffix(e.ContentType, "json"):
		kind := cmp.Or(e.ContentType, "application/json")
		return []string{"--header " + quoted("Content-Type: "+kind), "--data " + quoted(string(e.Request))}
	}
	option := "--data-urlencode "
	if e.ContentType == "multipart/form-data" {
		option = "--form "
	}
	value, err := ordered.Parse(e.Request)
	form, ok := value.(*ordered.Object)
	if err != nil || !ok {
		return nil
	}
	var options []string
	for _, name := range form.Names {
		options = append(options, option+quoted(name+"="+fmt.Sprint(form.Get(name))))
	}
	return options
}

// quoted returns a text as one word of a shell.
func quoted(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// answerOf returns the answer of a call as a block of code, shortened.
func answerOf(e examples.Example) string {
	language, body := "json", ""
	switch {
	case len(e.Response) > 0 && json.Valid(e.Response):
		body, _ = pretty(e.Response) // it is valid
	case e.Text != "":
		language, body = "text", shortLines(e.Text)
	}
	if body == "" {
		return ""
	}
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return "\n" + fence + language + "\n" + strings.TrimRight(body, "\n") + "\n" + fence + "\n"
}

// shortLines returns the beginning of a text.
func shortLines(s string) string {
	const most = 12
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(lines) > most {
		lines = append(lines[:most], "…")
	}
	for i, line := range lines {
		if runes := []rune(line); len(runes) > 2*longText {
			lines[i] = string(runes[:2*longText]) + "…"
		}
	}
	return strings.Join(lines, "\n")
}
