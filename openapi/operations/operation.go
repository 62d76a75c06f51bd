package operations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"svc/openapi/examples"
	"svc/openapi/ordered"
)

// Operation is an operation in full.
type Operation struct {
	*Entry
	About         []Prose
	Tier, Ability string
	Limit         string // the name of its rate limit

	Anonymous bool     // works without credentials
	Session   bool     // accepts the session of a browser
	Token     bool     // accepts access tokens
	JobToken  bool     // accepts the token of a job
	Scopes    []string // a token needs one of them, and the last gives it the least; none: any scope is enough

	Reads       bool // GET
	Destructive bool // deletes or ends something, so a person is asked before
	Fields      []Field
	Headers     []Field // and the user to act as
	Body        *Body
	Answers     []Answer
	Example     *Example
}

// Answer is an answer that the document describes.
type Answer struct {
	Status, Media string
	About         Prose
}

// Example is a true answer.
type Example struct {
	Status int
	Text   string
	Cut    bool // the text is only the beginning
}

// maxExample is the length from which an example is cut, so that pages stay small.
const maxExample = 12_000

// Operation returns the operation with an ID.
func (x *Index) Operation(id string) (Operation, bool, error) {
	e, ok := x.byID[id]
	if !ok {
		return Operation{}, false, nil
	}
	o, err := x.read(e)
	if err != nil {
		return Operation{}, false, fmt.Errorf("%s: %w", id, err)
	}
	return o, true, nil
}

func (x *Index) read(e *Entry) (Operation, error) {
	op, err := ordered.ParseObject(e.operation)
	if err != nil {
		return Operation{}, err
	}
	call, called := examples.Of(e.ID)
	o := Operation{
		Entry: e, About: Paragraphs(op.Text("description")), Tier: op.Text("x-tier"), Ability: op.Text("x-ability"),
		Limit: strings.Join(texts(listOf(op.Get("x-limit"))), ", "), Reads: e.Method == "GET", Destructive: destroys(e),
	}
	o.setSecurity(op)
	if o.Fields, o.Headers, err = x.parameters(e, op, call); err != nil {
		return o, err
	}
	if o.Body, err = x.body(op, call); err != nil {
		return o, err
	}
	if o.Answers, err = x.answers(op); err != nil {
		return o, err
	}
	if called {
		o.Example, err = trueAnswer(call)
	}
	return o, err
}

// listOf returns the elements of a list, or the value itself as a list.
func listOf(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

func (o *Operation) setSecurity(op *ordered.Object) {
	for _, alternative := range op.List("security") {
		kinds := asObject(alternative)
		if len(kinds.Names) == 0 {
			o.Anonymous = true
		}
		for _, kind := range kinds.Names {
			switch kind {
			case "oauth":
				o.Scopes = append(o.Scopes, texts(kinds.List(kind))...)
			case "accessToken":
				o.Token = true
			case "session":
				o.Session = true
			case "jobToken":
				o.JobToken = true
			}
		}
	}
}

// destructive are the verbs of operations, beside DELETE, that end something or lock somebody out.
var destructive = []string{
	"archive", "ban", "block", "cancel", "deactivate", "delete", "disable", "erase", "reject", "reset", "revoke", "rotate",
	"transfer", "unshare",
}

func destroys(e *Entry) bool {
	if e.Method == "DELETE" {
		return true
	}
	verb := strings.IndexFunc(e.ID, func(r rune) bool { return r >= 'A' && r <= 'Z' })
	return e.Method != "GET" && verb > 0 && slices.Contains(destructive, e.ID[:verb])
}

// parameters returns the inputs of the path and the query, and those of headers. The parameter sudo, which every
// operation with a token has, is with the headers.
func (x *Index) parameters(e *Entry, op *ordered.Object, call examples.Example) (fields, headers []Field, err error) {
	var shared []any
	if len(e.shared) > 0 {
		value, err := ordered.Parse(e.shared)
		if err != nil {
			return nil, nil, err
		}
		shared = listOf(value)
	}
	values := valuesOf(e.URL, call.Path)
	for _, p := range slices.Concat(shared, op.List("parameters")) {
		param, err := x.follow(asObject(p))
		if err != nil {
			return nil, nil, err
		}
		made, err := x.parameter(param, values)
		if err != nil {
			return nil, nil, err
		}
		if in := param.Text("in"); in == "header" || in == "query" && param.Text("name") == "sudo" {
			headers = append(headers, made...)
		} else {
			fields = append(fields, made...)
		}
	}
	slices.SortStableFunc(fields, func(a, b Field) int { return rank(a) - rank(b) })
	return fields, headers, nil
}

// rank puts what the path needs first, then what else is required.
func rank(f Field) int {
	switch {
	case f.In == "path":
		return 0
	case f.Required:
		return 1
	}
	return 2
}

// valuesOf returns the values of a call, by "path.name" and "query.name".
func valuesOf(template, called string) map[string]string {
	values := map[string]string{}
	u, err := url.Parse(called)
	if called == "" || err != nil {
		return values
	}
	want, got := strings.Split(template, "/"), strings.Split(u.EscapedPath(), "/")
	if len(want) == len(got) {
		for i, part := range want {
			name, found := strings.CutPrefix(part, "{")
			value, err := url.PathUnescape(got[i])
			if found && err == nil && strings.HasSuffix(name, "}") {
				values["path."+strings.TrimSuffix(name, "}")] = value
			}
		}
	}
	for name, list := range u.Query() {
		values["query."+name] = list[0]
	}
	return values
}

func (x *Index) answers(op *ordered.Object) ([]Answer, error) {
	var all []Answer
	responses := op.Object("responses")
	if responses == nil {
		return nil, nil
	}
	for _, status := range responses.Names {
		response, err := x.follow(responses.Object(status))
		if err != nil {
			return nil, err
		}
		a := Answer{Status: status, About: line(response.Text("description"))}
		if content := response.Object("content"); content != nil {
			a.Media = strings.Join(content.Names, ", ")
		}
		all = append(all, a)
	}
	return all, nil
}

// trueAnswer returns the answer of a call.
func trueAnswer(call examples.Example) (*Example, error) {
	body := call.Text
	if len(call.Response) > 0 {
		var err error
		if body, err = indent(call.Response); err != nil {
			return nil, err
		}
	}
	e := &Example{Status: call.Status, Text: body}
	if len(body) > maxExample {
		end := strings.LastIndexByte(body[:maxExample], '\n')
		if end < 0 {
			end = maxExample
		}
		e.Text, e.Cut = strings.ToValidUTF8(body[:end], ""), true
	}
	return e, nil
}

// indent writes JSON over several lines.
func indent(data json.RawMessage) (string, error) {
	var buf bytes.Buffer
	if err := json.Indent(&buf, data, "", "  "); err != nil {
		return "", err
	}
	return buf.String(), nil
}
