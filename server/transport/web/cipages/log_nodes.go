package cipages

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"svc/server/domain/ci/logview"
)

// logNode is a line of a log, or a section with lines in it.
type logNode struct {
	Line    int
	Link    string // to the line
	HTML    template.HTML
	Section string
	Open    bool // expanded
	Going   bool // the section has not ended
	Took    string
	Inside  []logNode
}

// tree turns events into nodes. Sections of the runner that have ended are closed; the job's script and the sections inside it
// stay open, unless the script asked for a closed one.
func tree(events []logview.Event) []logNode {
	root := &logNode{}
	way := []*logNode{root}
	for _, e := range events {
		last := way[len(way)-1]
		switch {
		case e.Open != "":
			last.Inside = append(last.Inside, logNode{Section: e.Open, HTML: e.HTML, Open: !e.Fold, Going: true})
			way = append(way, &last.Inside[len(last.Inside)-1])
		case e.Close != "" && len(way) > 1:
			last.Took, last.Going = e.Duration, false
			last.Open = last.Open && (len(way) > 2 || isScript(last.Section))
			way = way[:len(way)-1]
		case e.Close == "":
			last.Inside = append(last.Inside, logNode{Line: e.Line, HTML: e.HTML, Link: fmt.Sprintf("#L%d", e.Line)})
		}
	}
	return root.Inside
}

// isScript reports whether a section of a log holds the output of the job's own script; runners before 13.1 call it
// build_script.
func isScript(section string) bool { return section == "step_script" || section == "build_script" }

// window is a range of lines of a log.
type window struct{ first, last int }

// holds reports whether a line is in the window.
func (w window) holds(line int) bool { return line >= w.first && line <= w.last }

const (
	shownBytes = 80_000 // of a log on a page: the HTML of its lines
	lineBytes  = 100    // the elements around a line or a title
)

// costs returns how many bytes each line adds to a page. The title of a section counts with the next line.
func costs(events []logview.Event) (lines []int, rest int) {
	for _, e := range events {
		if e.Close != "" {
			continue
		}
		rest += lineBytes + len(e.HTML)
		if e.Open == "" {
			lines, rest = append(lines, rest), 0
		}
	}
	return lines, rest
}

// forward returns the largest window that begins at a line and fits on a page. It has at least one line.
func forward(lines []int, first int) window {
	w, sum := window{first, first}, lines[first-1]
	for w.last < len(lines) && sum+lines[w.last] <= shownBytes {
		sum += lines[w.last]
		w.last++
	}
	return w
}

// backward returns the largest window that ends at a line and fits on a page. It has at least one line.
func backward(lines []int, last int) window {
	w, sum := window{last, last}, lines[last-1]
	for w.first > 1 && sum+lines[w.first-2] <= shownBytes {
		sum += lines[w.first-2]
		w.first--
	}
	return w
}

// within keeps the lines of a window, with the sections that they are in. The links to lines name the window.
func within(nodes []logNode, w window) []logNode {
	var kept []logNode
	for _, n := range nodes {
		if n.Section != "" {
			if n.Inside = within(n.Inside, w); len(n.Inside) > 0 {
				kept = append(kept, n)
			}
		} else if w.holds(n.Line) {
			n.Link = fmt.Sprintf("?lines=%d#L%d", w.first, n.Line)
			kept = append(kept, n)
		}
	}
	return kept
}

// foundLine is a line with the text that a person searched for.
type foundLine struct {
	Line       int
	Link, Text string
}

const (
	maxFound  = 50  // lines
	foundText = 120 // characters of a line
)

var element = regexp.MustCompile(`<[^>]*>`)

// search returns the first lines that contain a text, in any case of letters, and whether there are more.
func search(events []logview.Event, wanted string, shown window) (found []foundLine, more bool) {
	wanted = strings.ToLower(wanted)
	for _, e := range events {
		if e.Line == 0 {
			continue
		}
		line := html.UnescapeString(element.ReplaceAllString(string(e.HTML), ""))
		if !strings.Contains(strings.ToLower(line), wanted) {
			continue
		}
		if len(found) == maxFound {
			return found, true
		}
		if runes := []rune(line); len(runes) > foundText {
			line = string(runes[:foundText]) + "…"
		}
		link := fmt.Sprintf("#L%d", e.Line)
		if !shown.holds(e.Line) {
			link = fmt.Sprintf("?lines=%d#L%d", e.Line, e.Line)
		}
		found = append(found, foundLine{e.Line, link, line})
	}
	return found, false
}
