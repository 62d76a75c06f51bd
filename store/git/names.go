package git

import (
	"strings"
	"unicode/utf8"
)

// ValidRef reports whether git allows a full name like refs/heads/main (git check-ref-format).
func ValidRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") || len(name) > 1024 || !utf8.ValidString(name) {
		return false
	}
	return validParts(name)
}

// ValidBranch reports whether a new branch may have a name.
func ValidBranch(name string) bool { return !Misleading(name) && ValidRef("refs/heads/"+name) }

// ValidTag reports whether a new tag may have a name.
func ValidTag(name string) bool { return !Misleading(name) && ValidRef("refs/tags/"+name) }

// Misleading reports whether a short name that git allows could be taken for something else: for the id of an object,
// for HEAD or for an option. No new branch or tag gets such a name; an existing one can only be deleted.
func Misleading(name string) bool {
	return name == "" || name == "HEAD" || strings.HasPrefix(name, "-") || LooksLikeID(name)
}

// LooksLikeID reports whether a text is 40 or 64 hexadecimal digits, which always mean the id of an object and never a
// ref.
func LooksLikeID(text string) bool {
	if len(text) != 40 && len(text) != 64 {
		return false
	}
	return strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

func validParts(name string) bool {
	if strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.HasSuffix(name, ".") ||
		strings.ContainsAny(name, " ~^:?*[\\") {
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

// ValidRevision reports whether a caller's text may be passed to git as a revision: a ref, an id, or one of these with
// ~ and ^. It is not an option, not a range and not a path, and has no line break.
func ValidRevision(rev string) bool {
	if rev == "" || len(rev) > 1024 || rev[0] == '-' || strings.Contains(rev, "..") || strings.Contains(rev, "@{") ||
		strings.Contains(rev, "^{") {
		return false
	}
	return !strings.ContainsAny(rev, ":\\?*[ ") && !strings.ContainsFunc(rev, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// IsID reports whether a text is the complete id of an object.
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

// CleanPath returns a caller's path inside a tree without leading and trailing slashes. It returns false for a path
// that leads elsewhere.
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
