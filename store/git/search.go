package git

import "strings"

// Search returns a filter for names of branches and tags that ignores case: the text is a part of the name, with a
// leading ^ its beginning, with a trailing $ its end.
func Search(text string) func(name string) bool {
	text = strings.ToLower(text)
	text, begins := strings.CutPrefix(text, "^")
	text, ends := strings.CutSuffix(text, "$")
	return func(name string) bool {
		name = strings.ToLower(name)
		switch {
		case begins && ends:
			return name == text
		case begins:
			return strings.HasPrefix(name, text)
		case ends:
			return strings.HasSuffix(name, text)
		}
		return strings.Contains(name, text)
	}
}
