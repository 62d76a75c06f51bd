package conformance

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// placeholder is a name in angle brackets, which stands for a value.
var placeholder = regexp.MustCompile(`<([a-z][a-z0-9_]*)>`)

// values has the values of placeholders. Those of a scenario are kept apart from those of the suite.
type values struct {
	parent *values
	mu     sync.RWMutex
	known  map[string]string
	lacks  map[string]string // why there is no value
}

func newValues(parent *values) *values {
	return &values{parent: parent, known: map[string]string{}, lacks: map[string]string{}}
}

func (v *values) set(name string, value any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[name] = text(value)
}

// lack records why a placeholder has no value.
func (v *values) lack(name, reason string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lacks[name] = reason
}

// get returns the value of a placeholder, or an error that says why there is none.
func (v *values) get(name string) (string, error) {
	v.mu.RLock()
	value, ok := v.known[name]
	reason := v.lacks[name]
	v.mu.RUnlock()
	switch {
	case ok:
		return value, nil
	case reason != "":
		return "", missingValue{name, reason}
	case v.parent != nil:
		return v.parent.get(name)
	}
	return "", missingValue{name, "nothing has given it"}
}

// hide replaces the secrets in a text by their names: tokens, secrets of applications and codes.
func (v *values) hide(text string) string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	for name, value := range v.known {
		if len(value) >= 10 && (strings.HasSuffix(name, "token") || strings.HasSuffix(name, "secret") || strings.HasSuffix(name, "code") ||
			strings.HasSuffix(name, "_key")) {
			text = strings.ReplaceAll(text, value, "$"+strings.ToUpper(name))
		}
	}
	if v.parent != nil {
		return v.parent.hide(text)
	}
	return text
}

// missingValue means that a case needs something that the installation does not have.
type missingValue struct{ name, reason string }

func (m missingValue) Error() string { return fmt.Sprintf("there is no <%s>: %s", m.name, m.reason) }

// fill replaces the placeholders in a text by their values, each of which passes through escape.
func (v *values) fill(template string, escape func(string) string) (string, error) {
	var problem error
	filled := placeholder.ReplaceAllStringFunc(template, func(found string) string {
		value, err := v.get(strings.Trim(found, "<>"))
		if err != nil && problem == nil {
			problem = err
		}
		return escape(value)
	})
	return filled, problem
}

// fillPath replaces the placeholders in a path and its query.
func (v *values) fillPath(template string) (string, error) {
	path, query, asked := strings.Cut(template, "?")
	path, err := v.fill(path, url.PathEscape)
	if err != nil || !asked {
		return path, err
	}
	query, err = v.fill(query, url.QueryEscape)
	return path + "?" + query, err
}

// asJSON escapes a value for a JSON text, without the quotation marks.
func asJSON(value string) string {
	data, _ := json.Marshal(value) // a string always marshals
	return strings.Trim(string(data), `"`)
}

func asItIs(value string) string { return value }

func asQuery(value string) string { return url.QueryEscape(value) }

// text returns a JSON value as the text that a placeholder stands for.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case nil:
		return ""
	case float64:
		return fmt.Sprintf("%.0f", value)
	default:
		return fmt.Sprint(value)
	}
}
