package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// MaxFile is the largest size of a CI file, in bytes.
const MaxFile = 1 << 20

// parse reads the YAML documents of a file: one, or a header and one.
func (p *problems) parse(file *string, source []byte) []*value {
	if len(source) > MaxFile {
		p.fail(position{file: file}, "The file is longer than %d bytes", MaxFile)
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(source), yaml.WithPlugin(limits{}))
	if err != nil {
		p.fail(position{file: file}, "(<unknown>): %s", err)
		return nil
	}
	var documents []*value
	for {
		var document yaml.Node
		err := loader.Load(&document)
		if errors.Is(err, io.EOF) {
			return documents
		}
		if err != nil {
			p.fail(errorPosition(file, err), "%s", syntaxErrorText(err))
			return nil
		}
		if len(documents) == 2 {
			p.fail(position{file: file, line: document.Line, column: document.Column}, "The file has more than two YAML documents")
			return nil
		}
		c := converter{problems: p, file: file, anchors: map[*yaml.Node]*value{}}
		v := c.convert(&document)
		if c.stopped {
			return nil
		}
		documents = append(documents, v)
	}
}

// limits stops the parser at the largest depth that we accept.
type limits struct{}

func (limits) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > maxDepth {
		return fmt.Errorf("the nesting is more than %d levels deep", maxDepth)
	}
	return nil
}

// CheckAlias accepts every alias, because values are shared and not copied.
func (limits) CheckAlias(_, _ int) error { return nil }

func errorPosition(file *string, err error) position {
	at := position{file: file}
	var failure *yaml.LoadError
	if errors.As(err, &failure) {
		at.line, at.column = failure.Mark.Line, failure.Mark.Column
	}
	return at
}

// syntaxErrorText returns a syntax error in the form that users of CI files are used to.
func syntaxErrorText(err error) string {
	var failure *yaml.LoadError
	if !errors.As(err, &failure) {
		return "(<unknown>): " + err.Error()
	}
	message := failure.Message
	if failure.ContextMsg != "" {
		message += " " + failure.ContextMsg
	}
	return fmt.Sprintf("(<unknown>): %s at line %d column %d", message, failure.Mark.Line, failure.Mark.Column)
}

// converter converts the nodes of one document to values.
type converter struct {
	*problems
	file    *string
	anchors map[*yaml.Node]*value // anchors that are already converted
	stopped bool
}

func (c *converter) convert(n *yaml.Node) *value {
	at := position{file: c.file, line: n.Line, column: n.Column}
	if c.stopped {
		return newScalar(null, "", at)
	}
	var v *value
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) == 0 {
			return newScalar(null, "", at)
		}
		v = c.convert(n.Content[0])
	case yaml.AliasNode:
		v = c.alias(n, at)
	case yaml.SequenceNode:
		items := make([]*value, len(n.Content))
		for i, inner := range n.Content {
			items[i] = c.convert(inner)
		}
		v = newList(items, at)
	case yaml.MappingNode:
		v = c.mapping(n, at)
	default:
		v = scalar(n, at)
	}
	c.tag(n, v)
	if v.weight > maxWeight || v.depth > maxDepth {
		return c.stop(at, "The parsed YAML is too big")
	}
	if n.Anchor != "" {
		c.anchors[n] = v
	}
	return v
}

func (c *converter) stop(at position, format string, args ...any) *value {
	if !c.stopped {
		c.fail(at, format, args...)
	}
	c.stopped = true
	return newScalar(null, "", at)
}

// tag keeps !reference and refuses other tags that are not part of YAML.
func (c *converter) tag(n *yaml.Node, v *value) {
	switch {
	case n.Kind == yaml.AliasNode || n.Kind == yaml.DocumentNode || n.Tag == "" || n.Tag == "!" || strings.HasPrefix(n.Tag, "!!"):
	case n.Tag == "!reference" && n.Kind == yaml.SequenceNode:
		v.kind = tagged
	case n.Tag == "!reference":
		c.fail(v.at, "!reference must be followed by a list with the name of a job and its keys")
	case strings.HasPrefix(n.Tag, "tag:yaml.org,2002:"):
	default:
		c.fail(v.at, "(<unknown>): unknown tag %s at line %d column %d", clip(n.Tag), n.Line, n.Column)
	}
}

// alias returns the anchored value. If the anchor is not converted yet, the alias is inside its own anchor.
func (c *converter) alias(n *yaml.Node, at position) *value {
	if v, made := c.anchors[n.Alias]; made {
		return v
	}
	return c.stop(at, "(<unknown>): the alias %s is used inside its own anchor at line %d column %d", clip(n.Value), at.line, at.column)
}

func (c *converter) mapping(n *yaml.Node, at position) *value {
	entries := make([]entry, 0, len(n.Content)/2)
	places := make(map[string]int, len(n.Content)/2)
	var merged []*value
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode && key.Alias != nil {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			c.fail(position{c.file, key.Line, key.Column}, "(<unknown>): a key must be a string at line %d column %d", key.Line, key.Column)
			continue
		}
		inner := c.convert(n.Content[i+1])
		if key.Value == "<<" && key.Style == 0 {
			merged = append(merged, inner)
			continue
		}
		e := entry{key: key.Value, at: position{c.file, key.Line, key.Column}, value: inner}
		if first, double := places[e.key]; double {
			c.warn(e.at, "The key %s is defined twice; the last one is used", clip(e.key))
			entries[first] = e
			continue
		}
		places[e.key] = len(entries)
		entries = append(entries, e)
	}
	return newDict(c.merge(entries, places, merged), at)
}

// merge adds the keys of merge keys (<<) that are not there yet. Earlier sources win.
func (c *converter) merge(entries []entry, places map[string]int, sources []*value) []entry {
	for _, source := range sources {
		switch source.kind {
		case dict:
			for _, e := range source.entries {
				if _, there := places[e.key]; !there {
					places[e.key] = len(entries)
					entries = append(entries, e)
				}
			}
		case list:
			entries = c.merge(entries, places, source.items)
		case null:
		default:
			c.fail(
				source.at, "(<unknown>): a merge key needs a map or a list of maps at line %d column %d",
				source.at.line, source.at.column,
			)
		}
	}
	return entries
}

var (
	integers = regexp.MustCompile(`^[-+]?(0|[1-9][0-9_]*|0o?[0-7_]+|0x[0-9a-fA-F_]+)$`)
	decimals = regexp.MustCompile(`^[-+]?([0-9][0-9_]*)?\.[0-9]*([eE][-+]?[0-9]+)?$|^[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+$`)
)

// scalar determines the type of a plain word by the rules of YAML 1.1, which CI files follow: yes and on are booleans.
func scalar(n *yaml.Node, at position) *value {
	quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	if quoted || n.Style&yaml.TaggedStyle != 0 {
		return newScalar(text, n.Value, at)
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return newScalar(null, n.Value, at)
	case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON",
		"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF":
		return newScalar(boolean, n.Value, at)
	}
	switch {
	case len(n.Value) > 64 || n.Value == "." || !strings.ContainsAny(n.Value[:1], "+-.0123456789"):
	case integers.MatchString(n.Value):
		return newScalar(integer, n.Value, at)
	case decimals.MatchString(n.Value):
		return newScalar(decimal, n.Value, at)
	}
	return newScalar(text, n.Value, at)
}
