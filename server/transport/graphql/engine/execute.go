package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/vektah/gqlparser/v2/ast"
)

// Explain says what an answer shows of an error of a resolver. An empty text means that the field is null without an
// error.
type Explain func(ctx context.Context, err error, writes bool) string

// Result is the answer to an operation.
type Result struct {
	Data   any // nil if the operation was not executed
	Errors []*Error
	ran    bool
}

// Failed returns the answer to an operation that was not executed.
func Failed(errs ...*Error) Result { return Result{Errors: errs} }

// MarshalJSON writes the answer.
func (r Result) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	if r.ran {
		b.WriteString(`"data":`)
		if err := write(&b, r.Data); err != nil {
			return nil, err
		}
	}
	if len(r.Errors) > 0 {
		if r.ran {
			b.WriteByte(',')
		}
		b.WriteString(`"errors":`)
		text, err := json.Marshal(r.Errors)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Execute runs a prepared operation. The fields of a mutation run one after the other, in their order.
func (e *Engine) Execute(ctx context.Context, o *Operation, explain Explain) Result {
	x := &execution{engine: e, operation: o, ctx: ctx, explain: explain}
	root := e.schema.Query
	if o.Writes() {
		root = e.schema.Mutation
	}
	data := []any{nil}
	x.objects(root, []ast.SelectionSet{o.op.SelectionSet}, []*node{{value: struct{}{}, place: &place{in: data}}})
	return Result{Data: data[0], Errors: x.errs, ran: true}
}

// execution is one run of an operation.
type execution struct {
	engine    *Engine
	operation *Operation
	ctx       context.Context
	explain   Explain
	errs      []*Error
}

// node is an object whose fields are being resolved.
type node struct {
	value  any
	place  *place
	object *object
}

// selected is a field of an answer: all selections with the same name.
type selected struct {
	key    string
	fields []*ast.Field
}

// objects resolves the selected fields of objects of one type.
func (x *execution) objects(def *ast.Definition, sets []ast.SelectionSet, nodes []*node) {
	if len(nodes) == 0 {
		return
	}
	var fields []*selected
	byKey := map[string]*selected{}
	for _, set := range sets {
		x.collect(def, set, &fields, byKey)
	}
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	for _, n := range nodes {
		n.object = &object{keys: keys, values: make([]any, len(keys))}
		n.place.set(n.object)
	}
	for i, f := range fields {
		x.field(def, i, f, nodes)
	}
}

// collect finds the fields that a selection set selects for a type.
func (x *execution) collect(def *ast.Definition, set ast.SelectionSet, fields *[]*selected, byKey map[string]*selected) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if !x.included(s.Directives) {
				continue
			}
			if byKey[s.Alias] == nil {
				byKey[s.Alias] = &selected{key: s.Alias}
				*fields = append(*fields, byKey[s.Alias])
			}
			byKey[s.Alias].fields = append(byKey[s.Alias].fields, s)
		case *ast.InlineFragment:
			if x.included(s.Directives) && x.applies(s.TypeCondition, def) {
				x.collect(def, s.SelectionSet, fields, byKey)
			}
		case *ast.FragmentSpread:
			if x.included(s.Directives) && x.applies(s.Definition.TypeCondition, def) {
				x.collect(def, s.Definition.SelectionSet, fields, byKey)
			}
		}
	}
}

// applies reports whether a fragment is for a type.
func (x *execution) applies(condition string, def *ast.Definition) bool {
	if condition == "" || condition == def.Name {
		return true
	}
	for _, one := range x.engine.schema.PossibleTypes[condition] {
		if one.Name == def.Name {
			return true
		}
	}
	return false
}

// included reads the directives @skip and @include.
func (x *execution) included(directives ast.DirectiveList) bool {
	condition := func(name string) (value, given bool) {
		d := directives.ForName(name)
		if d == nil {
			return false, false
		}
		arg := d.Arguments.ForName("if")
		if arg == nil {
			return false, false
		}
		v, _ := arg.Value.Value(x.operation.variables)
		is, _ := v.(bool)
		return is, true
	}
	if skip, given := condition("skip"); given && skip {
		return false
	}
	include, given := condition("include")
	return !given || include
}

// field resolves one field of all objects.
func (x *execution) field(def *ast.Definition, at int, f *selected, nodes []*node) {
	first := f.fields[0]
	if first.Name == "__typename" {
		for _, n := range nodes {
			n.object.values[at] = def.Name
		}
		return
	}
	t := def.Fields.ForName(first.Name).Type
	parents, places := make([]any, len(nodes)), make([]*place, len(nodes))
	for i, n := range nodes {
		parents[i] = n.value
		places[i] = &place{
			in: n.object.values, at: at, nonNull: t.NonNull, up: n.place, path: &step{up: n.place.path, key: f.key},
		}
	}
	values, err := x.resolve(def, f, parents)
	if err != nil {
		x.fail(first, places[0], err)
		for _, p := range places {
			p.null()
		}
		return
	}
	x.complete(t, f, places, values)
}

