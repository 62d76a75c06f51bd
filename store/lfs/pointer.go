package lfs

import (
	"strconv"
	"strings"
)

// maxPointer is the largest size of a pointer that the specification allows.
const maxPointer = 1024

// Pointer is the file in a repository that stands for an LFS object.
type Pointer struct {
	OID  string
	Size int64
}

// ReadPointer parses a file of a repository as a pointer, and returns false if it is none.
func ReadPointer(data []byte) (Pointer, bool) {
	if len(data) > maxPointer {
		return Pointer{}, false
	}
	var p Pointer
	version, hasSize := "", false
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch name {
		case "version":
			version = value
		case "oid":
			p.OID, _ = strings.CutPrefix(value, "sha256:")
		case "size":
			n, err := strconv.ParseInt(value, 10, 64)
			p.Size, hasSize = n, err == nil && n >= 0
		}
	}
	known := version == "https://git-lfs.github.com/spec/v1" || version == "http://git-media.io/v/2"
	return p, known && hasSize && IsOID(p.OID)
}
