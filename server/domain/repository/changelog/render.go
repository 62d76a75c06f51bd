package changelog

import (
	"encoding/json"
	"strconv"
	"strings"
)

const (
	maxSteps  = 2_000_000
	maxOutput = 16 << 20
)

// renderer evaluates a template within limits on steps and output.
type renderer struct {
	out   strings.Builder
	steps int
}

func (t *Template) render(data any) (string, error) {
	var r renderer
	err := r.nodes(t.nodes, data)
	return r.out.String(), err
}

func (r *renderer) nodes(nodes []node, at any) error {
	for _, n := range nodes {
		if r.steps++; r.steps > maxSteps {
			return failed("The template takes too many steps")
		}
		if err := r.node(n, at); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) node(n node, at any) error {
	switch n.kind {
	case textNode:
		return r.write(n.text)
	case valueNode:
		return r.write(shown(find(at, n.path)))
	case ifNode:
		if truthy(find(at, n.path)) {
			return r.nodes(n.body, at)
		}
		return r.nodes(n.rest, at)
	}
	items, _ := find(at, n.path).([]any) // only lists can be iterated
	for _, item := range items {
		if r.steps++; r.steps > maxSteps { // a body may be empty
			return failed("The template takes too many steps")
		}
		if err := r.nodes(n.body, item); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) write(text string) error {
	if r.out.Len()+len(text) > maxOutput {
		return failed("The changelog has more than %d bytes", maxOutput)
	}
	r.out.WriteString(text)
	return nil
}

// find follows a path: names in objects, indexes in lists. It returns nil if the path does not exist.
func find(at any, path []string) any {
	for _, part := range path {
		switch value := at.(type) {
		case map[string]any:
			at = value[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(value) {
				return nil
			}
			at = value[i]
		default:
			return nil
		}
	}
	return at
}

// truthy returns false for nil, false and empty values.
func truthy(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case bool:
		return v
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

// shown returns a value as text. Lists and objects become JSON.
func shown(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}
