package middleware

import (
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"svc/openapi/wire"
	"svc/server/platform/apierr"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// Validate checks the input against the document, once, and passes the checked body to the generated binding.
func Validate(ops *Operations) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			in, ok := info(c).Input.(*input)
			if !ok {
				return next(c)
			}
			op := ops.Of(c)
			if err := validatePath(c, op); err != nil {
				return err
			}
			var texts, hints []string
			for i, p := range op.query {
				wrong, allowed := checkQuery(p, in, i)
				if len(wrong) > 0 && in.keyset && p.plain == "order_by" {
					return apierr.NoKeyset() // an order without keyset pagination, known or not
				}
				texts, hints = append(texts, wrong...), append(hints, allowed...)
			}
			if op.body != nil {
				err := op.body.VisitJSON(in.body, rules...)
				texts, hints = append(texts, explain(err, "", op.body)...), append(hints, allowed(err, "")...)
				r := c.Request()
				r.Body, r.ContentLength = &checkedBody{in.body}, -1
				r.Header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
			}
			if len(texts) > 0 {
				err := apierr.BadParameter(strings.Join(slices.Compact(texts), ", "))
				hints = slices.Compact(hints)
				return apierr.WithHint(err, strings.Join(hints[:min(len(hints), mostHints)], " "))
			}
			return next(c)
		}
	}
}

var (
	rules = []openapi3.SchemaValidationOption{
		openapi3.VisitAsRequest(), openapi3.MultiErrors(), openapi3.WithStringFormatValidators(texts),
	}

	// texts validates texts the way the generated code reads them: a date or a timestamp of a day that exists, and
	// bytes as base64.
	texts    = map[string]openapi3.StringFormatValidator{"date": readable, "date-time": readable, "binary": encoded}
	readable = openapi3.NewCallbackValidator(func(text string) error {
		_, err := wire.ParseTime(text)
		return err
	})
	encoded = openapi3.NewCallbackValidator(func(text string) error {
		_, err := base64.StdEncoding.DecodeString(text)
		return err
	})
)

// checkedBody carries the validated value to the generated code, which binds it as it is. Reading from it fails,
// because the fallback of the generated code would otherwise treat a value that does not fit as an empty body.
type checkedBody struct{ value any }

// ValidatedValue returns the value that the generated code binds.
func (b *checkedBody) ValidatedValue() any { return b.value }

func (b *checkedBody) Read([]byte) (int, error) {
	return 0, errors.New("the body does not match its type")
}
func (b *checkedBody) Close() error { return nil }

// validatePath treats a path parameter that does not fit as a path that does not exist.
func validatePath(c echo.Context, op *Operation) error {
	for _, p := range op.path {
		value := c.Param(p.name)
		if c.Request().URL.RawPath != "" {
			value, _ = url.PathUnescape(value) // foldPath has refused malformed values
		}
		var typed any = value
		if p.schema.Type.Is("integer") {
			typed = number(value)
		}
		if p.schema.VisitJSON(typed) != nil {
			return apierr.WithHint(apierr.NoRoute(), p.name+" must be "+kind(p.schema)+".")
		}
	}
	return nil
}

// checkQuery returns what is wrong with a query parameter, and hints.
func checkQuery(p parameter, in *input, i int) (wrong, hints []string) {
	if !in.given[i] {
		if p.required {
			return []string{p.plain + " is missing"}, nil
		}
		return nil, nil
	}
	err := p.schema.VisitJSON(in.query[i], rules...)
	return explain(err, p.plain, p.schema), allowed(err, p.plain)
}

// explain turns validation errors into the texts of the contract. Missing members come first, in the order of the
// document.
func explain(err error, name string, schema *openapi3.Schema) []string {
	if err == nil {
		return nil
	}
	var missing, wrong []string
	for _, e := range flatten(err) {
		text := parameterName(name, blamed(e)) + " " + reason(e)
		if e.SchemaField == "required" {
			missing = append(missing, text)
		} else {
			wrong = append(wrong, text)
		}
	}
	slices.SortStableFunc(missing, func(a, b string) int { return order(schema, a) - order(schema, b) })
	slices.Sort(wrong)
	return append(missing, onePerName(wrong)...)
}

// blamed returns the path of the wrong value. For a wrong element of a list it is the path of the list.
func blamed(e *openapi3.SchemaError) []string {
	path := append([]string{}, e.JSONPointer()...)
	if last := len(path) - 1; last >= 0 && e.SchemaField == "enum" {
		if _, err := strconv.Atoi(path[last]); err == nil {
			return path[:last]
		}
	}
	return path
}

func flatten(err error) []*openapi3.SchemaError {
	var multi openapi3.MultiError
	var one *openapi3.SchemaError
	switch {
	case errors.As(err, &multi):
		var all []*openapi3.SchemaError
		for _, e := range multi {
			all = append(all, flatten(e)...)
		}
		return all
	case errors.As(err, &one):
		return []*openapi3.SchemaError{one}
	}
	return []*openapi3.SchemaError{{SchemaField: "type", Reason: err.Error()}}
}

func reason(e *openapi3.SchemaError) string {
	if e.SchemaField == "required" {
		return "is missing"
	}
	if e.Value == nil || e.Value == "" { // an empty optional member would count as not given
		return "is empty"
	}
	switch e.SchemaField {
	case "enum", "minimum", "maximum":
		return "does not have a valid value"
	case "minLength", "minItems":
		return "is empty"
	case "not":
		return "has a value not allowed"
	}
	return "is invalid"
}

// onePerName keeps one text for each parameter: the first, or "has a value not allowed", which says more than "does not
// have a valid value".
func onePerName(texts []string) []string {
	best := map[string]string{}
	var names []string
	for _, t := range texts {
		name, _, _ := strings.Cut(t, " ")
		if _, ok := best[name]; !ok {
			names = append(names, name)
			best[name] = t
		} else if strings.HasSuffix(t, "has a value not allowed") {
			best[name] = t
		}
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = best[name]
	}
	return out
}

// parameterName writes a JSON pointer in the form that callers use: variables[0][key].
func parameterName(name string, path []string) string {
	for _, step := range path {
		if name == "" {
			name = step
		} else {
			name += "[" + step + "]"
		}
	}
	if name == "" {
		return "The request body"
	}
	return name
}

func order(schema *openapi3.Schema, text string) int {
	name, _, _ := strings.Cut(text, " ")
	if i := slices.Index(schema.Required, name); i >= 0 {
		return i
	}
	return len(schema.Required)
}

// number converts a path parameter that must be a number; any other text stays a text and fails its schema.
func number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && s[0] != '+' {
		return float64(n)
	}
	return s
}
