package engine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// typeRef is a type as introspection shows it: a named type, or a list or non-null type around another.
type typeRef struct {
	def *ast.Definition // of a named type
	t   *ast.Type       // of a wrapping type
}

func (e *Engine) named(name string) any {
	if def := e.schema.Types[name]; def != nil {
		return typeRef{def: def}
	}
	return nil
}

func (e *Engine) ref(t *ast.Type) typeRef {
	if t.NonNull || t.Elem != nil {
		return typeRef{t: t}
	}
	return typeRef{def: e.schema.Types[t.NamedType]}
}

func (r typeRef) kind() string {
	switch {
	case r.def != nil:
		return string(r.def.Kind)
	case r.t.NonNull:
		return "NON_NULL"
	}
	return "LIST"
}

// inner returns the type inside a wrapping type.
func (e *Engine) inner(r typeRef) any {
	switch {
	case r.t == nil:
		return nil
	case r.t.NonNull:
		inside := *r.t
		inside.NonNull = false
		return e.ref(&inside)
	}
	return e.ref(r.t.Elem)
}

// addIntrospection adds the resolvers of __schema and __type.
func (e *Engine) addIntrospection() {
	query := maps.Clone(e.types["Query"])
	query["__schema"] = Value(func(struct{}) any { return e.schema })
	query["__type"] = func1(func(args Args, _ struct{}) any { return e.named(args.Text("name")) })
	e.types["Query"] = query
	e.types["__Schema"] = Resolvers{
		"description":      Value(func(s *ast.Schema) any { return orNull(s.Description) }),
		"queryType":        Value(func(s *ast.Schema) any { return typeRef{def: s.Query} }),
		"mutationType":     Value(func(s *ast.Schema) any { return e.named("Mutation") }),
		"subscriptionType": Value(func(*ast.Schema) any { return nil }),
		"types": Value(func(s *ast.Schema) any {
			var all []any
			for _, name := range slices.Sorted(maps.Keys(s.Types)) {
				all = append(all, e.named(name))
			}
			return all
		}),
		"directives": Value(func(s *ast.Schema) any {
			var all []any
			for _, name := range slices.Sorted(maps.Keys(s.Directives)) {
				all = append(all, s.Directives[name])
			}
			return all
		}),
	}
	e.types["__Type"] = e.typeResolvers()
	e.types["__Field"] = Resolvers{
		"name":              Value(func(f *ast.FieldDefinition) any { return f.Name }),
		"description":       Value(func(f *ast.FieldDefinition) any { return orNull(f.Description) }),
		"type":              Value(func(f *ast.FieldDefinition) any { return e.ref(f.Type) }),
		"isDeprecated":      Value(func(f *ast.FieldDefinition) any { return deprecated(f.Directives) }),
		"deprecationReason": Value(func(f *ast.FieldDefinition) any { return reason(f.Directives) }),
		"args": func1(func(args Args, f *ast.FieldDefinition) any {
			return inputs(f.Arguments, args, func(a *ast.ArgumentDefinition) ast.DirectiveList { return a.Directives })
		}),
	}
	e.types["__InputValue"] = e.inputResolvers()
	e.types["__EnumValue"] = Resolvers{
		"name":              Value(func(v *ast.EnumValueDefinition) any { return v.Name }),
		"description":       Value(func(v *ast.EnumValueDefinition) any { return orNull(v.Description) }),
		"isDeprecated":      Value(func(v *ast.EnumValueDefinition) any { return deprecated(v.Directives) }),
		"deprecationReason": Value(func(v *ast.EnumValueDefinition) any { return reason(v.Directives) }),
	}
	e.types["__Directive"] = Resolvers{
		"name":         Value(func(d *ast.DirectiveDefinition) any { return d.Name }),
		"description":  Value(func(d *ast.DirectiveDefinition) any { return orNull(d.Description) }),
		"isRepeatable": Value(func(d *ast.DirectiveDefinition) any { return d.IsRepeatable }),
		"locations":    Value(func(d *ast.DirectiveDefinition) any { return d.Locations }),
		"args": func1(func(args Args, d *ast.DirectiveDefinition) any {
			return inputs(d.Arguments, args, func(a *ast.ArgumentDefinition) ast.DirectiveList { return a.Directives })
		}),
	}
	for name, own := range e.types { // the library may know fewer fields of these types
		if def := e.schema.Types[name]; strings.HasPrefix(name, "__") && def != nil {
			maps.DeleteFunc(own, func(field string, _ Resolver) bool { return def.Fields.ForName(field) == nil })
		}
	}
}

