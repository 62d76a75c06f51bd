// Package reference writes the reference of the API as Markdown from the published document and the examples: one page
// for each area, or several if it is large. make generate writes it into docs/api, and the program renders it itself.
//
//	reference.go  the reference: its areas, pages and operations
//	read.go       reading the document
//	page.go       pages, and how an area is divided into them
//	operation.go  one operation
//	access.go     who may call an operation
//	call.go       the command and the answer of an example
//	json.go       JSON, shortened for a reader
//	object.go     objects, and the names of types
//	wrap.go       paragraphs of at most 120 columns
//	write/        the command
package reference

import (
	"svc/openapi/ordered"
)

// Options say what the reference shows besides the document.
type Options struct {
	BaseURL string // of the commands, without a slash at the end

	// WhoMay describes the callers with an ability. Without this function, only the ability is named.
	WhoMay func(ability string) string

	// Try returns where a reader can send an operation. Without this function, there are no such links.
	Try func(operationID string) string
}

// Reference is the whole reference.
type Reference struct {
	Areas      []Area
	Pages      []Page // the first one, called README, lists the areas
	Operations []Operation
}

// Area is a tag of the document.
type Area struct {
	Name, Title, About string
	Pages              []string // the names of its pages; the first one has the name of the area
}

// Page is a page of the reference in Markdown. Its links are file names, such as users.md#getuser.
type Page struct {
	Name, Title, Area string
	Text              []byte
}

// Operation is what a search knows of an operation.
type Operation struct {
	ID, Method, Path, Summary, About string
	Area, Page, Anchor               string
	Members                          []string // of its parameters, its body and its answer
}

// New returns the reference of a document.
func New(doc []byte, o Options) (*Reference, error) {
	root, err := ordered.ParseObject(doc)
	if err != nil {
		return nil, err
	}
	w := newWriter(root, o)
	w.divide()
	ref := &Reference{Pages: w.pages()}
	for _, area := range w.areas {
		ref.Areas = append(ref.Areas, *area)
		for _, op := range w.operations[area.Name] {
			ref.Operations = append(ref.Operations, w.summary(op))
		}
	}
	return ref, nil
}

// summary returns what a search knows of an operation.
func (w *writer) summary(o operation) Operation {
	found := Operation{
		ID: o.id, Method: o.method, Path: o.path, Summary: o.op.Text("summary"), About: o.op.Text("description"),
		Area: o.area, Page: w.operationPage[o.id], Anchor: anchor(o.id),
	}
	add := func(schema *ordered.Object) {
		if schema.Object("items") != nil {
			schema = schema.Object("items")
		}
		names, _, _ := w.membersOf(schema)
		found.Members = append(found.Members, names...)
	}
	for _, p := range w.parametersOf(o) {
		found.Members = append(found.Members, p.Text("name"))
	}
	_, body := bodyOf(o.op)
	add(body.Object("schema"))
	for _, status := range successes(o.op) {
		_, answer := firstContent(o.op.Object("responses").Object(status))
		add(answer.Object("schema"))
	}
	return found
}
