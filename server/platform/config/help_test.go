package config

import "testing"

func TestEverySettingHasExactlyOneHelpText(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for _, s := range settings() {
		keys[s.key] = true
		if help[s.key] == "" {
			t.Errorf("help.go has no text for the setting %s", s.key)
		}
	}
	for key := range help {
		if !keys[key] {
			t.Errorf("help.go has a text for %s, which is not a setting", key)
		}
	}
}
