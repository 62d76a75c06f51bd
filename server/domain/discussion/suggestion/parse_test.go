package suggestion

import (
	"slices"
	"testing"
)

func TestFencedBlocksAreSuggestions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]block{
		"no block":              nil,
		"```suggestion\na\n```": {{0, 0, "a\n"}},
		"Try:\r\n\r\n```suggestion\r\na\r\nb\r\n```":   {{0, 0, "a\nb\n"}},
		"```suggestion:-2+1\na\n```":                   {{2, 1, "a\n"}},
		"```suggestion:-200+999\na\n```":               {{100, 100, "a\n"}},
		"```suggestion\n```":                           {{0, 0, ""}},
		"```suggestion\n\n```":                         {{0, 0, "\n"}},
		"~~~~suggestion\n~~~\n~~~~":                    {{0, 0, "~~~\n"}},
		"```suggestion\nnever closed":                  nil,
		"```go\n```suggestion\n```\n":                  nil,
		"````\n```suggestion\na\n```\n````":            nil,
		"```suggestions\na\n```":                       nil,
		"```suggestion\na\n```\n```suggestion\nb\n```": {{0, 0, "a\n"}, {0, 0, "b\n"}},
	} {
		if got := parse(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestLinesAreReplacedFromTheLastToTheFirst(t *testing.T) {
	t.Parallel()
	lines := split("a\nb\nc\nd")
	got := replace(lines, []edit{{from: 2, to: 2, content: "B\nB\n"}, {from: 4, to: 4, content: "D\n"}})
	if got != "a\nB\nB\nc\nD\n" {
		t.Errorf("got %q", got)
	}
	if text, ok := textOf(lines, 4, 4); !ok || text != "d" {
		t.Errorf("the last line is %q", text)
	}
	if _, ok := textOf(lines, 4, 5); ok {
		t.Error("a line after the end was found")
	}
}
