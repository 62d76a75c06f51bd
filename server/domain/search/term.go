package search

import (
	"path"
	"regexp"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/git"
)

// fileTerm is the text of a search for files: a text, and conditions for the paths of files.
type fileTerm struct {
	text    string
	lower   string
	filters []pathFilter
}

// pathFilter is a condition such as filename:*.go.
type pathFilter struct {
	kind  string // filename, path or extension
	value string // in lower case; * stands for any characters
	not   bool
}

const (
	maxFilters   = 10
	maxFilter    = 256 // bytes
	maxWildcards = 4   // in one condition; more would make comparing slow
)

// filterText matches a condition in the text of a search.
var filterText = regexp.MustCompile(`(?:^|\s)(-?)(filename|path|extension):(\S+)`)

// readFileTerm reads the text of a search for files.
func readFileTerm(text string) (fileTerm, error) {
	if strings.ContainsAny(text, "\r\n") {
		return fileTerm{}, apierr.BadParameter("search is invalid: code is searched for in single lines")
	}
	var t fileTerm
	for _, found := range filterText.FindAllStringSubmatch(text, -1) {
		value := strings.ToLower(found[3])
		for strings.Contains(value, "**") {
			value = strings.ReplaceAll(value, "**", "*")
		}
		if len(t.filters) == maxFilters || len(value) > maxFilter || strings.Count(value, "*") > maxWildcards {
			return t, apierr.BadParameter("search has too many or too long conditions for files")
		}
		t.filters = append(t.filters, pathFilter{kind: found[2], value: value, not: found[1] == "-"})
	}
	t.text = strings.TrimSpace(filterText.ReplaceAllString(text, " "))
	t.lower = strings.ToLower(t.text)
	return t, nil
}

// keeps reports whether a file meets all conditions.
func (t fileTerm) keeps(file string) bool {
	file = strings.ToLower(file)
	for _, f := range t.filters {
		if f.matches(file) == f.not {
			return false
		}
	}
	return true
}

// names reports whether a file is found by its path: it meets all conditions, and its path has the text.
func (t fileTerm) names(file string) bool {
	return strings.Contains(strings.ToLower(file), t.lower) && t.keeps(file)
}

func (f pathFilter) matches(file string) bool {
	switch f.kind {
	case "filename":
		return matchWildcards(f.value, path.Base(file))
	case "extension":
		return matchWildcards("*."+f.value, path.Base(file))
	}
	return matchWildcards("*"+f.value+"*", file)
}

// matchWildcards compares a text with a pattern in which * stands for any characters.
func matchWildcards(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(text, first) || !strings.HasSuffix(text[len(first):], last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}

// pathspecEscaper keeps git from reading characters as patterns; only * stays one.
var pathspecEscaper = strings.NewReplacer(`\`, `\\`, `?`, `\?`, `[`, `\[`)

// pathspecs returns a condition in the form of git, so that git reads only the files that can meet it. The others are
// checked by keeps: git combines several in another way, and knows the case of ASCII letters only.
func (t fileTerm) pathspecs() []string {
	for _, f := range t.filters {
		if f.not || strings.ContainsFunc(f.value, func(r rune) bool { return r > 0x7f }) {
			continue
		}
		value := pathspecEscaper.Replace(f.value)
		switch f.kind {
		case "filename":
			return []string{":(icase,glob)**/" + value}
		case "extension":
			return []string{":(icase)*." + value}
		}
		return []string{":(icase)*" + value + "*"}
	}
	return nil
}

// lineIn returns the number of the first line of a chunk that has the text.
func (t fileTerm) lineIn(c git.Chunk) int {
	number := c.Line
	for line := range strings.Lines(c.Text) {
		if strings.Contains(strings.ToLower(line), t.lower) {
			return number
		}
		number++
	}
	return c.Line // the text is after the part of the line that was kept
}

// grep returns the search for the text in files.
func (t fileTerm) grep(skip, most int) git.Grep {
	return git.Grep{Text: t.text, Within: t.pathspecs(), Keep: t.keeps, Skip: skip, Most: most}
}
