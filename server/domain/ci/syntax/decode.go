package syntax

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// decoder converts values to Go types. Its methods add errors for invalid values and leave them out. They start each
// message with the subject that the caller passes: "jobs:test:image config" or "jobs:test:image name".
type decoder struct {
	*problems
	expressions map[string]*expression // cache, because jobs often have the same conditions
}

// expression parses a condition, or returns it from the cache.
func (d decoder) expression(source string) (*expression, error) {
	if e, known := d.expressions[source]; known {
		return e, nil
	}
	e, err := parseExpression(source)
	if err == nil {
		d.expressions[source] = e
	}
	return e, err
}

// fields maps the allowed keys of a dictionary to functions that read their values.
type fields map[string]func(v *value)

// object reads a dictionary. A key with the value null counts as absent.
func (d decoder) object(path string, v *value, known fields) bool {
	if v.kind != dict {
		d.fail(v.at, "%s config should be a hash", path)
		return false
	}
	var unknown []string
	var at position
	for _, e := range v.entries {
		read, ok := known[e.key]
		switch {
		case !ok:
			if unknown == nil {
				at = e.at
			}
			unknown = append(unknown, clip(e.key))
		case e.value.kind != null:
			read(e.value)
		}
	}
	if unknown != nil {
		d.fail(at, "%s config contains unknown keys: %s", path, strings.Join(unknown, ", "))
	}
	return true
}

// text reads a string. Numbers and booleans are accepted as written.
func (d decoder) text(subject string, v *value) string {
	if !v.isScalar() {
		d.fail(v.at, "%s should be a string", subject)
		return ""
	}
	return v.text
}

// texts reads a list of strings.
func (d decoder) texts(subject string, v *value) []string {
	if v.kind != list {
		d.fail(v.at, "%s should be an array of strings", subject)
		return nil
	}
	all := make([]string, 0, len(v.items))
	for _, item := range v.items {
		if !item.isScalar() {
			d.fail(item.at, "%s should be an array of strings", subject)
			return nil
		}
		all = append(all, item.text)
	}
	return all
}

// textOrTexts reads one string or a list of strings.
func (d decoder) textOrTexts(subject string, v *value) []string {
	if v.isScalar() {
		return []string{v.text}
	}
	if v.kind != list {
		d.fail(v.at, "%s should be an array of strings or a string", subject)
		return nil
	}
	return d.texts(subject, v)
}

// maxNesting is how deeply lists may be nested in scripts and rules.
const maxNesting = 10

// flatten flattens nested lists, which !reference can produce. It returns false if they are nested too deeply.
func flatten(v *value, depth int, out []*value) ([]*value, bool) {
	if v.kind != list {
		return append(out, v), true
	}
	if depth > maxNesting {
		return out, false
	}
	ok := true
	for _, item := range v.items {
		if out, ok = flatten(item, depth+1, out); !ok {
			break
		}
	}
	return out, ok
}

func (d decoder) boolean(subject string, v *value) bool {
	if v.kind != boolean {
		d.fail(v.at, "%s should be a boolean value", subject)
		return false
	}
	return isTrue(v)
}

func isTrue(v *value) bool {
	switch strings.ToLower(v.text) {
	case "true", "yes", "on":
		return true
	}
	return false
}

// wholeNumber reads an integer. It returns false if the value is not an integer.
func (d decoder) wholeNumber(subject string, v *value) (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "_", ""), 0, 32)
	if v.kind != integer || err != nil {
		d.fail(v.at, "%s should be an integer", subject)
		return 0, false
	}
	return int(n), true
}

func (d decoder) duration(subject string, v *value, longest time.Duration) time.Duration {
	var length time.Duration
	ok := v.isScalar() && v.kind != boolean
	if ok {
		length, ok = ParseDuration(v.text)
	}
	switch {
	case !ok:
		d.fail(v.at, "%s should be a duration", subject)
	case length > longest:
		d.fail(v.at, "%s should not exceed the limit", subject)
	default:
		return length
	}
	return 0
}

// choice reads one of the given words.
func (d decoder) choice(subject string, v *value, words ...string) string {
	if !v.isScalar() || !slices.Contains(words, v.text) {
		d.fail(v.at, "%s should be one of: %s", subject, strings.Join(words, ", "))
		return ""
	}
	return v.text
}

// choices reads one or several of the given words.
func (d decoder) choices(subject string, v *value, words ...string) []string {
	all := d.textOrTexts(subject, v)
	var unknown []string
	for _, word := range all {
		if !slices.Contains(words, word) {
			unknown = append(unknown, clip(word))
		}
	}
	if unknown != nil {
		d.fail(v.at, "%s contains unknown values: %s", subject, strings.Join(unknown, ", "))
		return nil
	}
	return all
}
