// Package operations reads the published document as a person needs it who calls one operation: who may call it, its
// inputs with true examples, and what it answers.
//
//	operations.go  all operations by area, and searching them
//	operation.go   one operation in full
//	field.go       inputs: parameters and members of forms
//	body.go        bodies of requests
//	document.go    parts of the document, and references
//	prose.go       descriptions
package operations

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Index lists the operations of a document.
type Index struct {
	document
	areas []Area
	byID  map[string]*Entry
}

// Area is a group of operations.
type Area struct {
	Name, Title, About string
	Operations         []*Entry
}

// Entry is an operation in a list.
type Entry struct {
	ID, Method, Path, Summary, Area string
	Deprecated                      bool
	URL                             string // the path below the URL of the instance, with names in braces

	operation, shared json.RawMessage // the operation, and the parameters that all methods of its path have
	words             string          // what a search looks at
}

var methods = []string{"get", "post", "put", "patch", "delete"}

// Read reads a document. It keeps the text of each operation, and parses it only when it is needed.
func Read(data []byte) (*Index, error) {
	var doc struct {
		Servers []server
		Tags    []struct {
			Name, Description string
			Title             string `json:"x-displayName"`
		}
		Paths      map[string]map[string]json.RawMessage
		Components map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	x := &Index{document: document{doc.Components}, byID: map[string]*Entry{}}
	places := map[string]int{}
	for i, tag := range doc.Tags {
		places[tag.Name] = i
		title := tag.Title
		if title == "" {
			title = tag.Name
		}
		x.areas = append(x.areas, Area{Name: tag.Name, Title: title, About: strings.TrimSpace(tag.Description)})
	}
	paths := make([]string, 0, len(doc.Paths))
	for path := range doc.Paths {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		base, err := baseOf(doc.Paths[path]["servers"], doc.Servers)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, method := range methods {
			raw, ok := doc.Paths[path][method]
			if !ok {
				continue
			}
			e, err := entry(method, path, base, raw, doc.Paths[path]["parameters"])
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			place, ok := places[e.Area]
			if !ok {
				return nil, fmt.Errorf("%s has the tag %q, which the document does not describe", e.ID, e.Area)
			}
			x.areas[place].Operations = append(x.areas[place].Operations, e)
			x.byID[e.ID] = e
		}
	}
	return x, nil
}

type server struct {
	URL string `json:"url"`
}

// baseOf returns what stands before a path: that of its own server, or that of the document.
func baseOf(own json.RawMessage, all []server) (string, error) {
	var servers []server
	if len(own) > 0 {
		if err := json.Unmarshal(own, &servers); err != nil {
			return "", err
		}
	} else {
		servers = all
	}
	if len(servers) == 0 {
		return "", nil
	}
	return strings.TrimSuffix(servers[0].URL, "/"), nil
}

func entry(method, path, base string, raw, shared json.RawMessage) (*Entry, error) {
	var op struct {
		OperationID, Summary string
		Tags                 []string
		Deprecated           bool
	}
	if err := json.Unmarshal(raw, &op); err != nil {
		return nil, err
	}
	if op.OperationID == "" || len(op.Tags) == 0 {
		return nil, errors.New("it has no operationId or no tag")
	}
	method = strings.ToUpper(method)
	return &Entry{
		ID: op.OperationID, Method: method, Path: path, Summary: strings.TrimSpace(op.Summary), Area: op.Tags[0],
		Deprecated: op.Deprecated, URL: base + path, operation: raw, shared: shared,
		words: strings.ToLower(strings.Join([]string{method, base + path, op.OperationID, op.Summary, op.Tags[0]}, " ")),
	}, nil
}

// Areas returns all areas, in the order of the document.
func (x *Index) Areas() []Area { return x.areas }

// Area returns the area with a name.
func (x *Index) Area(name string) (Area, bool) {
	for _, a := range x.areas {
		if a.Name == name {
			return a, true
		}
	}
	return Area{}, false
}

// Search returns the operations that have all words in their path, summary, operationId, method or area, by area, and
// their number. It stops after limit operations, and reports whether there are more.
func (x *Index) Search(text string, limit int) (areas []Area, found int, more bool) {
	words := strings.Fields(strings.ToLower(text))
	for _, area := range x.areas {
		hits := Area{Name: area.Name, Title: area.Title, About: area.About}
		for _, e := range area.Operations {
			if !containsAll(e.words, words) {
				continue
			}
			if found == limit {
				return appendNonEmpty(areas, hits), found, true
			}
			found++
			hits.Operations = append(hits.Operations, e)
		}
		areas = appendNonEmpty(areas, hits)
	}
	return areas, found, false
}

func appendNonEmpty(areas []Area, a Area) []Area {
	if len(a.Operations) == 0 {
		return areas
	}
	return append(areas, a)
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
