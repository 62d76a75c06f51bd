package access

import (
	"bytes"
	"strings"
	"testing"
)

func TestTheColumnsOfTheReferenceAreAligned(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := WriteText(&out); err != nil {
		t.Fatal(err)
	}
	sections, starts := 0, []int{}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line != strings.TrimRight(line, " \t"):
			t.Errorf("%q ends with a space", line)
		case strings.HasPrefix(line, "  Ability "):
			sections++
			starts = starts[:0]
			for _, column := range []string{"Role", "Feature", "Archived", "Further rule"} {
				if at := strings.Index(line, column); at >= 0 {
					starts = append(starts, at)
				}
			}
		case strings.HasPrefix(line, "  "):
			for _, at := range starts {
				if at < len(line) && (line[at-2:at] != "  " || line[at] == ' ') {
					t.Errorf("no column begins at %d in %q", at, line)
				}
			}
		}
	}
	if sections != len(Abilities) {
		t.Errorf("there are %d tables, want %d", sections, len(Abilities))
	}
}
