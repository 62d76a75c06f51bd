package git

import "strings"

// writable tells whether a file may be given a path. CleanPath has refused what leads out of the tree; this refuses what
// some file system takes for .git, as git's own check of pushed objects does: there a clone would run what it finds.
func writable(path string) bool {
	for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." || part == "." || likeGit(part) {
			return false
		}
	}
	return !strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// likeGit knows the other spellings of .git: what NTFS drops at the end, its short name and streams, and what HFS+ ignores.
func likeGit(part string) bool {
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
