package markdown

import (
	"bytes"
)

// The limits of texts of users. Some texts of a few kilobytes take minutes to render, or become hundreds of megabytes:
// tables whose rows are filled up to thousands of columns, and quotes inside thousands of quotes.
const (
	maxBytes      = 1 << 20
	maxNesting    = 50     // quotes and lists that one line opens
	maxCells      = 50_000 // columns of the widest table, times the lines of the text
	maxBrackets   = 4000   // beginnings of links
	maxReferences = 1000   // definitions of links
)

// simple reports whether a text is within the limits.
func simple(source []byte) bool {
	if len(source) > maxBytes || bytes.Count(source, []byte("[")) > maxBrackets || bytes.Count(source, []byte("]:")) > maxReferences {
		return false
	}
	columns, lines := 0, 0
	for line := range bytes.Lines(source) {
		lines++
		if nesting(line) > maxNesting {
			return false
		}
		if isDelimiterRow(line) {
			columns = max(columns, bytes.Count(line, []byte("|"))+1)
		}
	}
	return columns*lines <= maxCells
}

// isDelimiterRow reports whether a line may be the second line of a table, which says how many columns there are. Quotes and
// lists may be before it.
func isDelimiterRow(line []byte) bool {
	return bytes.ContainsRune(line, '|') && len(bytes.Trim(line, "|-: \t\r\n>*+0123456789.)")) == 0
}

// nesting counts the quotes and lists that a line opens.
func nesting(line []byte) int {
	depth := 0
	for {
		line = bytes.TrimLeft(line, " \t")
		digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
		switch {
		case len(line) > 0 && line[0] == '>':
			line = line[1:]
		case len(line) > 1 && bytes.IndexByte([]byte("-*+"), line[0]) >= 0 && isBlank(line[1]):
			line = line[2:]
		case digits > 0 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && isBlank(line[digits+1]):
			line = line[digits+2:]
		default:
			return depth
		}
		depth++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
