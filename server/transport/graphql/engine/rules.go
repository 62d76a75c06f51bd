package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// rules are the rules of the specification, except those that checkFields replaces. Variables of the type ID are accepted
// for every kind of ID, and the other way around.
func (*Engine) rules() *rules.Rules {
	all := rules.NewDefaultRules()
	for _, replaced := range []string{"FieldsOnCorrectType", "KnownArgumentNames", "VariablesInAllowedPosition"} {
		all.RemoveRule(replaced)
	}
	all.AddRule("VariablesInAllowedPosition", checkVariable)
	return all
}

func checkVariable(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(walker *core.Walker, value *ast.Value) {
		v := value.VariableDefinition
		if value.Kind != ast.Variable || value.ExpectedType == nil || v == nil || walker.CurrentOperation == nil {
			return
		}
		want := *value.ExpectedType
		if value.ExpectedTypeHasDefault || (v.DefaultValue != nil && v.DefaultValue.Kind != ast.NullValue) {
			want.NonNull = false
		}
		if !fits(v.Type, &want) {
			addError(
				core.Message("Type mismatch on variable $%s and argument (%s / %s)", value.Raw, v.Type, value.ExpectedType),
				core.At(value.Position),
			)
		}
	})
}

// fits reports whether a variable of one type can be used where another is expected.
func fits(given, want *ast.Type) bool {
	if want.NonNull && !given.NonNull {
		return false
	}
	if want.Elem != nil || given.Elem != nil {
		return want.Elem != nil && given.Elem != nil && fits(given.Elem, want.Elem)
	}
	return given.NamedType == want.NamedType || isID(given.NamedType) && isID(want.NamedType)
}

// isID reports whether a scalar is ID or one of its kinds, such as ProjectID.
func isID(name string) bool { return strings.HasSuffix(name, "ID") }

// checkFields refuses fields and arguments that the schema does not have.
func (e *Engine) checkFields(doc *ast.QueryDocument) []*Error {
	c := &fieldCheck{schema: e.schema}
	for _, op := range doc.Operations {
		root := map[ast.Operation]*ast.Definition{ast.Query: e.schema.Query, ast.Mutation: e.schema.Mutation}[op.Operation]
		if root == nil {
			c.add(&Error{Message: fmt.Sprintf("Schema is not configured for %ss", op.Operation), Locations: at(op.Position)})
			continue
		}
		c.set(root, op.SelectionSet, []any{strings.TrimSpace(string(op.Operation) + " " + op.Name)})
	}
	for _, f := range doc.Fragments {
		c.set(e.schema.Types[f.TypeCondition], f.SelectionSet, []any{"fragment " + f.Name})
	}
	return c.errs
}

// fieldCheck collects the errors of checkFields.
type fieldCheck struct {
	schema *ast.Schema
	errs   []*Error
}

const maxErrors = 20

func (c *fieldCheck) add(err *Error) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, err)
	}
}

// set checks a selection set. An unknown type is left to the rules.
func (c *fieldCheck) set(def *ast.Definition, set ast.SelectionSet, path []any) {
	if def == nil {
		return
	}
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.InlineFragment:
			on := def
			if s.TypeCondition != "" {
				on = c.schema.Types[s.TypeCondition]
			}
			c.set(on, s.SelectionSet, path)
		case *ast.Field:
			if s.Name != "__typename" {
				c.field(def, s, append(path[:len(path):len(path)], s.Alias))
			}
		}
	}
}

func (c *fieldCheck) field(def *ast.Definition, f *ast.Field, path []any) {
	found := def.Fields.ForName(f.Name)
	if found == nil {
		c.add(&Error{
			Message: fmt.Sprintf("Field '%s' doesn't exist on type '%s'", f.Name, def.Name), Locations: at(f.Position), Path: path,
			Extensions: map[string]any{"code": "undefinedField", "typeName": def.Name, "fieldName": f.Name},
		})
		return
	}
	for _, arg := range f.Arguments {
		if found.Arguments.ForName(arg.Name) == nil {
			c.add(&Error{
				Message:   fmt.Sprintf("Field '%s' doesn't accept argument '%s'", f.Name, arg.Name),
				Locations: at(arg.Position), Path: append(path[:len(path):len(path)], arg.Name),
				Extensions: map[string]any{
					"code": "argumentNotAccepted", "name": f.Name, "typeName": "Field", "argumentName": arg.Name,
				},
			})
		}
	}
	c.set(c.schema.Types[found.Type.Name()], f.SelectionSet, path)
}

// variables checks the values of variables.
func (e *Engine) variables(op *ast.OperationDefinition, given map[string]any) (map[string]any, *Error) {
	values, err := validator.VariableValues(e.schema, op, given)
	if err == nil {
		return values, nil
	}
	var bad *gqlerror.Error
	if !errors.As(err, &bad) || len(bad.Path) < 2 {
		return nil, fromParser(err)
	}
	name, _ := bad.Path[1].(ast.PathName)
	for _, v := range op.VariableDefinitions {
		if v.Variable != string(name) {
			continue
		}
		inside := []any{}
		for _, p := range bad.Path[2:] {
			inside = append(inside, p)
		}
		problem := map[string]any{"path": inside, "explanation": bad.Message}
		value, _ := json.Marshal(given[v.Variable])
		if len(value) > maxShown {
			value = nil
		}
		return nil, &Error{
			Message:    fmt.Sprintf("Variable $%s of type %s was provided invalid value", v.Variable, v.Type),
			Locations:  at(v.Position),
			Extensions: map[string]any{"value": json.RawMessage(value), "problems": []any{problem}},
		}
	}
	return nil, fromParser(err)
}

// maxShown is the length up to which an error repeats the value of a variable.
const maxShown = 1000
