package git

import "strings"

// writable reports whether a file may have a path. CleanPath has refused paths that lead out of the tree. writable
// refuses names that some file system treats as .git, as git's own check of pushed objects does: otherwise a clone
// would run what it finds there.
func writable(path string) bool {
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." || part == "." || looksLikeDotGit(part) {
			return false
		}
	}
	return !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// looksLikeDotGit recognizes the other spellings of .git: with characters that NTFS drops at the end, its short name and
// streams, and with characters that HFS+ ignores.
func looksLikeDotGit(part string) bool {
	part = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, part)
	part, _, _ = strings.Cut(part, ":")
	part = strings.TrimRight(part, " .")
	return strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1")
}
