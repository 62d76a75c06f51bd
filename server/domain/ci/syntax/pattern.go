package syntax

import (
	"regexp"
	"strings"
)

// pattern is a regular expression between slashes, /…/flags, in RE2 syntax. The time of a match is proportional to the
// length of the text, whatever the expression.
type pattern struct{ compiled *regexp.Regexp }

const maxPattern = 1000 // bytes

// parsePattern compiles /…/ with any of the flags i, m, s and U.
func parsePattern(source string) (pattern, bool) {
	source = strings.TrimSpace(source)
	if len(source) > maxPattern || source == "" || source[0] != '/' || patternLength(source) != len(source) {
		return pattern{}, false
	}
	end := strings.LastIndexByte(source, '/')
	body, flags := strings.ReplaceAll(source[1:end], `\/`, "/"), source[end+1:]
	if flags != "" {
		body = "(?" + flags + ")" + body
	}
	compiled, err := regexp.Compile(body)
	return pattern{compiled}, err == nil
}

// patternLength returns the length of the pattern at the beginning of a text, or 0 if it is empty or has no end.
func patternLength(source string) int {
	for i := 1; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '/':
			if i == 1 {
				return 0
			}
			i++
			for i < len(source) && strings.IndexByte("imsU", source[i]) >= 0 {
				i++
			}
			return i
		}
	}
	return 0
}

func (p pattern) match(s string) bool { return p.compiled.MatchString(s) }
