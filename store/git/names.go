package git

import (
	"strings"
	"unicode/utf8"
)

// ValidRef tells whether a full name like refs/heads/main is one that git allows (git check-ref-format).
func ValidRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") || len(name) > 1024 || !utf8.ValidString(name) {
		return false
	}
	return validParts(name)
}

// ValidBranch is true for names that a new branch may have.
func ValidBranch(name string) bool { return !Misleading(name) && ValidRef("refs/heads/"+name) }

// ValidTag is true for names that a new tag may have.
func ValidTag(name string) bool { return !Misleading(name) && ValidRef("refs/tags/"+name) }

// Misleading is true for short names that git allows, but that could be taken for something else: for the id of an object, for HEAD or for an
// option. No branch or tag is given such a name; one that has it already can only be deleted.
func Misleading(name string) bool {
	return name == "" || name == "HEAD" || strings.HasPrefix(name, "-") || LooksLikeID(name)
}

// LooksLikeID is true for 40 or 64 hexadecimal digits, which always mean the id of an object and never a ref.
func LooksLikeID(text string) bool {
	if len(text) != 40 && len(text) != 64 {
		return false
	}
	return strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

func validParts(name string) bool {
	if strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") || strings.ContainsAny(name, " ~^:?*[\\") {
		return false
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return false
	}
	for _, part := range strings.Split(name, "/") {
		if part == "" || part == "@" && name == "@" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// ValidRevision tells whether a caller's text may be asked for as a revision: a ref, an id, or one of these with ~ and
// ^. It is not an option, not a range and not a path, and stays on one line.
func ValidRevision(rev string) bool {
	if rev == "" || len(rev) > 1024 || rev[0] == '-' || strings.Contains(rev, "..") || strings.Contains(rev, "@{") || strings.Contains(rev, "^{") {
		return false
	}
	return !strings.ContainsAny(rev, ":\\?*[ ") && !strings.ContainsFunc(rev, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// IsID tells whether a text is the whole id of an object.
func IsID(text string) bool {
	if len(text) != len(Zero) {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// CleanPath is a caller's path inside a tree, without slashes around it; false for one that leads anywhere else.
func CleanPath(path string) (string, bool) {
	if strings.ContainsRune(path, 0) || len(path) > 4096 {
		return "", false
	}
	path = strings.Trim(path, "/")
	if path == "" {
		return "", true
	}
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return "", false
		}
	}
	return path, true
}
