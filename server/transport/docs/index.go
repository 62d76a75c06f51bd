package docs

import (
	"regexp"
	"slices"
	"strings"

	"svc/server/platform/markdown"
)

// entry is something that a search can find: an operation, or a section of a guide.
type entry struct {
	title, place, path, text string
	verb                     string // the first word of an operation ID
	length                   int    // number of words of the title or the ID
}

// index knows the entries by their words.
type index struct {
	entries []entry
	words   []string                   // all words, sorted
	found   map[string]map[int]float64 // how well a word describes an entry
}

// How much a word in each part of an entry counts.
const (
	inName    = 10.0
	inSummary = 8.0
	inPath    = 6.0
	inTitle   = 5.0
	inMembers = 3.0
	inText    = 2.0
	repeated  = 0.05 // of the above, for a word that comes again
)

func newIndex(c *content) *index {
	x := &index{found: map[string]map[int]float64{}}
	for _, op := range c.reference.Operations {
		parts := words(op.ID)
		n := x.add(entry{
			title: op.Summary, place: op.Method + " " + op.Path, path: Root + "/api/" + op.Page + "#" + op.Anchor,
			text: op.ID + ": " + plainText(op.About), verb: parts[0], length: len(parts),
		})
		x.describe(n, inName, op.ID+" "+strings.ToLower(op.ID))
		x.describe(n, inSummary, op.Summary)
		x.describe(n, inPath, op.Path)
		x.describe(n, inTitle, c.areas[op.Area].Title+" "+op.Area)
		x.describe(n, inMembers, strings.Join(op.Members, " "))
		x.describe(n, inText, op.Method+" "+op.About)
	}
	for _, group := range c.groups {
		for _, g := range group.Guides {
			x.addGuide(g)
		}
	}
	for word := range x.found {
		x.words = append(x.words, word)
	}
	slices.Sort(x.words)
	return x
}

func (x *index) add(e entry) int {
	x.entries = append(x.entries, e)
	return len(x.entries) - 1
}

// describe adds the words of a text to an entry.
func (x *index) describe(n int, weight float64, text string) {
	for _, word := range words(text) {
		if x.found[word] == nil {
			x.found[word] = map[int]float64{}
		}
		x.found[word][n] = max(x.found[word][n], weight) + repeated*weight
	}
}

var (
	fence       = regexp.MustCompile("^(```|~~~)")
	headingLine = regexp.MustCompile(`^#{1,6} `)
)

// addGuide adds each section of a guide.
func (x *index) addGuide(g guide) {
	rendered, err := markdown.Render(g.text, markdown.Options{Trusted: true})
	if err != nil { // cannot happen: the page itself could not be shown either
		return
	}
	parts := sectionsOf(string(g.text))
	for i, heading := range rendered.Headings {
		if i >= len(parts) {
			break
		}
		path := g.Link()
		if heading.Level > 1 {
			path += "#" + heading.ID
		}
		text := strings.Join(strings.Fields(plainText(parts[i])), " ")
		n := x.add(entry{title: heading.Text, place: g.title, path: path, text: text, length: len(words(heading.Text))})
		x.describe(n, inName, heading.Text)
		x.describe(n, inTitle, g.title+" "+g.name)
		x.describe(n, inText, text)
	}
}

// sectionsOf divides a text at its headings; the texts do not contain them.
func sectionsOf(text string) []string {
	var parts []string
	inCode := false
	for line := range strings.Lines(text) {
		if fence.MatchString(line) {
			inCode = !inCode
			continue
		}
		switch {
		case !inCode && headingLine.MatchString(line):
			parts = append(parts, "")
		case len(parts) > 0:
			parts[len(parts)-1] += line
		}
	}
	return parts
}
