package suggestion

import (
	"regexp"
	"strconv"
	"strings"
)

// block is a fenced block of a text that suggests a change.
type block struct {
	above, below int64 // how many lines around the line of the note it replaces
	content      string
}

// mostBlocks is how many suggestions of one text count.
const mostBlocks = 100

// mostAround is how many lines above and below the line of a note a suggestion replaces at most.
const mostAround = 100

var (
	fence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$")
	info  = regexp.MustCompile(`^suggestion(?::-(\d{1,3})\+(\d{1,3}))?\s*$`)
)

// parse returns the blocks of a text whose info string is "suggestion" or "suggestion:-2+1".
func parse(text string) []block {
	var found []block
	var open string // the fence of the block that is open
	var current *block
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		mark := fence.FindStringSubmatch(line)
		switch {
		case open == "" && mark != nil && !(mark[1][0] == '`' && strings.Contains(mark[2], "`")):
			open, current, lines = mark[1], blockOf(mark[2]), nil
		case open != "" && mark != nil && mark[2] == "" && strings.HasPrefix(mark[1], open):
			if current != nil {
				if len(lines) > 0 {
					current.content = strings.Join(lines, "\n") + "\n"
				}
				found = append(found, *current)
			}
			if open = ""; len(found) == mostBlocks {
				return found
			}
		case open != "":
			lines = append(lines, line)
		}
	}
	return found
}

// blockOf returns the block that an info string begins, or nil if it is not one of a suggestion.
func blockOf(text string) *block {
	parts := info.FindStringSubmatch(text)
	if parts == nil {
		return nil
	}
	above, _ := strconv.ParseInt(parts[1], 10, 64) // empty is 0
	below, _ := strconv.ParseInt(parts[2], 10, 64)
	return &block{above: min(above, mostAround), below: min(below, mostAround)}
}
