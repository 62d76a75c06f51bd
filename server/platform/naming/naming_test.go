package naming

import (
	"strings"
	"testing"
)

func TestPathsStandInURLs(t *testing.T) {
	t.Parallel()
	for path, good := range map[string][2]bool{ // at the top level, below it
		"web": {true, true}, "Web-2.0_x": {true, true}, "_x": {true, true}, ".hidden": {true, true}, "1": {true, true},
		"": {false, false}, "-x": {false, false}, "x.": {false, false}, "x.git": {false, false}, "x.GIT": {false, false},
		"x.atom": {false, false}, "x.json": {false, false}, "a/b": {false, false}, "a b": {false, false},
		"wеb": {false, false}, "x\n": {false, false},
		"..": {false, false}, ".": {false, false}, "-": {false, false}, "api": {false, true}, "API": {false, true}, "users": {false, true},
		"user": {true, true}, "snippets": {false, true}, "groups": {false, true}, "explore": {true, true},
		"blob": {true, false}, "Tree": {true, false},
		strings.Repeat("a", 255): {true, true}, strings.Repeat("a", 256): {false, false},
	} {
		for i, atTop := range []bool{true, false} {
			if got := Path(path, atTop); (got == "") != good[i] {
				t.Errorf("%q at the top %v: %q", path, atTop, got)
			}
		}
	}
}

func TestNamesAreOneLineOfText(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"Web": true, "日本 🦊 (2)": true, "_x": true, "a-b.c": true, strings.Repeat("é", 255): true,
		"": false, "  ": false, " x": false, "-x": false, "a\nb": false, "a\u202eb": false, "<b>": false, "a/b": false,
		strings.Repeat("é", 256): false,
	} {
		if got := Name(name); (got == "") != good {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestAPathIsMadeOfAName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Web": "web", "My Own  (first) tool!": "my-own-first-tool", "-a-": "a", "v1.0": "v1.0", "日本": "",
		"Ünicode x": "nicode-x", "...": "",
	} {
		if got := PathOf(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
