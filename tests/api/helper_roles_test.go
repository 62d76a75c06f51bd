package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// everyRole lists the kinds of callers that permission tests use, from the fewest permissions to the most.
var everyRole = []string{"anonymous", "outsider", "external", "guest", "reporter", "developer", "maintainer", "owner", "admin"}

// callersByRole has one caller of each kind for a project.
type callersByRole map[string]*harness.Caller

func newCallersByRole(h *harness.H, p model.Project) callersByRole {
	return callersByRole{
		"anonymous": h.Anonymous(), "outsider": h.NewUser(), "external": h.NewUser(harness.External), "admin": h.Root(),
		"guest": h.ProjectMember(p, model.Guest), "reporter": h.ProjectMember(p, model.Reporter),
		"developer":  h.ProjectMember(p, model.Developer),
		"maintainer": h.ProjectMember(p, model.Maintainer), "owner": h.ProjectMember(p, model.Owner),
	}
}

// answers makes a call as every role and compares the results, which are listed in the order of everyRole.
func (c callersByRole) answers(t *testing.T, what, want string, call func(role string, caller *harness.Caller) string) {
	t.Helper()
	expected := strings.Fields(want)
	if len(expected) != len(everyRole) {
		t.Fatalf("%s: %d results are wanted for %d roles", what, len(expected), len(everyRole))
	}
	for i, role := range everyRole {
		if got := call(role, c[role]); got != expected[i] {
			t.Errorf("%s as %s is %s, want %s", what, role, got, expected[i])
		}
	}
}

// statuses is answers for calls whose result is the status.
func (c callersByRole) statuses(t *testing.T, what, want string, call func(caller *harness.Caller) harness.Answer) {
	t.Helper()
	c.answers(t, what, want, func(_ string, caller *harness.Caller) string { return fmt.Sprint(call(caller).Status) })
}
