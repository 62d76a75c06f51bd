// Package engine reads, checks and executes GraphQL operations against a schema and its resolvers. It knows nothing about
// the product.
//
// A resolver gets all parents of one field at once: a list of 100 projects with their groups calls the resolver of
// Project.group once, with 100 projects. So the number of statements depends on the query, not on the number of rows.
//
//	engine.go         the schema and its resolvers
//	document.go       reads and validates an operation
//	limits.go         the limits on the size, the depth and the complexity of an operation
//	rules.go          validation rules with the error texts that clients know
//	execute.go        executes an operation, level by level
//	value.go          results, and writing them as JSON
//	args.go           arguments of fields
//	page.go           connections and their cursors
//	resolve.go        makes resolvers of functions
//	introspection.go  the schema as data
//	errors.go         errors
package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Resolvers holds the resolvers of an object type by the names of its fields.
type Resolvers map[string]Resolver

// Engine executes operations against one schema.
type Engine struct {
	schema *ast.Schema
	types  map[string]Resolvers
}

// New reads the schema from all .graphql files of a folder. Every field of the schema needs a resolver, and every resolver
// a field.
func New(files fs.FS, types map[string]Resolvers) (*Engine, error) {
	names, err := fs.Glob(files, "*.graphql")
	if err != nil {
		return nil, err
	}
	var sources []*ast.Source
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		return nil, err
	}
	e := &Engine{schema: schema, types: maps.Clone(types)}
	e.addConnections()
	e.addIntrospection()
	return e, e.check()
}

// check compares the schema with the resolvers.
func (e *Engine) check() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(e.schema.Types)) {
		def := e.schema.Types[name]
		if def.Kind != ast.Object || isPayload(name) {
			continue
		}
		for _, field := range def.Fields {
			if e.types[name][field.Name] == nil {
				errs = append(errs, fmt.Errorf("%s.%s has no resolver", name, field.Name))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.types)) {
		def := e.schema.Types[name]
		if def == nil {
			errs = append(errs, fmt.Errorf("the schema has no type %s", name))
			continue
		}
		for field := range e.types[name] {
			if def.Fields.ForName(field) == nil {
				errs = append(errs, fmt.Errorf("the schema has no field %s.%s", name, field))
			}
		}
	}
	return errors.Join(errs...)
}

// isPayload reports whether a type is the answer of a mutation, whose values are maps.
func isPayload(name string) bool { return strings.HasSuffix(name, "Payload") }

// resolver returns the resolver of a field.
func (e *Engine) resolver(def *ast.Definition, field string) Resolver {
	if r := e.types[def.Name][field]; r != nil {
		return r
	}
	return Value(func(payload map[string]any) any { return payload[field] })
}
