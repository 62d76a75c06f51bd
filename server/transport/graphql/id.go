package graphql

import (
	"slices"
	"strconv"
	"strings"

	"svc/server/transport/graphql/engine"
)

// gidPrefix begins every global ID. Clients cut it off by these exact words.
const gidPrefix = "gid://gitlab/"

// gid returns the global ID of something.
func gid(class string, id int64) string { return gidPrefix + class + "/" + strconv.FormatInt(id, 10) }

// readGID returns the number in a global ID of one of some classes. A number alone is accepted, too.
func readGID(text string, classes ...string) (int64, error) {
	given := text
	if rest, ok := strings.CutPrefix(text, gidPrefix); ok {
		at := strings.LastIndexByte(rest, '/')
		if at < 0 || !slices.Contains(classes, rest[:at]) {
			return 0, invalidID(given, classes[0])
		}
		text = rest[at+1:]
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, invalidID(given, classes[0])
	}
	return id, nil
}

func invalidID(given, class string) error {
	const most = 100
	if len(given) > most {
		given = "The ID"
	}
	return &engine.Error{Message: strconv.Quote(given) + " does not represent an instance of " + class}
}

// maxIDs is the number of IDs or names that an argument may have.
const maxIDs = 500

// readGIDs reads a list of global IDs.
func readGIDs(all []string, classes ...string) ([]int64, error) {
	if len(all) > maxIDs {
		return nil, &engine.Error{Message: "Too many IDs; the most is " + strconv.Itoa(maxIDs)}
	}
	out := make([]int64, len(all))
	for i, text := range all {
		id, err := readGID(text, classes...)
		if err != nil {
			return nil, err
		}
		out[i] = id
	}
	return out, nil
}
