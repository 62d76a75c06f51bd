// Package naming holds the rules for names and paths of users, groups and projects, which appear in URLs, the host
// names of sites, and the URLs of pages.
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
	// reserved lists the first parts of the service's own paths, and files that browsers and robots request from every
	// host.
	reserved = []string{
		"-", ".well-known", "admin", "api", "apple-touch-icon.png", "favicon.ico", "groups", "oauth", "robots.txt",
		"snippets", "uploads", "users",
	}
	// reservedInProjects lists the parts of URLs below a project that could be mistaken for a project in a group.
	reservedInProjects = []string{
		"-", "alerts", "badges", "blame", "blob", "builds", "commits", "create", "create_dir", "edit", "files", "find_file", "new",
		"preview", "prometheus", "raw", "refs", "tree", "update", "wikis",
	}
)

// Reserved reports whether a top-level path belongs to the service itself, in any case.
func Reserved(path string) bool { return slices.Contains(reserved, strings.ToLower(path)) }

// Path returns the rule that the path of a group or project breaks, or an empty text. A top-level path must not be
// reserved. Only ASCII is allowed, so that no two paths look alike.
func Path(path string, atTop bool) string {
	lower := strings.ToLower(path)
	bad := !pathFormat.MatchString(path) || len(path) > maxLength
	for _, ending := range badEndings {
		bad = bad || strings.HasSuffix(lower, ending)
	}
	switch {
	case bad:
		return "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git', '.atom' or '.json'."
	case (atTop && Reserved(path)) || (!atTop && slices.Contains(reservedInProjects, lower)):
		return path + " is a reserved name"
	}
	return ""
}

// Name returns the rule that the name of a group or project breaks, or an empty text. A name is one line without
// characters that change the direction of the text around it.
func Name(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case strings.TrimSpace(name) == "":
		return "can't be blank"
	case utf8.RuneCountInString(name) > maxLength:
		return "is too long (maximum is 255 characters)"
	case strings.ContainsFunc(name, isForbidden) || strings.ContainsRune(" .-()", first):
		return "can contain only letters, digits, emojis, '_', '.', '(', ')', dash, space. It must start with letter, digit, emoji, or '_'."
	}
	return ""
}

// Person returns the rule that the display name of a user breaks, or an empty text. A name is one line without
// characters that reverse the direction of the text around it.
func Person(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "can't be blank"
	case utf8.RuneCountInString(name) > maxLength:
		return "is too long (maximum is 255 characters)"
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		return "is invalid"
	}
	return ""
}

func isForbidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '/' || r == '\\' || r == '<' || r == '>'
}

// PathOf derives a path from a name. Characters that a path cannot contain become a dash.
func PathOf(name string) string {
	var b strings.Builder
	dash := true // true, so that no dash comes first
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
