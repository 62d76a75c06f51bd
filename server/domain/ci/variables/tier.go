package variables

import "strings"

// tiers maps words in environment names to tiers. The first match wins.
var tiers = []struct{ word, tier string }{
	{"dev", "development"},
	{"review", "development"},
	{"trunk", "development"},
	{"test", "testing"},
	{"qa", "testing"},
	{"qc", "testing"},
	{"ci", "testing"},
	{"acceptance", "testing"},
	{"uat", "testing"},
	{"staging", "staging"},
	{"stage", "staging"},
	{"preprod", "staging"},
	{"pre-prod", "staging"},
	{"demo", "staging"},
	{"model", "staging"},
	{"prod", "production"},
	{"live", "production"},
}

// EnvironmentTier guesses the tier of an environment from its name.
func EnvironmentTier(name string) string {
	lower := strings.ToLower(name)
	for _, t := range tiers {
		if strings.Contains(lower, t.word) {
			return t.tier
		}
	}
	return "other"
}
