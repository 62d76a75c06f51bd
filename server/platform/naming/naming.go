// Package naming is the rules for names and paths of users, groups and projects: what stands in URLs.
package naming

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxLength = 255

var (
	pathFormat = regexp.MustCompile(`\A[a-zA-Z0-9_.][a-zA-Z0-9_.-]*\z`)
	badEndings = []string{".", ".git", ".atom", ".json"}
	// reserved are the first parts of the service's own paths, and files that browsers and robots ask every host for.
	reserved = []string{
		"-", ".well-known", "admin", "api", "apple-touch-icon.png", "favicon.ico", "groups", "oauth", "robots.txt", "snippets", "uploads", "users",
	}
	// inProjects are the parts of URLs below a project that could be taken for a project in a group.
	inProjects = []string{
		"-", "alerts", "badges", "blame", "blob", "builds", "commits", "create", "create_dir", "edit", "files", "find_file", "new",
		"preview", "prometheus", "raw", "refs", "tree", "update", "wikis",
	}
)

// Reserved tells whether a path at the top level is one of the service's own, whatever its case.
func Reserved(path string) bool { return slices.Contains(reserved, strings.ToLower(path)) }

// Path says which rule the path of a group or project breaks, if any; at the top it must not be one of ours. Only ASCII is
// allowed, so no two paths look alike.
func Path(path string, atTop bool) string {
	lower := strings.ToLower(path)
	bad := !pathFormat.MatchString(path) || len(path) > maxLength
	for _, ending := range badEndings {
		bad = bad || strings.HasSuffix(lower, ending)
	}
	switch {
	case bad:
		return "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git', '.atom' or '.json'."
	case (atTop && Reserved(path)) || (!atTop && slices.Contains(inProjects, lower)):
		return path + " is a reserved name"
	}
	return ""
}

// Name says which rule the name of a group or project breaks, if any: text on one line that does not turn the text around it.
func Name(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case strings.TrimSpace(name) == "":
		return "can't be blank"
	case utf8.RuneCountInString(name) > maxLength:
		return "is too long (maximum is 255 characters)"
	case strings.ContainsFunc(name, odd) || strings.ContainsRune(" .-()", first):
		return "can contain only letters, digits, emojis, '_', '.', '(', ')', dash, space. It must start with letter, digit, emoji, or '_'."
	}
	return ""
}

func odd(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '/' || r == '\\' || r == '<' || r == '>'
}

// PathOf makes a path of a name: what a path cannot hold becomes a dash.
func PathOf(name string) string {
	var b strings.Builder
	dash := true // also none at the beginning
	for _, r := range strings.ToLower(name) {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.') {
			b.WriteRune(r)
			dash = false
		} else if !dash {
			b.WriteByte('-')
			dash = true
		}
	}
	return strings.Trim(b.String(), "-.")
}
