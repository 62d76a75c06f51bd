package talk

import (
	"fmt"
	"strings"
	"testing"
)

func TestMentionsAreThoseThatPeopleMean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "[] map[]",
		"hello @ann":                         "[ann] map[]",
		"@ann: look":                         "[ann] map[ann:true]",
		"@ann, @Bob and @joe.doe look @ann":  "[ann Bob joe.doe] map[ann:true bob:true joe.doe:true]",
		"ask @bob.":                          "[bob] map[]",
		"mail me at a@example.com":           "[] map[]",
		"`@ann` and\n```\n@bob\n```\n@joe":   "[joe] map[]",
		"> @ann said\n\nwhat @bob?":          "[bob] map[]",
		"(@ann) /@bob x.@joe":                "[ann] map[]",
		"@ann\nthanks":                       "[ann] map[ann:true]",
		"```\n@ann and the code never ends.": "[] map[]",
	} {
		got := Mentions(text)
		if s := fmt.Sprint(got.Names, " ", got.Addressed); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
	var all strings.Builder
	for i := range 500 {
		fmt.Fprintf(&all, "@u%d ", i)
	}
	if n := len(Mentions(all.String()).Names); n != mostNamed {
		t.Errorf("%d are looked up", n)
	}
}

func TestCommandsAreTakenOutOfAText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/subscribe":                       `"" [{subscribe }]`,
		"hello\n/todo\nbye":                `"hello\nbye" [{todo }]`,
		"/award :tada:\n/done\n":           `"" [{award :tada:} {done }]`,
		"/award tada":                      `"/award tada" []`,
		"/unknown":                         `"/unknown" []`,
		"/subscribe me":                    `"/subscribe me" []`,
		"see /todo":                        `"see /todo" []`,
		"```\n/todo\n```":                  `"` + "```" + `\n/todo\n` + "```" + `" []`,
		"/todo\r\n":                        `"" [{todo }]`,
		"~~~\n```\n/todo\n~~~\n/subscribe": `"~~~\n` + "```" + `\n/todo\n~~~\n" [{subscribe }]`,
	} {
		rest, orders := split(text)
		if got := fmt.Sprintf("%q %v", rest, orders); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
