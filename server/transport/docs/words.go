package docs

import (
	"regexp"
	"strings"
	"unicode"
)

// words returns the words of a text in the form in which the search compares them. A name such as mergeRequest counts
// as its parts.
func words(text string) []string {
	var found []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			found = append(found, normal(word.String()))
			word.Reset()
		}
	}
	lower := false // whether the last character was a small letter
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			end()
		}
		lower = unicode.IsLower(r)
		word.WriteRune(unicode.ToLower(r))
	}
	end()
	return found
}

// normal returns a word without the ending of the plural.
func normal(word string) string {
	switch {
	case len(word) > 4 && strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case len(word) > 2 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return word[:len(word)-1]
	}
	return word
}

// unimportant are words that a question has besides what it asks for.
var unimportant = map[string]bool{
	"a": true, "an": true, "the": true, "of": true, "to": true, "in": true, "on": true, "for": true, "with": true, "and": true,
	"or": true, "how": true, "do": true, "doe": true, "i": true, "is": true, "are": true, "what": true, "my": true, "can": true,
}

// queryWords returns the different words of a query that matter.
func queryWords(query string) []string {
	var all, important []string
	seen := map[string]bool{}
	for _, word := range words(query) {
		if seen[word] {
			continue
		}
		seen[word] = true
		all = append(all, word)
		if !unimportant[word] {
			important = append(important, word)
		}
	}
	if len(important) == 0 {
		return all
	}
	return important
}

var (
	markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	marks        = strings.NewReplacer("`", "", "**", "", "*", "", `\|`, "|", "|", " ")
)

// plainText returns Markdown without its marks, for the index and for excerpts.
func plainText(text string) string {
	return marks.Replace(markdownLink.ReplaceAllString(comment.ReplaceAllString(text, ""), "$1"))
}
