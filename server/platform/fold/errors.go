// Package fold turns JSON, form fields and query parameters into the one JSON shape that an OpenAPI 3.0 schema
// describes. Validation follows elsewhere.
//
//	errors.go      the error type and the limits of a request
//	json.go        strict decoding of JSON
//	jsonstring.go  strings of JSON
//	number.go      the syntax of numbers
//	query.go       queries and form bodies as pairs of names and values
//	nest.go        nested values from names with brackets
//	settle.go      lists by index become arrays
//	parameter.go   one query parameter
//	merge.go       query parameters as members of a body
//	coerce.go      values become the types of the schema
//	scalar.go      numbers, booleans and texts in other spellings
//	blank.go       null and the empty text
//	fit.go         which alternative of a schema a value is meant for
//	schema.go      questions about a schema
package fold

import (
	"unicode"
	"unicode/utf8"
)

// Error says that the input cannot be read. Name is the parameter as a client writes it ("variables[0][key]"), empty
// for the body as a whole.
type Error struct{ Name, Reason string }

// Error returns the parameter and the reason, in the words of the API's parameter validation.
func (e *Error) Error() string {
	if e.Name == "" {
		return e.Reason
	}
	return e.Name + " " + e.Reason
}

// Limits bounds the levels of nesting, and the total number of members and elements; zero means the default.
type Limits struct {
	Depth  int
	Values int
}

// DefaultLimits are far above what a client sends and far below what could overload the service.
var DefaultLimits = Limits{Depth: 100, Values: 20000}

const (
	// deepest is the largest allowed Limits.Depth, because decoding recurses once per level.
	deepest = 10000
	// longestName keeps a response from echoing a large piece of the request.
	longestName = 200
	// longestNumber is enough for every real number, and stops digits by the megabyte.
	longestNumber = 1000
)

const (
	isInvalid   = "is invalid"
	isRepeated  = "was sent more than once"
	isTooDeep   = "is nested too deeply"
	bodyFormat  = "message body does not match declared format"
	bodyTooDeep = "message body " + isTooDeep
	tooMany     = "too many parameters"
	aParameter  = "a parameter "
)

// filled replaces missing limits by the defaults, and caps the depth.
func (l Limits) filled() Limits {
	if l.Depth <= 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.Values <= 0 {
		l.Values = DefaultLimits.Values
	}
	l.Depth = min(l.Depth, deepest)
	return l
}

// refuse names the parameter only if its name is printable: the name itself may be the mistake.
func refuse(name, reason string) *Error {
	if !printable(name) {
		return &Error{Reason: aParameter + reason}
	}
	return &Error{Name: name, Reason: reason}
}

func printable(name string) bool {
	if name == "" || len(name) > longestName || !utf8.ValidString(name) {
		return false
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
