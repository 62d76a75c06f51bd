package variables

import (
	"fmt"
	"strings"
)

// MaxExpanded is the largest size of a text after expansion, in bytes.
const MaxExpanded = 1 << 20

// A TooLongError means that a text would exceed MaxExpanded.
type TooLongError struct{ Key string }

func (e *TooLongError) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("the value has more than %d bytes after its variables are expanded", MaxExpanded)
	}
	return fmt.Sprintf("the variable %s has more than %d bytes after it is expanded", e.Key, MaxExpanded)
}

// A Set looks up and expands variables for use in the service itself. An unknown name expands to nothing, and $$ to a
// dollar sign. A variable that refers back to itself expands to its own name at that point.
type Set struct {
	layers []Layer // the last one wins
	values map[string]string
	open   map[string]bool // currently being expanded
}

// NewSet returns a set of layers in increasing precedence. It only reads the layers.
func NewSet(layers ...Layer) *Set {
	return &Set{layers: layers, values: map[string]string{}, open: map[string]bool{}}
}

// With returns a set with one more layer, which takes precedence over all others.
func (s *Set) With(layer Layer) *Set {
	return NewSet(append(s.layers[:len(s.layers):len(s.layers)], layer)...)
}

// Find returns the unexpanded variable.
func (s *Set) Find(key string) (Variable, bool) {
	for i := len(s.layers) - 1; i >= 0; i-- {
		if v, ok := s.layers[i][key]; ok {
			return v, true
		}
	}
	return Variable{}, false
}

// Get returns the expanded value of a variable, or false if it does not exist.
func (s *Set) Get(key string) (string, bool, error) {
	v, ok := s.Find(key)
	if !ok {
		return "", false, nil
	}
	if v.Raw || !strings.Contains(v.Value, "$") {
		return v.Value, true, nil
	}
	if value, done := s.values[key]; done {
		return value, true, nil
	}
	if s.open[key] {
		return "$" + key, true, nil
	}
	s.open[key] = true
	value, err := s.Expand(v.Value)
	delete(s.open, key)
	if err != nil {
		return "", true, &TooLongError{Key: key}
	}
	s.values[key] = value // always cached: otherwise 30 variables that each name the next one twice take for ever
	return value, true, nil
}

// Expand replaces the variables in a text with their values.
func (s *Set) Expand(text string) (string, error) { return s.expand(text, false) }

// ExpandKnown is like Expand, but leaves unknown names as they are.
func (s *Set) ExpandKnown(text string) (string, error) { return s.expand(text, true) }

func (s *Set) expand(text string, keepUnknown bool) (string, error) {
	if !strings.Contains(text, "$") {
		return text, nil
	}
	var out strings.Builder
	err := scan(text, &out, func(written, name string) (string, error) {
		if name == "$" {
			return "$", nil
		}
		value, known, err := s.Get(name)
		if !known && keepUnknown {
			return written, nil
		}
		return value, err
	})
	return out.String(), err
}

// scan copies a text to out. For each $NAME, ${NAME} and $$ (whose name is "$"), it writes the result of replace
// instead.
func scan(text string, out *strings.Builder, replace func(written, name string) (string, error)) error {
	for {
		dollar := strings.IndexByte(text, '$')
		if dollar < 0 {
			dollar = len(text)
		}
		if out.Len()+dollar > MaxExpanded {
			return &TooLongError{}
		}
		out.WriteString(text[:dollar])
		if dollar == len(text) {
			return nil
		}
		text = text[dollar:]
		written, name := reference(text)
		if name == "" {
			out.WriteByte('$')
			text = text[1:]
			continue
		}
		value, err := replace(written, name)
		if err != nil {
			return err
		}
		if out.Len()+len(value) > MaxExpanded {
			return &TooLongError{}
		}
		out.WriteString(value)
		text = text[len(written):]
	}
}

// reference parses the variable at the beginning of a text that starts with a dollar sign.
func reference(text string) (written, name string) {
	rest := text[1:]
	if strings.HasPrefix(rest, "$") {
		return "$$", "$"
	}
	braced := strings.HasPrefix(rest, "{")
	if braced {
		rest = rest[1:]
	}
	n := 0
	for n < len(rest) && isName(rest[n], n) {
		n++
	}
	if n == 0 {
		return "", ""
	}
	if !braced {
		return text[:1+n], rest[:n]
	}
	if n == len(rest) || rest[n] != '}' {
		return "", ""
	}
	return text[:n+3], rest[:n]
}

func isName(c byte, at int) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || at > 0 && c >= '0' && c <= '9'
}

// IsKey reports whether a text is a valid variable name, so that $NAME can refer to it.
func IsKey(key string) bool {
	for i := range len(key) {
		if !isName(key[i], i) {
			return false
		}
	}
	return key != ""
}

// Names returns the names of the variables that a text refers to, in order.
func Names(text string) []string {
	if !strings.Contains(text, "$") {
		return nil
	}
	var names []string
	for i := strings.IndexByte(text, '$'); i >= 0 && i < len(text); {
		written, name := reference(text[i:])
		if name != "" && name != "$" {
			names = append(names, name)
		}
		i += max(len(written), 1)
		next := strings.IndexByte(text[i:], '$')
		if next < 0 {
			break
		}
		i += next
	}
	return names
}
