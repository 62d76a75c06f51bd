package config

import (
	"slices"
	"testing"
)

func TestUnknownVariablesAreNamedWithTheNearestSetting(t *testing.T) {
	t.Parallel()
	got := Unknown([]string{"PATH=x", "SVC_LISTEN=x", "SVC_LISTN=secret", "SVC_DATABSE_URL=secret", "SVC_NOTHING_LIKE_A_SETTING_AT_ALL=1"})
	want := []string{
		"SVC_DATABSE_URL is not a setting and is ignored; did you mean SVC_DATABASE_URL?",
		"SVC_LISTN is not a setting and is ignored; did you mean SVC_LISTEN?",
		"SVC_NOTHING_LIKE_A_SETTING_AT_ALL is not a setting and is ignored",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
