package access

import "testing"

func TestTheReferenceSaysWhoMayCallAnOperation(t *testing.T) {
	t.Parallel()
	for ability, want := range map[string]string{
		string(AdminApplication):   "administrators",
		string(AdminGroupRunner):   "owners of the group",
		string(ReadGroupBadge):     "everyone who can see the group",
		"no_ability_has_this_name": "callers with the ability",
	} {
		if got := WhoMay(ability); got != want {
			t.Errorf("%s: %q, want %q", ability, got, want)
		}
	}
}