func (e *Engine) typeResolvers() Resolvers {
	ofDef := func(read func(*ast.Definition) any) Resolver {
		return Value(func(r typeRef) any {
			if r.def == nil {
				return nil
			}
			return read(r.def)
		})
	}
	return Resolvers{
		"kind":           Value(func(r typeRef) any { return r.kind() }),
		"name":           ofDef(func(d *ast.Definition) any { return d.Name }),
		"description":    ofDef(func(d *ast.Definition) any { return orNull(d.Description) }),
		"specifiedByURL": ofDef(func(*ast.Definition) any { return nil }),
		"ofType":         Value(func(r typeRef) any { return e.inner(r) }),
		"isOneOf": ofDef(func(d *ast.Definition) any {
			if d.Kind != ast.InputObject {
				return nil
			}
			return d.Directives.ForName("oneOf") != nil
		}),
		"fields": func1(func(args Args, r typeRef) any {
			if r.def == nil || (r.def.Kind != ast.Object && r.def.Kind != ast.Interface) {
				return nil
			}
			return fields(r.def.Fields, args)
		}),
		"inputFields": func1(func(args Args, r typeRef) any {
			if r.def == nil || r.def.Kind != ast.InputObject {
				return nil
			}
			return fields(r.def.Fields, args)
		}),
		"interfaces": ofDef(func(d *ast.Definition) any {
			if d.Kind != ast.Object && d.Kind != ast.Interface {
				return nil
			}
			all := []any{}
			for _, name := range d.Interfaces {
				all = append(all, e.named(name))
			}
			return all
		}),
		"possibleTypes": ofDef(func(d *ast.Definition) any {
			if !d.IsAbstractType() {
				return nil
			}
			all := []any{}
			for _, one := range e.schema.PossibleTypes[d.Name] {
				all = append(all, typeRef{def: one})
			}
			return all
		}),
		"enumValues": func1(func(args Args, r typeRef) any {
			if r.def == nil || r.def.Kind != ast.Enum {
				return nil
			}
			return inputs(r.def.EnumValues, args, func(v *ast.EnumValueDefinition) ast.DirectiveList { return v.Directives })
		}),
	}
}

// inputResolvers are for arguments of fields and for members of input objects.
func (e *Engine) inputResolvers() Resolvers {
	type input struct {
		name, description string
		t                 *ast.Type
		value             *ast.Value
		directives        ast.DirectiveList
	}
	of := func(read func(input) any) Resolver {
		return Value(func(v any) any {
			if a, ok := v.(*ast.ArgumentDefinition); ok {
				return read(input{a.Name, a.Description, a.Type, a.DefaultValue, a.Directives})
			}
			f := v.(*ast.FieldDefinition)
			return read(input{f.Name, f.Description, f.Type, f.DefaultValue, f.Directives})
		})
	}
	return Resolvers{
		"name":        of(func(i input) any { return i.name }),
		"description": of(func(i input) any { return orNull(i.description) }),
		"type":        of(func(i input) any { return e.ref(i.t) }),
		"defaultValue": of(func(i input) any {
			if i.value == nil {
				return nil
			}
			return i.value.String()
		}),
		"isDeprecated":      of(func(i input) any { return deprecated(i.directives) }),
		"deprecationReason": of(func(i input) any { return reason(i.directives) }),
	}
}

// func1 makes a resolver of a function of the arguments and one parent.
func func1[T any](read func(Args, T) any) Resolver {
	return Batch(func(_ context.Context, call Call, parents []T) ([]any, error) {
		values := make([]any, len(parents))
		for i, p := range parents {
			values[i] = read(call.Args, p)
		}
		return values, nil
	})
}

// fields lists the fields of a type, without those that every type has.
func fields(all ast.FieldList, args Args) []any {
	out := []any{}
	for _, f := range all {
		if !strings.HasPrefix(f.Name, "__") && (args.Bool("includeDeprecated") || !deprecated(f.Directives)) {
			out = append(out, f)
		}
	}
	return out
}

// inputs lists arguments or values, without the deprecated ones unless the arguments ask for them.
func inputs[T any](all []T, args Args, directives func(T) ast.DirectiveList) []any {
	out := []any{}
	for _, one := range all {
		if args.Bool("includeDeprecated") || !deprecated(directives(one)) {
			out = append(out, one)
		}
	}
	return out
}

func deprecated(d ast.DirectiveList) bool { return d.ForName("deprecated") != nil }

func reason(d ast.DirectiveList) any {
	found := d.ForName("deprecated")
	if found == nil {
		return nil
	}
	if arg := found.Arguments.ForName("reason"); arg != nil {
		return arg.Value.Raw
	}
	return "No longer supported"
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
