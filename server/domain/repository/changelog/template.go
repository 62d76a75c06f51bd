package changelog

import (
	"strings"
)

// Template is a parsed template. Its language has texts, {{ a.b.0 }}, {% if a.b %} … {% else %} … {% end %} and
// {% each a.b %} … {% end %}.
type Template struct{ nodes []node }

// node is one part of a template: exactly one of its forms.
type node struct {
	kind nodeKind
	text string
	path []string // of what is shown, asked or gone through; empty for the value itself
	body []node
	rest []node // behind else
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
	maxDepth    = 20 // of tags in tags
	maxLoops    = 4  // of loops in loops
	maxPath     = 10
)

// builtIn is how sections look unless the configuration says otherwise.
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

// parser walks through a template once.
type parser struct {
	rest  string
	line  int
	depth int
	loops int
}

// ParseTemplate reads a template. What fails is an *Error with the line.
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
		return nil, p.wrong("there is nothing that {%% %s %%} belongs to", end)
	}
	return &Template{nodes: nodes}, nil
}

func (p *parser) wrong(format string, args ...any) error {
	return failed("The template is not valid: line %d: "+format, append([]any{p.line}, args...)...)
}

// nodes reads up to the end or an else, and tells which of them it was.
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
		case p.rest == "": // what was left was swallowed
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

// text takes what is before the next tag. A backslash at the end of a line takes the line's end with it.
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

// tag takes what is between the marks of a tag.
func (p *parser) tag(closing string) (string, error) {
	const opening = 2 // bytes; {%} is no whole tag
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

// statement reads a tag with all that belongs to it, or tells which one ends what is around it.
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
			return node{}, "", p.wrong("%s stands alone", word)
		}
		return node{}, word, nil
	case "if", "each":
		n, err := p.block(word, argument)
		return n, "", err
	}
	return node{}, "", p.wrong("%q is not if, each, else or end", clip(word))
}

// block reads the body of an if or each.
func (p *parser) block(word, argument string) (node, error) {
	n := node{kind: ifNode}
	begun := p.line
	var err error
	if n.path, err = p.path(argument); err != nil {
		return n, err
	}
	if p.depth++; p.depth > maxDepth {
		return n, p.wrong("more than %d tags are in each other", maxDepth)
	}
	if word == "each" {
		n.kind = eachNode
		if p.loops++; p.loops > maxLoops {
			return n, p.wrong("more than %d loops are in each other", maxLoops)
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
			return n, p.wrong("there is an else too many")
		}
		return n, p.wrong("the %s of line %d has no end", word, begun)
	}
	p.depth--
	return n, nil
}

// path reads a.b.0; it is the value itself, which has no name.
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

// clip shortens what is told back.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 50 {
		return string(runes[:50]) + "…"
	}
	return text
}
