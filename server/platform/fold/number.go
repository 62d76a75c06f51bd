package fold

import (
	"encoding/json"
	"strings"
)

// numberEnd returns the length of the JSON number at the beginning of s, 0 if there is none.
func numberEnd[T string | []byte](s T) int {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	switch {
	case i == len(s):
		return 0
	case s[i] == '0':
		i++
	default:
		end := digits(s, i)
		if end == i {
			return 0
		}
		i = end
	}
	if i < len(s) && s[i] == '.' {
		end := digits(s, i+1)
		if end == i+1 {
			return 0
		}
		i = end
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		return exponentEnd(s, i+1)
	}
	return i
}

// exponentEnd returns the end of the exponent of a number, without its letter, that begins at i, or 0 if there is none.
func exponentEnd[T string | []byte](s T, i int) int {
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	end := digits(s, i)
	if end == i {
		return 0
	}
	return end
}

// digits returns the end of the digits that begin at i.
func digits[T string | []byte](s T, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// integer reads "5", "+5", "-5" and "007", and returns them in the spelling of JSON.
func integer(text string) (json.Number, bool) {
	text = strings.TrimSpace(text)
	signed := text != "" && (text[0] == '-' || text[0] == '+')
	rest := text
	if signed {
		rest = text[1:]
	}
	if rest == "" || len(text) > longestNumber || digits(rest, 0) != len(rest) {
		return "", false
	}
	zeros := 0
	for zeros < len(rest)-1 && rest[zeros] == '0' {
		zeros++
	}
	switch {
	case !signed || text[0] == '+':
		return json.Number(rest[zeros:]), true
	case zeros == 0:
		return json.Number(text), true
	}
	return json.Number("-" + rest[zeros:]), true
}

// wholeNumber reads a JSON number such as 5.0, which clients that only have floats send for an integer. Validation accepts it
// as an integer, but it cannot be decoded into a Go integer.
func wholeNumber(n json.Number) (json.Number, bool) {
	before, after, found := strings.Cut(string(n), ".")
	if !found || strings.Trim(after, "0") != "" {
		return n, false
	}
	return json.Number(before), true
}

// decimal reads a JSON number, optionally with a plus sign. An exponent is kept as written.
func decimal(text string) (json.Number, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 1 && text[0] == '+' && text[1] != '-' {
		text = text[1:]
	}
	if text == "" || len(text) > longestNumber || numberEnd(text) != len(text) {
		return "", false
	}
	return json.Number(text), true
}

// integral reports whether a JSON number is written as an integer.
func integral(n json.Number) bool {
	return !strings.ContainsAny(string(n), ".eE")
}
