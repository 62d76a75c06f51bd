package syntax

import (
	"regexp"
	"strconv"
	"strings"
)

// coverage reads a regular expression between slashes.
func (d decoder) coverage(path string, v *value) string {
	if _, ok := parsePattern(v.text); !v.isScalar() || !ok {
		d.fail(v.at, "%s config must be a regular expression", path)
		return ""
	}
	source := strings.TrimSpace(v.text)
	end := strings.LastIndexByte(source, '/')
	body, flags := strings.ReplaceAll(source[1:end], `\/`, "/"), source[end+1:]
	if flags != "" {
		body = "(?" + flags + ")" + body
	}
	return body
}

// Coverage searches a job's log for its coverage, line by line. The last line with a match counts.
type Coverage struct{ expression *regexp.Regexp }

// NewCoverage compiles Job.Coverage. It returns false if the text is empty or not a regular expression.
func NewCoverage(expression string) (Coverage, bool) {
	if expression == "" || len(expression) > maxPattern {
		return Coverage{}, false
	}
	compiled, err := regexp.Compile(expression)
	return Coverage{compiled}, err == nil
}

var (
	colours = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)
	figure  = regexp.MustCompile(`\d+(?:\.\d+)?`)
)

// In returns the coverage in a line: the number in the last match, from its last group if it has groups.
func (c Coverage) In(line string) (float64, bool) {
	matches := c.expression.FindAllStringSubmatch(colours.ReplaceAllString(line, ""), -1)
	for i := len(matches) - 1; i >= 0; i-- {
		for group := len(matches[i]) - 1; group >= 0; group-- {
			number, err := strconv.ParseFloat(figure.FindString(matches[i][group]), 64)
			if err == nil {
				return number, true
			}
		}
	}
	return 0, false
}
