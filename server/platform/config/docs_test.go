package config

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page about the settings shows each of them, as the help of the program does.
func TestThePageOfSettingsIsComplete(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	known := map[string]bool{}
	for _, s := range settings() {
		known["--"+s.key] = true
		def, text := "", s.help
		if s.def != "" && !s.secret {
			def = "`" + s.def + "`"
		}
		if limits := s.limits(); limits != "" {
			text += " [" + limits + "]"
		}
		row := "| `--" + s.key + "` | `" + s.env + "` | " + def + " | " + strings.ReplaceAll(text, "|", `\|`) + " |\n"
		if !strings.Contains(page, row) {
			t.Errorf("docs/settings.md needs this row:\n%s", row)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `(--[a-z-]+)`").FindAllStringSubmatch(page, -1) {
		if !known[m[1]] {
			t.Errorf("docs/settings.md has %s, which is not a setting", m[1])
		}
	}
}
