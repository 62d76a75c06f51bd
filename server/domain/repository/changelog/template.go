package changelog

import (
	"strings"
)

// Template is a parsed template. Its language has texts, {{ a.b.0 }}, {% if a.b %} … {% else %} … {% end %} and {% each
// a.b %} … {% end %}.
type Template struct{ nodes []node }

// node is one part of a template.
type node struct {
	kind nodeKind
	text string
	path []string // the value to show, test or iterate; empty for the current value
	body []node
	rest []node // after else
}

type nodeKind int

const (
	textNode nodeKind = iota
	valueNode
	ifNode
	eachNode
)

const (
	maxTemplate = 64 << 10
	maxDepth    = 20 // of nested tags
	maxLoops    = 4  // of nested loops
	maxPath     = 10
)

// builtIn is the default template.
var builtIn = mustParse(`{% if categories %}
{% each categories %}
### {{ title }} (\
{% if single_change %}
1 change\
{% else %}
{{ count }} changes\
{% end %}
)

{% each entries %}
- [{{ title }}]({{ commit.web_url }})\
{% if author.credit %}
 by {{ author.reference }}\
{% end %}
{% if merge_request %}
 ([merge request]({{ merge_request.web_url }}))\
{% end %}

{% end %}

{% end %}
{% else %}
No changes.
{% end %}
`)

func mustParse(source string) *Template {
	t, err := ParseTemplate(source)
	if err != nil {
		panic(err)
	}
	return t
}

// parser parses a template in one pass.
type parser struct {
	rest  string
	line  int
	depth int
	loops int
}

// ParseTemplate parses a template. Errors are of type *Error and name the line.
func ParseTemplate(source string) (*Template, error) {
	if len(source) > maxTemplate {
		return nil, failed("The template has more than %d bytes", maxTemplate)
	}
	p := &parser{rest: source, line: 1}
	nodes, end, err := p.nodes()
	if err != nil {
		return nil, err
	}
	if end != "" {
		return nil, p.wrong("{%% %s %%} has no matching if or each", end)
	}
	return &Template{nodes: nodes}, nil
}

func (p *parser) wrong(format string, args ...any) error {
	return failed("The template is not valid: line %d: "+format, append([]any{p.line}, args...)...)
}

// nodes parses nodes up to an end or else tag, and returns which of them it was.
func (p *parser) nodes() ([]node, string, error) {
	var all []node
	for p.rest != "" {
		if text := p.text(); text != "" {
			all = append(all, node{kind: textNode, text: text})
			continue
		}
		var n node
		var end string
		var err error
		switch {
		case p.rest == "": // the rest was removed
			continue
		case strings.HasPrefix(p.rest, "{{"):
			n, err = p.value()
		default:
			n, end, err = p.statement()
		}
		if err != nil || end != "" {
			return all, end, err
		}
		all = append(all, n)
	}
	return all, "", nil
}

// text consumes the text before the next tag. A backslash at the end of a line removes the line break.
func (p *parser) text() string {
	end := len(p.rest)
	for _, open := range []string{"{{", "{%"} {
		if at := strings.Index(p.rest, open); at >= 0 {
			end = min(end, at)
		}
	}
	text := p.take(end)
	return strings.ReplaceAll(strings.ReplaceAll(text, "\\\r\n", ""), "\\\n", "")
}

func (p *parser) take(n int) string {
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	p.line += strings.Count(taken, "\n")
	return taken
}

// tag consumes a tag and returns its content.
func (p *parser) tag(closing string) (string, error) {
	const opening = 2 // bytes; {%} is not a whole tag
	at := strings.Index(p.rest[opening:], closing)
	if at < 0 {
		return "", p.wrong("%s is missing", closing)
	}
	tag := p.take(opening + at + len(closing))
	return strings.TrimSpace(tag[opening : opening+at]), nil
}

func (p *parser) value() (node, error) {
	inner, err := p.tag("}}")
	if err != nil {
		return node{}, err
	}
	path, err := p.path(inner)
	return node{kind: valueNode, path: path}, err
}

// statement parses a tag with its body. If the tag ends the enclosing block, it returns the tag's name.
func (p *parser) statement() (node, string, error) {
	inner, err := p.tag("%}")
	if err != nil {
		return node{}, "", err
	}
	switch {
	case strings.HasPrefix(p.rest, "\r\n"):
		p.take(2)
	case strings.HasPrefix(p.rest, "\n"):
		p.take(1)
	}
	word, argument := inner, ""
	if at := strings.IndexAny(inner, " \t\r\n"); at >= 0 {
		word, argument = inner[:at], strings.TrimSpace(inner[at:])
	}
	switch word {
	case "end", "else":
		if argument != "" {
			return node{}, "", p.wrong("%s does not take an argument", word)
		}
		return node{}, word, nil
	case "if", "each":
		n, err := p.block(word, argument)
		return n, "", err
	}
	return node{}, "", p.wrong("%q is not if, each, else or end", clip(word))
}

// block parses the body of an if or each.
func (p *parser) block(word, argument string) (node, error) {
	n := node{kind: ifNode}
	begun := p.line
	var err error
	if n.path, err = p.path(argument); err != nil {
		return n, err
	}
	if p.depth++; p.depth > maxDepth {
		return n, p.wrong("more than %d tags are nested", maxDepth)
	}
	if word == "each" {
		n.kind = eachNode
		if p.loops++; p.loops > maxLoops {
			return n, p.wrong("more than %d loops are nested", maxLoops)
		}
		defer func() { p.loops-- }()
	}
	var end string
	if n.body, end, err = p.nodes(); err != nil {
		return n, err
	}
	if end == "else" && word == "if" {
		if n.rest, end, err = p.nodes(); err != nil {
			return n, err
		}
	}
	if end != "end" {
		if end == "else" {
			return n, p.wrong("there is more than one else")
		}
		return n, p.wrong("the %s of line %d has no end", word, begun)
	}
	p.depth--
	return n, nil
}

// path parses a.b.0; a leading "it" is the current value itself.
func (p *parser) path(text string) ([]string, error) {
	parts := strings.Split(text, ".")
	if len(parts) > maxPath {
		return nil, p.wrong("%q has more than %d parts", clip(text), maxPath)
	}
	for _, part := range parts {
		if part == "" || strings.ContainsFunc(part, notInName) {
			return nil, p.wrong("%q is not a name", clip(text))
		}
	}
	if parts[0] == "it" {
		parts = parts[1:]
	}
	return parts, nil
}

func notInName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}

// clip shortens a text that an error message repeats.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 50 {
		return string(runes[:50]) + "…"
	}
	return text
}
