package pushrule

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

const (
	maxPattern = 511 // characters
	// maxProgram limits what a short expression can become, such as 70 times a{1000}. Together with the limits of the
	// texts it bounds the time of a match, which grows with the product of both.
	maxProgram = 5000
	maxMessage = 64 << 10 // bytes of a message that is matched
)

// invalidPattern returns what is wrong with a regular expression, or "".
func invalidPattern(text string) string {
	if utf8.RuneCountInString(text) > maxPattern {
		return fmt.Sprintf("is too long (maximum is %d characters)", maxPattern)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return "is not a valid regular expression: " + err.Error()
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxProgram {
		return "is not a valid regular expression: it is too complex"
	}
	return ""
}

// compile compiles a stored expression. Lines of a message are matched one by one unless the expression says otherwise.
func compile(text string, lines bool) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	if lines {
		text = "(?m)" + text
	}
	return regexp.Compile(text)
}
