package mention

import (
	"fmt"
	"strings"
	"testing"
)

func TestMentionsAreFoundOutsideOfCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "[]",
		"Hello @jane, and @bob.smith.":   "[jane bob.smith]",
		"@jane @Jane @jane":              "[jane]",
		"mail me: jane@example.com":      "[]",
		"`@jane` and\n```\n@bob\n```\nx": "[]",
		"(@jane)":                        "[jane]",
		"@acme/web":                      "[acme]",
		"> @ann said\n\nwhat @bob?":      "[bob]",
		"(@ann) /@bob x.@joe":            "[ann]",
		"```\n@ann and the code never":   "[]",
	} {
		if got := fmt.Sprint(Mentions(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	var many strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&many, "@user%d ", i)
	}
	if got := len(Mentions(many.String())); got != MaxNames {
		t.Errorf("%d names", got)
	}
}

func TestATextSpeaksToWhomItBeginsWith(t *testing.T) {
	t.Parallel()
	got := Addressed("@jane: @Bob and @eve please look; @mallory not")
	if !got["jane"] || !got["bob"] || !got["eve"] || got["mallory"] {
		t.Errorf("%v", got)
	}
}

func TestIssuesAreNamedAndClosed(t *testing.T) {
	t.Parallel()
	named, closes := Issues("See #1, acme/web#2 and #1. Closes #3, #4 and acme/web#5; fixes: #6. `#7` a#8 !#9")
	if got := fmt.Sprint(named); got != "[{ 1} {acme/web 2} { 3} { 4} {acme/web 5} { 6} { 9}]" {
		t.Errorf("%s", got)
	}
	for _, ref := range []Reference{{"", 3}, {"", 4}, {"acme/web", 5}, {"", 6}} {
		if !closes[ref] {
			t.Errorf("%v is not closed: %v", ref, closes)
		}
	}
	if closes[Reference{"", 1}] || len(closes) != 4 {
		t.Errorf("%v", closes)
	}
}
