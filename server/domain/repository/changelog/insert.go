package changelog

import (
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Insert inserts the section of a version into a changelog: before the next lower version or, if there is none, at the
// end. It returns false if the changelog already has the version.
func Insert(file, section, version string) (string, bool) {
	mine, ok := ParseVersion(version)
	if !ok {
		return file, false
	}
	at := -1
	var lower *semver.Version
	offset := 0
	for line := range strings.Lines(file) {
		if v, ok := headingVersion(line); ok {
			switch {
			case v.String() == mine.String():
				return file, false
			case v.LessThan(mine) && (lower == nil || v.GreaterThan(lower)):
				at, lower = offset, v
			}
		}
		offset += len(line)
	}
	if at >= 0 {
		return file[:at] + section + file[at:], true
	}
	return spaced(file) + strings.TrimRight(section, "\n") + "\n", true
}

// headingVersion returns the version whose section begins with this line.
func headingVersion(line string) (*semver.Version, bool) {
	rest, ok := strings.CutPrefix(line, "##")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return nil, false
	}
	return ParseVersion(words[0])
}

// spaced returns a file that ends with an empty line, so that a section can follow.
func spaced(file string) string {
	switch {
	case file == "" || strings.HasSuffix(file, "\n\n") || strings.HasSuffix(file, "\n\r\n"):
		return file
	case strings.HasSuffix(file, "\n"):
		return file + "\n"
	}
	return file + "\n\n"
}
