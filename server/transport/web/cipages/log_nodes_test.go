package cipages

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/logview"
)

// readEvents returns the events of a log.
func readEvents(log string) []logview.Event {
	reader := &logview.Reader{}
	return append(reader.Read([]byte(log)), reader.End()...)
}

func TestAWindowHasAsManyLinesAsFit(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := 1; i <= 2000; i++ {
		fmt.Fprintf(&log, "line %d\n", i)
	}
	lines, rest := costs(readEvents(log.String()))
	if len(lines) != 2000 || rest != 0 {
		t.Fatal(len(lines), rest)
	}
	last := backward(lines, len(lines))
	if n := last.last - last.first + 1; last.last != 2000 || n < 600 || n > 900 {
		t.Error(last)
	}
	if first := forward(lines, 1); first.first != 1 || first.last < 600 || first.last > 900 {
		t.Error(first)
	}
	if before := backward(lines, last.first-1); before.last != last.first-1 || forward(lines, before.first).last < before.last {
		t.Error(before)
	}
	long := []int{shownBytes * 2, shownBytes * 3}
	if got := forward(long, 2); got != (window{2, 2}) {
		t.Error("a line that is too long is not shown:", got)
	}
}

func TestAWindowKeepsTheSectionsOfItsLines(t *testing.T) {
	t.Parallel()
	nodes := tree(readEvents("section_start:1:a\r\x1b[0KA\none\nsection_end:2:a\r\x1b[0K" +
		"section_start:3:b\r\x1b[0KB\ntwo\nthree\nsection_end:4:b\r\x1b[0K\nfour\n"))
	kept := within(nodes, window{3, 3})
	if len(kept) != 1 || kept[0].Section != "b" || len(kept[0].Inside) != 1 || kept[0].Inside[0].Link != "?lines=3#L3" {
		t.Errorf("%+v", kept)
	}
}

func TestASearchFindsTextAndNotMarkup(t *testing.T) {
	t.Parallel()
	events := readEvents("\x1b[31mFail: a < b\x1b[0m\nspan\nfail again\n")
	found, more := search(events, "FAIL", window{1, 2})
	if len(found) != 2 || more || found[0].Text != "Fail: a < b" || found[0].Link != "#L1" || found[1].Link != "?lines=3#L3" {
		t.Errorf("%+v", found)
	}
	if found, _ := search(events, "class", window{1, 3}); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if found, _ := search(events, "< b", window{1, 3}); len(found) != 1 {
		t.Errorf("%+v", found)
	}
	if _, more := search(readEvents(strings.Repeat("x\n", maxFound+1)), "x", window{1, 1}); !more {
		t.Error("there are more lines")
	}
}

func TestACommandHasTheNamesOfBranchesInQuotes(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"main": "main", "a;rm -rf": "'a;rm -rf'", "it's": `'it'\''s'`} {
		if got := shellQuoted(given); got != want {
			t.Errorf("%s: %s", given, got)
		}
	}
}
