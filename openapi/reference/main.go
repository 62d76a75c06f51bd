// Command reference writes the reference of the API as Markdown, one page for each area, from the published document.
//
//	main.go       the command; one page
//	operation.go  one operation
//	object.go     objects, and the names of types
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc/gen"
	"svc/openapi/ordered"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// run writes all pages, and removes those that were there.
func run(folder string) error {
	value, err := ordered.Parse(gen.SpecJSON)
	if err != nil {
		return err
	}
	root, _ := value.(*ordered.Object)
	w := newWriter(root)
	old, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for name, text := range w.pages() {
		if err := os.WriteFile(filepath.Join(folder, name+".md"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// maxPage is the size from which the objects of an area have a page of their own.
const maxPage = 90 << 10

// pages returns the text of all pages by name.
func (w *writer) pages() map[string][]byte {
	for _, area := range w.areas {
		w.objects[area] = area
	}
	for _, area := range w.areas {
		if len(w.page(area)) > maxPage {
			w.objects[area] = area + "_objects"
		}
	}
	all := map[string][]byte{"README": w.index()}
	for _, area := range w.areas {
		all[area] = w.page(area)
		if other := w.objects[area]; other != area {
			title := fmt.Sprintf("# API: objects of %s\n\nThis page has the objects of the area [%s](%s.md).\n", area, area, area)
			all[other] = append([]byte(title), w.objectsOf(area)...)
		}
	}
	return all
}

// operation is one operation with its place.
type operation struct {
	method, path string
	item, op     *ordered.Object
}

// writer knows the whole document.
type writer struct {
	root       *ordered.Object
	areas      []string
	about      map[string]string      // what an area is, by its name
	operations map[string][]operation // by area
	home       map[string]string      // the area that describes a schema
	objects    map[string]string      // the page with the objects of an area
}

func newWriter(root *ordered.Object) *writer {
	w := &writer{
		root: root, about: map[string]string{}, operations: map[string][]operation{},
		home: map[string]string{}, objects: map[string]string{},
	}
	for _, tag := range root.List("tags") {
		t, _ := tag.(*ordered.Object)
		name := text(t, "name")
		w.areas = append(w.areas, name)
		w.about[name] = text(t, "description")
	}
	slices.Sort(w.areas)
	paths := root.Object("paths")
	for _, path := range slices.Sorted(slices.Values(paths.Names)) {
		item := paths.Object(path)
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			if op := item.Object(method); op != nil {
				area, _ := op.List("tags")[0].(string)
				w.operations[area] = append(w.operations[area], operation{method, path, item, op})
			}
		}
	}
	for _, area := range w.areas {
		for _, o := range w.operations[area] {
			for _, p := range w.parametersOf(o) {
				w.claim(area, p)
			}
			w.claim(area, o.op.Object("requestBody"))
			for _, status := range successes(o.op) {
				w.claim(area, o.op.Object("responses").Object(status))
			}
		}
	}
	return w
}

// claim puts the schemas that a part of the document uses on the page of an area, unless another page has them.
func (w *writer) claim(area string, part any) {
	ordered.Walk(part, func(o *ordered.Object) {
		name, ok := strings.CutPrefix(text(o, "$ref"), "#/components/schemas/")
		if !ok || w.home[name] != "" {
			return
		}
		w.home[name] = area
		w.claim(area, w.schema(name))
	})
}

func (w *writer) schema(name string) *ordered.Object {
	return w.root.Object("components").Object("schemas").Object(name)
}

// index returns the list of areas.
func (w *writer) index() []byte {
	var b bytes.Buffer
	b.WriteString("# Reference of the API\n\nThis folder describes every operation, by area. It is generated from the OpenAPI document; " +
		"`GET /api/v4/openapi.json`\nreturns the document itself.\n\n| Area | About |\n|---|---|\n")
	for _, area := range w.areas {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s |\n", area, area, cell(w.about[area]))
	}
	return b.Bytes()
}

// page returns the page of an area.
func (w *writer) page(area string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# API: %s\n\n%s\n\n", area, strings.TrimSpace(w.about[area]))
	b.WriteString("Paths are below `/api/v4`, unless they begin with `/oauth`, `/.well-known` or `/-`. See [tokens](../tokens.md),\n" +
		"[errors](../errors.md) and [pagination](../pagination.md) for what all operations share.\n\n" +
		"| Operation | Does |\n|---|---|\n")
	for _, o := range w.operations[area] {
		id, summary := text(o.op, "operationId"), text(o.op, "summary")
		fmt.Fprintf(&b, "| [`%s %s`](#%s) | %s |\n", strings.ToUpper(o.method), o.path, anchor(id), cell(summary))
	}
	for _, o := range w.operations[area] {
		w.operation(&b, area, o)
	}
	if w.objects[area] == area {
		b.Write(w.objectsOf(area))
	}
	return b.Bytes()
}

// objectsOf returns the section with the objects of an area.
func (w *writer) objectsOf(area string) []byte {
	var names []string
	for name, home := range w.home {
		if home == area && w.schema(name).Object("properties") != nil {
			names = append(names, name)
		}
	}
	var b bytes.Buffer
	if len(names) > 0 {
		b.WriteString("\n## Objects\n")
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		w.object(&b, w.objects[area], name)
	}
	return b.Bytes()
}

// text returns a member that is a text.
func text(o *ordered.Object, name string) string {
	if o == nil {
		return ""
	}
	value, _ := o.Get(name).(string)
	return value
}

// cell makes a text fit into a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}

func anchor(name string) string { return strings.ToLower(name) }
