package git

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Fill makes refs of a repository that has none, all at once and without starting git. The objects must be on disk.
// peeled has the commits of annotated tags, by the ids of the tags.
func (r Repo) Fill(refs map[string]string, peeled map[string]string) error {
	found, err := r.Refs("refs/")
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return errors.New("the repository already has refs")
	}
	var text strings.Builder
	text.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		id := refs[name]
		if !ValidRef(name) || !IsID(id) {
			return fmt.Errorf("%s: %w", name, ErrBadName)
		}
		fmt.Fprintf(&text, "%s %s\n", id, name)
		if commit := peeled[id]; commit != "" {
			fmt.Fprintf(&text, "^%s\n", commit)
		}
	}
	return r.writeFile("packed-refs", text.String())
}
