package syntax

import (
	"strconv"
	"strings"
)

const maxFunctions = 3 // in one $[[ … ]]

// interpolator replaces $[[ inputs.name | function ]] with the value of the input.
type interpolator struct {
	*loader
	inputs map[string]*value
	weight int
	done   map[*value]*value // shared values stay shared
}

func (i *interpolator) value(v *value) *value {
	if done, ok := i.done[v]; ok {
		return done
	}
	filled := i.fill(v)
	i.done[v] = filled
	return filled
}

func (i *interpolator) fill(v *value) *value {
	if i.weight += 8 + len(v.text); i.weight > maxWeight {
		i.fail(v.at, "The parsed YAML is too big")
		return newScalar(null, "", v.at)
	}
	switch v.kind {
	case text:
		return i.scalar(v)
	case list, tagged:
		items := make([]*value, len(v.items))
		for n, item := range v.items {
			items[n] = i.value(item)
		}
		filled := newList(items, v.at)
		filled.kind = v.kind
		return filled
	case dict:
		entries := make([]entry, len(v.entries))
		for n, e := range v.entries {
			if strings.Contains(e.key, "$[[") {
				e.key = i.scalar(newScalar(text, e.key, e.at)).text
			}
			e.value = i.value(e.value)
			entries[n] = e
		}
		return newDict(entries, v.at)
	}
	return v
}

// scalar replaces the blocks in a text. If the text is a single block, the result has the type of the input.
func (i *interpolator) scalar(v *value) *value {
	if !strings.Contains(v.text, "$[[") {
		return v
	}
	var out strings.Builder
	rest := v.text
	for {
		before, after, found := strings.Cut(rest, "$[[")
		out.WriteString(before)
		if !found {
			break
		}
		block, tail, closed := strings.Cut(after, "]]")
		if !closed {
			out.WriteString("$[[" + after)
			break
		}
		filled := i.block(v, block)
		if filled == nil {
			return v
		}
		if before == "" && tail == "" && out.Len() == 0 {
			moved := *filled
			moved.at = v.at
			return &moved
		}
		if !filled.isScalar() {
			i.fail(v.at, "an array cannot be used inside a string: %s", clip(block))
			return v
		}
		out.WriteString(filled.text)
		if rest = tail; out.Len() > MaxFile {
			i.fail(v.at, "The parsed YAML is too big")
			return v
		}
	}
	i.weight += out.Len()
	return newScalar(text, out.String(), v.at)
}

// block returns the value of the text between $[[ and ]].
func (i *interpolator) block(v *value, source string) *value {
	parts := strings.Split(source, "|")
	name, ok := strings.CutPrefix(strings.TrimSpace(parts[0]), "inputs.")
	filled := i.inputs[name]
	switch {
	case !ok || filled == nil:
		i.fail(v.at, "unknown interpolation key: `%s`", clip(strings.TrimSpace(parts[0])))
		return nil
	case len(parts) > maxFunctions+1:
		i.fail(v.at, "too many functions in interpolation block")
		return nil
	}
	for _, function := range parts[1:] {
		if filled = i.apply(v, strings.TrimSpace(function), filled); filled == nil {
			return nil
		}
	}
	return filled
}

func (i *interpolator) apply(v *value, function string, arg *value) *value {
	name, params, _ := strings.Cut(function, "(")
	if !arg.isScalar() {
		i.fail(v.at, "error in `%s` function: the value is not a string", clip(name))
		return nil
	}
	switch name {
	case "expand_vars":
		if expanded, ok := i.expand(v.at, arg.text); ok {
			return newScalar(text, expanded, v.at)
		}
		return nil
	case "posix_escape":
		return newScalar(text, posixEscape(arg.text), v.at)
	case "truncate":
		first, second, _ := strings.Cut(strings.TrimSuffix(params, ")"), ",")
		offset, err1 := strconv.Atoi(strings.TrimSpace(first))
		length, err2 := strconv.Atoi(strings.TrimSpace(second))
		if err1 == nil && err2 == nil && offset >= 0 && length >= 0 {
			runes := []rune(arg.text)
			runes = runes[min(offset, len(runes)):]
			return newScalar(text, string(runes[:min(length, len(runes))]), v.at)
		}
	}
	i.fail(v.at, "no function matching `%s`: check that the function name, arguments, and types are correct", clip(function))
	return nil
}

// posixEscape quotes a text as one word for a POSIX shell.
func posixEscape(s string) string {
	if s == "" {
		return "''"
	}
	var out strings.Builder
	for _, r := range s {
		plain := r >= 0x80 || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("_-.,:+/@", r)
		switch {
		case r == '\n':
			out.WriteString("'\n'")
			continue
		case !plain:
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
