package fold

import (
	"encoding/json"
	"strings"
)

func asInteger(v any) (any, bool) {
	switch t := v.(type) {
	case string:
		if n, ok := integer(t); ok {
			return n, true
		}
	case json.Number:
		if n, ok := wholeNumber(t); ok {
			return n, true
		}
	}
	return v, false
}

func asNumber(v any) (any, bool) {
	if text, ok := v.(string); ok {
		if n, ok := decimal(text); ok {
			return n, true
		}
	}
	return v, false
}

func asBoolean(v any) (any, bool) {
	word := ""
	switch t := v.(type) {
	case string:
		word = t
	case json.Number:
		if t != "0" && t != "1" {
			return v, false
		}
		word = string(t)
	default:
		return v, false
	}
	if b, ok := boolean(word); ok {
		return b, true
	}
	return v, false
}

// boolean accepts every spelling of "Boolean input"; python-gitlab writes True and False. It checks the length first,
// because EqualFold would also accept letters that only fold to these.
func boolean(word string) (value, ok bool) {
	switch len(word) {
	case 1:
		switch word[0] {
		case '1', 't', 'T':
			return true, true
		case '0', 'f', 'F':
			return false, true
		}
	case 2:
		if strings.EqualFold(word, "on") {
			return true, true
		}
		return false, strings.EqualFold(word, "no")
	case 3:
		if strings.EqualFold(word, "yes") {
			return true, true
		}
		return false, strings.EqualFold(word, "off")
	case 4:
		return true, strings.EqualFold(word, "true")
	case 5:
		return false, strings.EqualFold(word, "false")
	}
	return false, false
}

// asString accepts numbers and booleans, which Rails clients send for strings.
func asString(v any) (any, bool) {
	switch t := v.(type) {
	case json.Number:
		return string(t), true
	case bool:
		return spelled(t), true
	}
	return v, false
}

func spelled(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
