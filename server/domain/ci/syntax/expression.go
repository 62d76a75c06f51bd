package syntax

import (
	"errors"
	"strings"
)

// expression is a parsed condition of rules:if, such as $CI_COMMIT_BRANCH == "main" && $FLAG =~ /^on$/i.
type expression struct {
	op          operator
	left, right *expression // operands
	text        string      // of a variable, a text or a pattern
	pattern     pattern
}

type operator uint8

const (
	opNull operator = iota
	opVariable
	opText
	opPattern
	opEqual
	opNotEqual
	opMatch
	opNotMatch
	opAnd
	opOr
)

const (
	maxExpression = 10_000 // bytes
	maxParens     = 50
)

var errExpression = errors.New("invalid expression syntax")

// parseExpression parses a condition. Comparisons bind more tightly than &&, and && more tightly than ||.
func parseExpression(source string) (*expression, error) {
	if len(source) > maxExpression {
		return nil, errExpression
	}
	tokens, err := tokenize(source)
	if err != nil {
		return nil, err
	}
	p := expressionParser{tokens: tokens}
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if len(p.tokens) > 0 {
		return nil, errExpression
	}
	return e, nil
}

type expressionParser struct {
	tokens []token
	parens int
}

func (p *expressionParser) take(op string) bool {
	if len(p.tokens) > 0 && p.tokens[0].op == op {
		p.tokens = p.tokens[1:]
		return true
	}
	return false
}

func (p *expressionParser) or() (*expression, error) { return p.chain("||", opOr, p.and) }

func (p *expressionParser) and() (*expression, error) { return p.chain("&&", opAnd, p.comparison) }

func (p *expressionParser) chain(sign string, op operator, next func() (*expression, error)) (*expression, error) {
	left, err := next()
	for err == nil && p.take(sign) {
		var right *expression
		if right, err = next(); err == nil {
			left = &expression{op: op, left: left, right: right}
		}
	}
	return left, err
}

var comparisons = map[string]operator{"==": opEqual, "!=": opNotEqual, "=~": opMatch, "!~": opNotMatch}

func (p *expressionParser) comparison() (*expression, error) {
	left, err := p.operand()
	for err == nil && len(p.tokens) > 0 {
		op, ok := comparisons[p.tokens[0].op]
		if !ok {
			break
		}
		p.tokens = p.tokens[1:]
		var right *expression
		if right, err = p.operand(); err != nil {
			break
		}
		matching := op == opMatch || op == opNotMatch
		if matching && right.op != opPattern && right.op != opVariable && right.op != opText {
			return nil, errExpression
		}
		left = &expression{op: op, left: left, right: right}
	}
	return left, err
}

func (p *expressionParser) operand() (*expression, error) {
	if p.take("(") {
		if p.parens++; p.parens > maxParens {
			return nil, errExpression
		}
		inner, err := p.or()
		if err != nil {
			return nil, err
		}
		if !p.take(")") {
			return nil, errExpression
		}
		p.parens--
		return inner, nil
	}
	if len(p.tokens) == 0 || p.tokens[0].value == nil {
		return nil, errExpression
	}
	e := p.tokens[0].value
	p.tokens = p.tokens[1:]
	return e, nil
}

// evaluate reports whether the condition holds.
func (e *expression) evaluate(ask evaluator) (bool, error) {
	switch e.op {
	case opAnd, opOr:
		left, err := e.left.evaluate(ask)
		if err != nil || left == (e.op == opOr) {
			return left, err
		}
		return e.right.evaluate(ask)
	case opEqual, opNotEqual, opMatch, opNotMatch:
		return e.compare(ask)
	}
	value, known, err := e.value(ask)
	return known && value != "", err
}

func (e *expression) compare(ask evaluator) (bool, error) {
	left, known, err := e.left.value(ask)
	if err != nil {
		return false, err
	}
	switch e.op {
	case opMatch, opNotMatch:
		matches, err := e.right.matches(left, known, ask)
		return matches == (e.op == opMatch), err
	}
	right, rightKnown, err := e.right.value(ask)
	equal := known == rightKnown && left == right
	return equal == (e.op == opEqual), err
}

// value returns the operand of a comparison, or false for null.
func (e *expression) value(ask evaluator) (string, bool, error) {
	switch e.op {
	case opNull:
		return "", false, nil
	case opVariable:
		return ask.variable(e.text)
	case opText, opPattern:
		return e.text, true, nil
	}
	holds, err := e.evaluate(ask)
	if holds {
		return "true", true, err
	}
	return "", false, err
}

// matches reports whether a text matches a pattern, which may also come from a variable. Null matches no pattern, and
// an invalid pattern in a variable matches nothing.
func (e *expression) matches(subject string, known bool, ask evaluator) (bool, error) {
	if e.op == opPattern {
		return known && e.pattern.match(subject), nil
	}
	source, there, err := e.value(ask)
	if err != nil || !there || !known {
		return false, err
	}
	compiled, ok := ask.work.pattern(source)
	return ok && compiled.match(subject), nil
}

// token is an operator, a parenthesis or a value.
type token struct {
	op    string
	value *expression
}

func tokenize(source string) ([]token, error) {
	var tokens []token
	for {
		source = strings.TrimLeft(source, " \t\r\n")
		if source == "" {
			return tokens, nil
		}
		t, length := nextToken(source)
		if length == 0 {
			return nil, errExpression
		}
		tokens = append(tokens, t)
		source = source[length:]
	}
}

func nextToken(source string) (token, int) {
	for _, op := range [...]string{"==", "!=", "=~", "!~", "&&", "||", "(", ")"} {
		if strings.HasPrefix(source, op) {
			return token{op: op}, len(op)
		}
	}
	switch source[0] {
	case '$':
		if n := nameLength(source[1:]); n > 0 {
			return token{value: &expression{op: opVariable, text: source[1 : 1+n]}}, 1 + n
		}
	case '"', '\'':
		if end := strings.IndexByte(source[1:], source[0]); end >= 0 {
			return token{value: &expression{op: opText, text: source[1 : 1+end]}}, end + 2
		}
	case '/':
		if length := patternLength(source); length > 0 {
			if compiled, ok := parsePattern(source[:length]); ok {
				return token{value: &expression{op: opPattern, text: source[:length], pattern: compiled}}, length
			}
		}
	case 'n':
		if strings.HasPrefix(source, "null") && nameLength(source) == len("null") {
			return token{value: &expression{op: opNull}}, len("null")
		}
	}
	return token{}, 0
}

func nameLength(s string) int {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9' || i == 0) {
			return i
		}
	}
	return len(s)
}
