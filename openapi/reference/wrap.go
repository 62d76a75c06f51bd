package reference

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

const columns = 120

// startsBlock finds words that would begin a list, a heading or a quote if they were the first of a line.
var startsBlock = regexp.MustCompile(`^([-+*>]|#+|\d+[.)]|={2,}|-{2,})$`)

// asIs finds lines that keep their breaks: code, tables and quotes.
var asIs = regexp.MustCompile("^(```|    |\\||>|#)")

var listItem = regexp.MustCompile(`^([-*+]|\d+[.)]) +`)

// paragraph writes text of the document in lines of at most 120 columns. Blocks stay apart; lists keep their items, and
// code and tables their lines.
func paragraph(b *bytes.Buffer, prose string) {
	inCode := false
	var words []string
	indent := ""
	flush := func() {
		wrap(b, indent, words)
		words, indent = nil, ""
	}
	for line := range strings.Lines(strings.TrimSpace(prose)) {
		line = strings.TrimRight(line, " \n")
		fence := strings.HasPrefix(line, "```")
		switch {
		case inCode || asIs.MatchString(line):
			flush()
			b.WriteString(line + "\n")
			if fence {
				inCode = !inCode
			}
		case line == "":
			flush()
			b.WriteString("\n")
		case listItem.MatchString(line):
			flush()
			indent = strings.Repeat(" ", len(listItem.FindString(line)))
			words = strings.Fields(line)
		default:
			words = append(words, strings.Fields(line)...)
		}
	}
	flush()
}

// wrap writes the words of a block. A line never begins with a word that Markdown would read as the begin of a block.
func wrap(b *bytes.Buffer, indent string, words []string) {
	line := ""
	for i, word := range words {
		next := utf8.RuneCountInString(word) + 1
		if i+1 < len(words) && startsBlock.MatchString(words[i+1]) {
			next += utf8.RuneCountInString(words[i+1]) + 1
		}
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+next > columns && !startsBlock.MatchString(word):
			b.WriteString(line + "\n")
			line = indent + word
		default:
			line += " " + word
		}
	}
	if line != "" {
		b.WriteString(line + "\n")
	}
}
