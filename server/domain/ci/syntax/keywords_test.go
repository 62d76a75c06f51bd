package syntax

import (
	"slices"
	"testing"
)

// A keyword that affects only the display is accepted. The author of the file gets a warning that it has no effect.
func TestAKeywordWithoutEffectIsToldAsWarning(t *testing.T) {
	t.Parallel()
	c, err := Load([]byte("a: {script: x, artifacts: {paths: [b], expose_as: the program}}"), Sources{}, Context{})
	if err != nil {
		t.Fatal(err)
	}
	want := "jobs:a:artifacts expose_as has no effect: this service does not list artifacts in merge requests"
	if !slices.ContainsFunc(c.Warnings, func(w Error) bool { return w.Message == want }) {
		t.Errorf("the warnings are %v", c.Warnings)
	}
}

// Every keyword is either read or refused, and default may set only known keywords.
func TestEveryKeywordIsReadOrRefused(t *testing.T) {
	t.Parallel()
	for key, read := range jobKeys {
		if _, refused := refusedKeys[key]; read == nil && !refused {
			t.Errorf("%s is known, but neither read nor refused", key)
		}
	}
	for key := range refusedKeys {
		if _, known := jobKeys[key]; !known {
			t.Errorf("%s is refused, but not known", key)
		}
	}
	for _, key := range defaultKeys {
		if _, known := jobKeys[key]; !known {
			t.Errorf("default has %s, which no job has", key)
		}
	}
}
