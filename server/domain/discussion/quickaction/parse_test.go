package quickaction

import (
	"fmt"
	"testing"
)

func TestCommandsAreTakenOutOfAText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/subscribe":                       `"" [{subscribe }]`,
		"hello\n/todo\nbye":                `"hello\nbye" [{todo }]`,
		"/award :tada:\n/done\n":           `"" [{award :tada:} {done }]`,
		"/unknown":                         `"/unknown" []`,
		"/subscribe me":                    `"/subscribe me" []`,
		"see /todo":                        `"see /todo" []`,
		"```\n/todo\n```":                  `"` + "```" + `\n/todo\n` + "```" + `" []`,
		"/todo\r\n":                        `"" [{todo }]`,
		"/merge":                           `"/merge" []`,
		"/title":                           `"/title" []`,
		"/title  A new one ":               `"" [{title A new one}]`,
		"/react :x:\n/labels ~a ~\"b c\"":  `"" [{award :x:} {label ~a ~"b c"}]`,
		"/shrug who knows\n/close":         `"who knows ¯\\＿(ツ)＿/¯\n" [{close }]`,
		"````\n```\n/close\n````\n":        `"` + "````" + `\n` + "```" + `\n/close\n` + "````" + `\n" []`,
		" /close":                          `" /close" []`,
		"~~~\n```\n/todo\n~~~\n/subscribe": `"~~~\n` + "```" + `\n/todo\n~~~\n" [{subscribe }]`,
	} {
		rest, commands := Split("Issue", text)
		if got := fmt.Sprintf("%q %v", rest, commands); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
