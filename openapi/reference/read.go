package reference

import (
	"slices"
	"strings"

	"svc/openapi/ordered"
)

// operation is one operation with its place.
type operation struct {
	id, area     string
	method, path string // in capitals; below /api/v4, unless base is empty
	base         string
	item, op     *ordered.Object
}

// writer knows the whole document.
type writer struct {
	Options
	root       *ordered.Object
	areas      []*Area
	operations map[string][]operation // by area
	home       map[string]string      // the area that describes a schema

	isObjectKnown map[*ordered.Object]bool

	operationPage map[string]string // the page of an operation
	objectPage    map[string]string // the page of a schema
}

func newWriter(root *ordered.Object, o Options) *writer {
	w := &writer{
		Options: o, root: root, operations: map[string][]operation{}, home: map[string]string{},
		isObjectKnown: map[*ordered.Object]bool{}, operationPage: map[string]string{}, objectPage: map[string]string{},
	}
	for _, tag := range root.List("tags") {
		t, _ := tag.(*ordered.Object)
		name, title := t.Text("name"), t.Text("x-displayName")
		if title == "" {
			title = strings.ToUpper(name[:1]) + name[1:]
		}
		w.areas = append(w.areas, &Area{Name: name, Title: title, About: strings.TrimSpace(t.Text("description"))})
	}
	w.readOperations()
	for _, area := range w.areas {
		for _, o := range w.operations[area.Name] {
			for _, p := range w.parametersOf(o) {
				w.claim(area.Name, p)
			}
			w.claim(area.Name, o.op.Object("requestBody"))
			for _, status := range successes(o.op) {
				w.claim(area.Name, o.op.Object("responses").Object(status))
			}
		}
	}
	return w
}

func (w *writer) readOperations() {
	paths := w.root.Object("paths")
	for _, path := range slices.Sorted(slices.Values(paths.Names)) {
		item := paths.Object(path)
		base := "/api/v4"
		if item.List("servers") != nil {
			base = ""
		}
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			op := item.Object(method)
			if op == nil {
				continue
			}
			area, _ := op.List("tags")[0].(string)
			w.operations[area] = append(w.operations[area], operation{
				id: op.Text("operationId"), area: area, method: strings.ToUpper(method), path: path, base: base, item: item, op: op,
			})
		}
	}
}

// claim lets an area describe the schemas that a part of the document uses, unless another area does.
func (w *writer) claim(area string, part any) {
	ordered.Walk(part, func(o *ordered.Object) {
		name, ok := reference(o)
		if !ok || w.home[name] != "" {
			return
		}
		w.home[name] = area
		w.claim(area, w.schema(name))
	})
}

// reference returns the name of the schema that an object refers to.
func reference(o *ordered.Object) (string, bool) {
	return strings.CutPrefix(o.Text("$ref"), "#/components/schemas/")
}

func (w *writer) schema(name string) *ordered.Object {
	return w.root.Object("components").Object("schemas").Object(name)
}

// objectsOf returns the names of the objects that an area describes.
func (w *writer) objectsOf(area string) []string {
	var names []string
	for name, home := range w.home {
		if home == area && w.isObject(w.schema(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// parametersOf returns the parameters of an operation. Every operation with a token accepts sudo, so it is left out.
func (w *writer) parametersOf(o operation) []*ordered.Object {
	var all []*ordered.Object
	for _, p := range slices.Concat(o.item.List("parameters"), o.op.List("parameters")) {
		param, _ := p.(*ordered.Object)
		name, shared := strings.CutPrefix(param.Text("$ref"), "#/components/parameters/")
		if shared {
			param = w.root.Object("components").Object("parameters").Object(name)
		}
		if name != "Sudo" {
			all = append(all, param)
		}
	}
	return all
}

// bodyOf returns the first media type of the body of an operation.
func bodyOf(op *ordered.Object) (string, *ordered.Object) {
	return firstContent(op.Object("requestBody"))
}

// firstContent returns the first media type of a body or an answer.
func firstContent(o *ordered.Object) (string, *ordered.Object) {
	content := o.Object("content")
	if content == nil {
		return "", nil
	}
	return content.Names[0], content.Object(content.Names[0])
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
