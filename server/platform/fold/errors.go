// Package fold turns JSON, form fields and query parameters into the one JSON shape that an OpenAPI 3.0 schema describes.
package fold

import (
	"unicode"
	"unicode/utf8"
)

// Error is input that cannot be folded; Name is the parameter as a caller writes it ("variables[0][key]"), empty for the
// body as a whole.
type Error struct{ Name, Reason string }

// Error says which parameter is refused and why, in the words of the API's parameter validation.
func (e *Error) Error() string {
	if e.Name == "" {
		return e.Reason
	}
	return e.Name + " " + e.Reason
}

// Limits bounds what is accepted: levels of nesting, and members and elements in total; zero means the default.
type Limits struct {
	Depth  int
	Values int
}

// DefaultLimits are far above what a client sends and far below what hurts.
var DefaultLimits = Limits{Depth: 100, Values: 20000}

const (
	// deepest caps Limits.Depth, because decoding recurses once per level.
	deepest = 10000
	// longestName keeps an answer from echoing a large piece of the request.
	longestName = 200
	// longestNumber leaves room for every real number and none for digits by the megabyte.
	longestNumber = 1000
)

const (
	isInvalid   = "is invalid"
	isRepeated  = "is given more than once"
	isTooDeep   = "is nested too deeply"
	bodyFormat  = "message body does not match declared format"
	bodyTooDeep = "message body " + isTooDeep
	tooMany     = "too many parameters"
	aParameter  = "a parameter "
)

// filled replaces what the caller left out or set beyond reason.
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

// refuse names the parameter only if its name can be shown: it may itself be what is wrong.
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
