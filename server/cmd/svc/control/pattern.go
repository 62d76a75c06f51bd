package control

import (
	"regexp"
	"strings"
)

// pattern returns an expression that matches the paths of a pattern: one asterisk stands for any text without a slash, two
// for any text. An empty pattern matches every path.
func pattern(text string) *regexp.Regexp {
	if text == "" {
		text = "**"
	}
	expression := regexp.QuoteMeta(text)
	expression = strings.ReplaceAll(expression, `\*\*`, `.*`)
	expression = strings.ReplaceAll(expression, `\*`, `[^/]*`)
	return regexp.MustCompile("^" + expression + "$")
}
