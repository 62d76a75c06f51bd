package engine

import (
	"fmt"
	"math"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

const (
	maxTokens     = 10_000
	maxSelections = 1_000 // of an operation, with every fragment at every place that uses it
	maxFragments  = 100
	// maxIntrospectionDepth replaces the depth of the limits below __schema and __type. Tools ask for types that are
	// wrapped many times.
	maxIntrospectionDepth = 30
)

// Limits are the limits on an operation.
type Limits struct {
	Depth      int
	Complexity int
}

// size is what a selection set costs without knowing the schema.
type size struct {
	selections int // saturates at maxSelections+1
	depth      int
	schemas    int // uses of __schema and __type
}

func (s *size) add(below size) {
	s.selections = min(s.selections+below.selections, maxSelections+1)
	s.depth = max(s.depth, below.depth)
	s.schemas = min(s.schemas+below.schemas, maxSelections)
}

// measure computes sizes. Each fragment is measured once, so its time is linear in the length of the text.
type measure struct {
	doc       *ast.QueryDocument
	fragments map[string]size
	open      map[string]bool
}

// checkSize refuses an operation that is too large or too deep, and fragments that contain themselves.
func checkSize(doc *ast.QueryDocument, op *ast.OperationDefinition, limits Limits) *Error {
	if len(doc.Fragments) > maxFragments || len(doc.Operations) > maxFragments {
		return &Error{Message: fmt.Sprintf("Query has more than %d fragments or operations", maxFragments)}
	}
	m := &measure{doc: doc, fragments: map[string]size{}, open: map[string]bool{}}
	all := size{}
	for _, f := range doc.Fragments { // also those that the operation does not use, because validation reads them
		found, err := m.fragment(f.Name)
		if err != nil {
			return err
		}
		all.add(found)
	}
	for _, other := range doc.Operations {
		found, err := m.set(other.SelectionSet)
		if err != nil {
			return err
		}
		if other == op && found.depth > limits.Depth {
			return &Error{Message: fmt.Sprintf("Query has depth of %d, which exceeds max depth of %d", found.depth, limits.Depth)}
		}
		all.add(found)
	}
	switch {
	case all.selections > maxSelections:
		return &Error{Message: fmt.Sprintf("Query selects more than %d fields", maxSelections)}
	case all.schemas > 5:
		return &Error{Message: "Query asks for the schema too often"}
	}
	return nil
}

func (m *measure) set(set ast.SelectionSet) (size, *Error) {
	var all size
	for _, selection := range set {
		found, err := m.selection(selection)
		if err != nil {
			return all, err
		}
		all.add(found)
	}
	return all, nil
}

func (m *measure) selection(selection ast.Selection) (size, *Error) {
	switch s := selection.(type) {
	case *ast.InlineFragment:
		found, err := m.set(s.SelectionSet)
		found.selections++
		return found, err
	case *ast.FragmentSpread:
		found, err := m.fragment(s.Name)
		found.selections++
		return found, err
	case *ast.Field:
		found, err := m.set(s.SelectionSet)
		found.selections++
		found.depth++
		if s.Name == "__schema" || s.Name == "__type" {
			if found.depth > maxIntrospectionDepth {
				return found, &Error{Message: "Query of the schema is too deep", Locations: at(s.Position)}
			}
			found.depth = 1
			found.schemas++
		}
		return found, err
	}
	return size{}, nil
}

func (m *measure) fragment(name string) (size, *Error) {
	if found, ok := m.fragments[name]; ok {
		return found, nil
	}
	f := m.doc.Fragments.ForName(name)
	switch {
	case f == nil:
		return size{}, nil // validation refuses it
	case m.open[name]:
		return size{}, &Error{Message: fmt.Sprintf("Fragment %s contains an infinite loop", name), Locations: at(f.Position)}
	}
	m.open[name] = true
	found, err := m.set(f.SelectionSet)
	delete(m.open, name)
	m.fragments[name] = found
	return found, err
}

// complexity is what the fields of a selection set cost: 1 for each field, and the fields of a connection once more for a
// whole page of 100.
func (e *Engine) complexity(set ast.SelectionSet, vars map[string]any) int {
	sum := 0
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.InlineFragment:
			sum += e.complexity(s.SelectionSet, vars)
		case *ast.FragmentSpread:
			sum += e.complexity(s.Definition.SelectionSet, vars)
		case *ast.Field:
			if strings.HasPrefix(s.Name, "__") {
				continue // the schema has limits of its own
			}
			below := e.complexity(s.SelectionSet, vars)
			if strings.HasSuffix(s.Definition.Type.Name(), "Connection") {
				below += int(math.Ceil(float64(below) * float64(pageSize(s, vars)) / maxPage))
			}
			sum += 1 + below
		}
	}
	return sum
}

// pageSize returns the number of rows that a connection asks for.
func pageSize(f *ast.Field, vars map[string]any) int {
	args, err := fieldArgs(f, vars)
	if err != nil {
		return maxPage // the error is shown when the field is resolved
	}
	for _, name := range []string{"first", "last"} {
		if n, ok := args.Int(name); ok {
			return max(0, min(n, maxPage))
		}
	}
	return maxPage
}
