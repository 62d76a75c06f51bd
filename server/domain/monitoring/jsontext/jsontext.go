// Package jsontext checks JSON before it is parsed.
package jsontext

// TooDeep reports whether JSON is nested deeper than a number of levels. It only looks at brackets, so it is fast.
func TooDeep(data []byte, most int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
