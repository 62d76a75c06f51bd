package operations

import "strings"

// Span is a piece of a description: text, or code in backticks.
type Span struct {
	Text string
	Code bool
}

// Prose is a paragraph of a description.
type Prose []Span

// Paragraphs splits a description at empty lines and at the items of lists, and its lines at backticks.
func Paragraphs(description string) []Prose {
	var all []Prose
	for block := range strings.SplitSeq(strings.TrimSpace(description), "\n\n") {
		for i, item := range strings.Split("\n"+strings.TrimSpace(block), "\n- ") {
			if item = strings.Join(strings.Fields(item), " "); item == "" {
				continue
			}
			if i > 0 {
				item = "• " + item
			}
			all = append(all, spans(item))
		}
	}
	return all
}

// line is a description as one paragraph.
func line(description string) Prose {
	return spans(strings.Join(strings.Fields(description), " "))
}

func spans(s string) Prose {
	var p Prose
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 { // a backtick without its partner is text
		last := len(parts) - 1
		parts = append(parts[:last-1], parts[last-1]+"`"+parts[last])
	}
	for i, part := range parts {
		if part != "" {
			p = append(p, Span{Text: part, Code: i%2 == 1})
		}
	}
	return p
}
