package contract

import (
	"testing"

	"svc/server/platform/access"
	"svc/tests/harness"
)

// An operation in judged.txt checks more than the table of abilities. The table must say so, for people who audit it.
func TestAbilitiesNameTheRulesThatAreCheckedInCode(t *testing.T) {
	t.Parallel()
	judged := readJudged(t)
	seen := 0
	for _, r := range harness.Routes() {
		if _, ok := judged[r.Op.OperationID]; !ok {
			continue
		}
		seen++
		name, _ := r.Op.Extensions["x-ability"].(string)
		if rule(access.Ability(name)) == "" {
			t.Errorf("%s checks its caller in code, but %s has no Else in server/platform/access/abilities.go", r.Op.OperationID, name)
		}
	}
	if seen != len(judged) {
		t.Errorf("judged.txt lists %d operations, the document has %d of them", len(judged), seen)
	}
}

// rule returns the rule that the table names for an ability.
func rule(a access.Ability) string {
	for _, table := range access.Abilities {
		if need, ok := table[a]; ok {
			return need.Else
		}
	}
	return ""
}

// In groups and projects, too, the table says whether callers who are not signed in have an ability. For the instance
// see TestEveryLesserRoleIsRefused.
func TestTheTableOfAbilitiesSaysWhoMustSignIn(t *testing.T) {
	t.Parallel()
	open := map[access.Ability]bool{}
	for _, r := range harness.Routes() {
		name, _ := r.Op.Extensions["x-ability"].(string)
		open[access.Ability(name)] = open[access.Ability(name)] || allowsAnonymous(r.Op)
	}
	for _, place := range []access.Place{access.Group, access.Project} {
		for ability, need := range access.Abilities[place] {
			anonymous, used := open[ability]
			if used && anonymous != (need.Role == access.Anyone) {
				t.Errorf("%s: the document says open to anyone: %v, the table says %s", ability, anonymous, need.Role)
			}
		}
	}
}