func (x *execution) resolve(def *ast.Definition, f *selected, parents []any) ([]any, error) {
	if err := x.ctx.Err(); err != nil {
		return nil, err
	}
	first := f.fields[0]
	args, err := fieldArgs(first, x.operation.variables)
	if err != nil {
		return nil, &Error{Message: err.Error()}
	}
	call := Call{Args: args, Type: def.Name, Field: first.Name, selected: map[string]bool{}}
	for _, one := range f.fields {
		x.names(one.SelectionSet, call.selected)
	}
	values, err := x.engine.resolver(def, first.Name)(x.ctx, call, parents)
	if err == nil && len(values) != len(parents) {
		err = fmt.Errorf("%s.%s returned %d values for %d parents", def.Name, first.Name, len(values), len(parents))
	}
	return values, err
}

// names collects the names of the fields of a selection set.
func (x *execution) names(set ast.SelectionSet, into map[string]bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			into[s.Name] = true
		case *ast.InlineFragment:
			x.names(s.SelectionSet, into)
		case *ast.FragmentSpread:
			x.names(s.Definition.SelectionSet, into)
		}
	}
}

// fail adds an error, unless the answer shows none for it.
func (x *execution) fail(f *ast.Field, p *place, err error) {
	var own *Error
	if !errors.As(err, &own) {
		text := x.explain(x.ctx, err, x.operation.Writes())
		if text == "" {
			return
		}
		own = &Error{Message: text}
	}
	if len(x.errs) >= maxErrors {
		return
	}
	x.errs = append(x.errs, &Error{Message: own.Message, Locations: at(f.Position), Path: p.path.list(), Extensions: own.Extensions})
}

// complete writes the values of a field into the answer, and resolves the fields of objects among them.
func (x *execution) complete(t *ast.Type, f *selected, places []*place, values []any) {
	places, values = x.withoutNulls(t, f, places, values)
	if len(values) == 0 {
		return
	}
	if t.Elem != nil {
		x.completeLists(t.Elem, f, places, values)
		return
	}
	def := x.engine.schema.Types[t.NamedType]
	if def.IsLeafType() {
		for i, v := range values {
			shown, err := leaf(def, v)
			if err != nil {
				x.fail(f.fields[0], places[i], err)
				places[i].null()
				continue
			}
			places[i].set(shown)
		}
		return
	}
	sets := make([]ast.SelectionSet, len(f.fields))
	for i, one := range f.fields {
		sets[i] = one.SelectionSet
	}
	var names []string
	byType := map[string][]*node{}
	for i, v := range values {
		name := def.Name
		if def.IsAbstractType() {
			name = v.(Typed).GraphQLType()
		}
		if byType[name] == nil {
			names = append(names, name)
		}
		byType[name] = append(byType[name], &node{value: v, place: places[i]})
	}
	for _, name := range names {
		x.objects(x.engine.schema.Types[name], sets, byType[name])
	}
}

// Typed is a value of an interface or a union; it names its object type.
type Typed interface{ GraphQLType() string }

// withoutNulls writes null and errors, and returns the other values.
func (x *execution) withoutNulls(t *ast.Type, f *selected, places []*place, values []any) ([]*place, []any) {
	var there []*place
	var rest []any
	for i, v := range values {
		err, isError := v.(error)
		switch {
		case isError:
			x.fail(f.fields[0], places[i], err)
		case !isNil(v):
			there, rest = append(there, places[i]), append(rest, v)
			continue
		case t.NonNull:
			x.fail(f.fields[0], places[i], &Error{
				Message: fmt.Sprintf("Cannot return null for non-nullable field %s", f.fields[0].Name),
			})
		}
		places[i].null()
	}
	return there, rest
}

// completeLists writes lists, and completes the elements of all of them together.
func (x *execution) completeLists(t *ast.Type, f *selected, places []*place, values []any) {
	var inner []*place
	var elements []any
	for i, v := range values {
		all := reflect.ValueOf(v)
		out := make(list, all.Len())
		places[i].set(out)
		for j := range all.Len() {
			inner = append(inner, &place{
				in: out, at: j, nonNull: t.NonNull, up: places[i], path: &step{up: places[i].path, key: j},
			})
			elements = append(elements, all.Index(j).Interface())
		}
	}
	x.complete(t, f, inner, elements)
}
