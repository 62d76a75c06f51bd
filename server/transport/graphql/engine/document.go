package engine

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// Operation is an operation that is ready to be executed.
type Operation struct {
	doc        *ast.QueryDocument
	op         *ast.OperationDefinition
	variables  map[string]any
	complexity int
}

// Parse reads the text of a query and chooses the operation with a name, which may be empty if there is only one.
func (*Engine) Parse(text, name string) (*Operation, *Error) {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		return nil, fromParser(err)
	}
	switch {
	case len(doc.Operations) == 0:
		return nil, &Error{Message: "No operation was given"}
	case name == "" && len(doc.Operations) > 1:
		return nil, &Error{Message: "An operation name is required"}
	}
	for _, op := range doc.Operations {
		if name == "" || op.Name == name {
			return &Operation{doc: doc, op: op}, nil
		}
	}
	return nil, &Error{Message: fmt.Sprintf("No operation named %q", name)}
}

// Writes reports whether the operation is a mutation.
func (o *Operation) Writes() bool { return o.op.Operation == ast.Mutation }

// Name returns the name of the operation; empty if it has none.
func (o *Operation) Name() string { return o.op.Name }

// Complexity returns the complexity of a prepared operation.
func (o *Operation) Complexity() int { return o.complexity }

// Prepare validates an operation with its variables, and refuses one that is over the limits. The cheap limits come first,
// because validation compares fields with each other.
func (e *Engine) Prepare(o *Operation, variables map[string]any, limits Limits) []*Error {
	if err := checkSize(o.doc, o.op, limits); err != nil {
		return []*Error{err}
	}
	if errs := e.checkFields(o.doc); len(errs) > 0 {
		return errs
	}
	var errs []*Error
	for _, err := range validator.ValidateWithRules(e.schema, o.doc, e.rules()) {
		errs = append(errs, fromParser(err))
	}
	if len(errs) > 0 {
		return errs
	}
	values, err := e.variables(o.op, variables)
	if err != nil {
		return []*Error{err}
	}
	o.variables = values
	o.complexity = e.complexity(o.op.SelectionSet, o.variables)
	if o.complexity > limits.Complexity {
		return []*Error{{Message: fmt.Sprintf(
			"Query has complexity of %d, which exceeds max complexity of %d", o.complexity, limits.Complexity,
		)}}
	}
	return nil
}
