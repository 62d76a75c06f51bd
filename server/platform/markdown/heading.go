package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// Heading is a heading of a text with its anchor.
type Heading struct {
	Level    int
	ID, Text string
}

// maxLevel is the lowest level that a heading can have.
const maxLevel = 6

// nameHeadings gives each heading of a text its anchor, and its level below another heading, from which no level is left out:
// many texts begin with the second level. The same heading again gets a number.
func nameHeadings(doc ast.Node, source []byte, below int) []Heading {
	var all []Heading
	count, last := map[string]int{}, below
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		heading, ok := node.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		words := plain(heading, source)
		id := Anchor(words)
		n := count[id]
		count[id]++
		if n > 0 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		heading.SetAttributeString("id", id)
		if heading.Level = min(heading.Level+below, maxLevel); below > 0 {
			heading.Level = min(heading.Level, last+1)
		}
		last = heading.Level
		all = append(all, Heading{Level: heading.Level, ID: id, Text: words})
		return ast.WalkSkipChildren, nil
	})
	return all
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{M}\p{Nd}\p{Pc} -]`)

// Anchor returns the anchor of a heading, as git hosts make it: in lower case, without punctuation, with dashes for
// spaces.
func Anchor(heading string) string {
	id := notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
	return strings.ReplaceAll(id, " ", "-")
}

// plain returns the words of a part of the text, without marks.
func plain(node ast.Node, source []byte) string {
	var words strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(source)
			if n.Parent().Kind() != ast.KindCodeSpan {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			words.Write(value)
			if n.SoftLineBreak() {
				words.WriteByte(' ')
			}
		case *ast.String:
			words.Write(n.Value)
		case *ast.AutoLink:
			words.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return words.String()
}
