package main

import (
	"bytes"
	"fmt"
	"time"
)

// member is a file in an ar archive.
type member struct {
	name string // at most 15 bytes
	data []byte
}

// arArchive returns an archive in the common format of ar, which Debian packages have.
func arArchive(members []member, at time.Time) []byte {
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, m := range members {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.name, at.Unix(), 0, 0, 0o100644, len(m.data))
		b.Write(m.data)
		if len(m.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
