package export

import (
	"bytes"
	"io"
	"strconv"
)

// readIDs reads the ids of the groups in the archive.
func readIDs(from io.Reader) ([]int64, error) {
	const limit = maxGroups * 20 // digits and the newline
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	if len(data) > limit || len(lines) > maxGroups {
		return nil, bad("the archive has more than %d groups", maxGroups)
	}
	ids, seen := make([]int64, 0, len(lines)), map[int64]bool{}
	for _, line := range lines {
		id, err := strconv.ParseInt(string(line), 10, 64)
		if err != nil || id < 1 || seen[id] || strconv.FormatInt(id, 10) != string(line) {
			return nil, bad("%s is not a list of groups", groupsFile)
		}
		seen[id] = true
		ids = append(ids, id)
	}
	return ids, nil
}
