package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"svc/server/platform/access"

	"github.com/google/go-cmp/cmp"
)

// output runs a command and returns what it prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAbilitiesPrintsEveryAbilityWithItsConditions(t *testing.T) {
	t.Parallel()
	text := output(t, "abilities")
	for place, table := range access.Abilities {
		for ability, need := range table {
			if !strings.Contains(text, "\n  "+string(ability)+" ") {
				t.Errorf("%s in %s is not printed", ability, place)
			}
			if need.Else != "" && need.Else != "no further rule" && !strings.Contains(text, need.Else+"\n") {
				t.Errorf("the rule of %s is not printed: %s", ability, need.Else)
			}
		}
	}
}

func TestTheReferenceOfAbilitiesIsCurrent(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/abilities.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), output(t, "abilities", "--markdown")); diff != "" {
		t.Errorf("docs/abilities.md is not current; run make generate:\n%s", diff)
	}
}

func TestAbilitiesExplainsItself(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(abilitiesUsage, output(t, "abilities", "--help")); diff != "" {
		t.Error(diff)
	}
	for _, args := range [][]string{{"abilities", "--json"}, {"abilities", "group"}} {
		var out bytes.Buffer
		err := run(t.Context(), args, &out)
		if err == nil || !strings.Contains(err.Error(), abilitiesUsage) || out.Len() > 0 {
			t.Errorf("%v: the error is %v, and %q is printed", args, err, out.String())
		}
	}
}
