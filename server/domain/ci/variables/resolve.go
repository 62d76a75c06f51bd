package variables

import "strings"

// ResolveForRunner expands the variables of a job for the runner, which expands each value once more. So unknown names and $$
// stay as they are, because the shell of the runner may know them. Dollar signs of raw values are doubled where another
// value contains them. The order stays the same. The list must not contain a key twice.
func ResolveForRunner(list []Variable) ([]Variable, error) {
	r := resolver{known: NewLayer(list), done: make(map[string]string, len(list)), open: map[string]bool{}}
	resolved := make([]Variable, len(list))
	for i, v := range list {
		if !v.Raw {
			value, err := r.value(v)
			if err != nil {
				return nil, err
			}
			v.Value = value
		}
		resolved[i] = v
	}
	return resolved, nil
}

type resolver struct {
	known Layer
	done  map[string]string
	open  map[string]bool
}

func (r *resolver) value(v Variable) (string, error) {
	if !strings.Contains(v.Value, "$") {
		return v.Value, nil
	}
	if value, ok := r.done[v.Key]; ok {
		return value, nil
	}
	r.open[v.Key] = true
	defer delete(r.open, v.Key)
	var out strings.Builder
	err := scan(v.Value, &out, func(written, name string) (string, error) {
		other, known := r.known[name]
		switch {
		case !known || other.File || r.open[name]:
			return written, nil // the value is the path of a file, which only the runner can set
		case other.Raw:
			return strings.ReplaceAll(other.Value, "$", "$$"), nil
		}
		return r.value(other)
	})
	if err != nil {
		return "", &TooLongError{Key: v.Key}
	}
	r.done[v.Key] = out.String()
	return out.String(), nil
}

// Cycle finds variables that refer to each other. It returns the keys of one cycle, in order, or nil. A variable that
// names itself is no cycle: it extends a value that the shell already has.
func Cycle(list []Variable) []string {
	c := cycle{known: NewLayer(list), state: make(map[string]int8, len(list))}
	for _, v := range list {
		if found := c.visit(v.Key); found != nil {
			return found
		}
	}
	return nil
}

type cycle struct {
	known Layer
	state map[string]int8 // 1: being visited, 2: done
	way   []string
}

func (c *cycle) visit(key string) []string {
	v, known := c.known[key]
	if !known || v.Raw || c.state[key] == 2 {
		return nil
	}
	if c.state[key] == 1 {
		for i, k := range c.way {
			if k == key {
				return append([]string(nil), c.way[i:]...)
			}
		}
	}
	c.state[key] = 1
	c.way = append(c.way, key)
	for _, name := range Names(v.Value) {
		if name == key {
			continue
		}
		if found := c.visit(name); found != nil {
			return found
		}
	}
	c.way = c.way[:len(c.way)-1]
	c.state[key] = 2
	return nil
}
