package config

import (
	"slices"
	"strings"
	"testing"
)

// inForce returns a setting of an explanation.
func inForce(t *testing.T, e Explanation, key string) InForce {
	t.Helper()
	at := slices.IndexFunc(e.Settings, func(s InForce) bool { return s.Key == key })
	if at < 0 {
		t.Fatalf("there is no setting %s", key)
	}
	return e.Settings[at]
}

func TestAnExplanationNamesTheSourceOfEverySetting(t *testing.T) {
	t.Parallel()
	file := writeFile(t, "tier: free\nroot-password: 0123456789\n")
	e, err := Explain(
		[]string{"--config=" + file, "--log-level", "debug"}, []string{"SVC_LISTEN=127.0.0.1:9000", "SVC_LISTN=x"}, nil,
	)
	if err != nil || len(e.Mistakes) > 0 {
		t.Fatal(err, e.Mistakes)
	}
	for key, want := range map[string][2]string{
		"tier":          {"free", "tier (" + file + ", line 1)"},
		"root-password": {"(hidden)", "root-password (" + file + ", line 2)"},
		"log-level":     {"debug", "--log-level"},
		"listen":        {"127.0.0.1:9000", "SVC_LISTEN (environment)"},
		"url":           {"http://127.0.0.1:9000", "derived from other settings"},
		"data":          {"./data", "default"},
		"secret-key":    {"", "default"},
	} {
		if got := inForce(t, e, key); got.Value != want[0] || got.Source != want[1] {
			t.Errorf("%s: %q from %q, want %q", key, got.Value, got.Source, want)
		}
	}
	if len(e.Settings) != len(settings()) {
		t.Errorf("%d of %d settings", len(e.Settings), len(settings()))
	}
	if len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "did you mean SVC_LISTEN?") {
		t.Errorf("warnings: %q", e.Warnings)
	}
}

func TestAnExplanationHasAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	e, err := Explain([]string{"--tier=gold", "--ssh-port=99999", "--no-such"}, []string{"SVC_LISTEN=nowhere"}, nil)
	if err != nil || len(e.Mistakes) != 4 {
		t.Fatalf("%v: %q", err, e.Mistakes)
	}
	if e.Config.Listen != "" || len(e.Settings) != len(settings()) {
		t.Errorf("config %v, %d settings", e.Config, len(e.Settings))
	}
}

func TestASecretIsHiddenEvenIfItIsAMistake(t *testing.T) {
	t.Parallel()
	e, err := Explain([]string{"--secret-key=short-secret"}, nil, nil)
	if err != nil || len(e.Mistakes) != 1 || strings.Contains(e.Mistakes.Error(), "short-secret") {
		t.Fatalf("%v: %q", err, e.Mistakes)
	}
	if got := inForce(t, e, "secret-key"); got.Value != "(hidden)" {
		t.Errorf("%+v", got)
	}
}
