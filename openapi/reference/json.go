package reference

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"svc/openapi/ordered"
)

// How much of an answer the reference shows.
const (
	mostMembers = 20  // of the object itself
	mostInside  = 6   // of an object inside it
	oneLine     = 100 // columns up to which a value inside stays on one line
	longText    = 100 // characters of a text
)

// pretty returns JSON for a reader: indented, with long texts and objects cut. An ellipsis stands for what is left out.
func pretty(data []byte) (string, error) {
	value, err := ordered.Parse(data)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	indented(&b, cut(value), "", mostMembers)
	return b.String(), nil
}

// cut shortens long texts.
func cut(value any) any {
	switch value := value.(type) {
	case string:
		if utf8.RuneCountInString(value) > longText {
			return string([]rune(value)[:longText]) + "…"
		}
	case []any:
		for i := range value {
			value[i] = cut(value[i])
		}
	case *ordered.Object:
		for _, name := range value.Names {
			value.Set(name, cut(value.Get(name)))
		}
	}
	return value
}

func indented(b *bytes.Buffer, value any, indent string, most int) {
	short, err := ordered.Marshal(value)
	if err != nil { // cannot happen: the value was JSON
		return
	}
	inner := indent + "  "
	switch value := value.(type) {
	case *ordered.Object:
		if len(value.Names) == 0 || indent != "" && len(value.Names) <= mostInside && len(indent)+len(short) <= oneLine {
			b.Write(short)
			return
		}
		b.WriteString("{\n")
		for i, name := range value.Names {
			if i == most && len(value.Names) > most+1 {
				b.WriteString(inner + "…\n")
				break
			}
			key, _ := ordered.Marshal(name)
			b.WriteString(inner + string(key) + ": ")
			indented(b, value.Get(name), inner, mostInside)
			b.WriteString(strings.Repeat(",", min(1, len(value.Names)-1-i)) + "\n")
		}
		b.WriteString(indent + "}")
	case []any:
		if len(value) == 0 || indent != "" && len(indent)+len(short) <= oneLine {
			b.Write(short)
			return
		}
		b.WriteString("[\n" + inner)
		for i, item := range value {
			if i > 0 {
				b.WriteString(",\n" + inner)
			}
			if i == mostInside && len(value) > mostInside+1 {
				b.WriteString("…")
				break
			}
			indented(b, item, inner, most)
		}
		b.WriteString("\n" + indent + "]")
	default:
		b.Write(short)
	}
}
