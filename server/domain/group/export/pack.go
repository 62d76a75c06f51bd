package export

import "strconv"

// inGroup returns the name of a file of a group in the archive.
func inGroup(id int64, rest string) string { return groupFolder + strconv.FormatInt(id, 10) + rest }

// part returns the name of the file with one part of a group, such as its labels.
func part(id int64, name string) string { return inGroup(id, "/"+name+".ndjson") }
